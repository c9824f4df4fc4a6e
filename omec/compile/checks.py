"""What renders, but hardly as its author meant it (reference 04 §22).

What the API server would refuse is the business of :mod:`omec.compile.validate`.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile import rules
from omec.compile.components import Component
from omec.compile.inputs import Object, ServiceInputs
from omec.compile.pod import Pod
from omec.compile.problems import Origin, Place, Problem
from omec.compile.weights import Weights
from omec.compile.weights_pod import MODEL_PATH

_MODEL_PATH_REFERENCE = f"$({MODEL_PATH})"


def check_service(inputs: ServiceInputs, weights: Weights | None) -> Iterator[Problem]:
    """What concerns the service as a whole."""
    if inputs.model is not None and (weights is None or not weights.path):
        message = f"the pods get no volume and no {MODEL_PATH}: model {inputs.model.name} has no storage.path"
        yield Problem(rules.MODEL_WITHOUT_FILES, message, Place(Origin.MODEL, ("spec", "storage")))


def check_component(component: Component, pod: Pod) -> Iterator[Problem]:
    """What concerns ``component`` with the rendered ``pod``."""
    if pod.source.get("runner") is None:
        if component.name != "router":
            message = f"the {component.name} has containers but no runner, so OME gives none of them the model"
            yield Problem(rules.RUNNER_MISSING, message, component.place("containers"))
        return
    if pod.main > 0:
        first = pod.spec["containers"][0]["name"]
        message = f"the Service of the {component.name} points at container {first}, which stands before the runner"
        yield Problem(rules.SERVICE_BEFORE_RUNNER, message, component.place("containers", ("name", first)))
    main = pod.spec["containers"][pod.main]
    if _uses_model_path(main) and all(item["name"] != MODEL_PATH for item in main.get("env") or ()):
        message = f"the {component.name} runs with {_MODEL_PATH_REFERENCE}, and nothing sets {MODEL_PATH}"
        yield Problem(rules.MODEL_PATH_UNSET, message, component.place("runner"))


def _uses_model_path(container: Object) -> bool:
    return any(_MODEL_PATH_REFERENCE in word for key in ("command", "args") for word in container.get(key) or ())
