"""The pod of a component: its containers, volumes and placement (reference 04 §9, §10, §12.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from omec.api.shapes import CONTAINER, POD_FIELDS, POD_SPEC
from omec.compile import rules
from omec.compile.accelerators import Accelerator
from omec.compile.components import Component, merge_parts
from omec.compile.inputs import Object, ServiceInputs
from omec.compile.metadata import component_annotations
from omec.compile.names import DEFAULT_CONTAINER, DEFAULT_PORT, MODEL_READY, component_name, model_label_key
from omec.compile.placeholders import PlaceholderError, Subject, fill_placeholders
from omec.compile.problems import Problem, RenderError, Steps, follow, steps_to_text
from omec.compile.runner import complete_runner
from omec.compile.weights import Weights
from omec.compile.weights_pod import PodWeights, pod_weights

Role = Literal["default", "leader", "worker"]
"""What a pod is in its replica: the only one, or a part of several."""


class Pod(msgspec.Struct, frozen=True):
    """A rendered pod ``spec``.

    ``source`` is the part of the component that describes it, ``main`` the index of the container that is its runner
    (the first where there is no runner), ``model_volume`` that of the model's volume, ``None`` where it has none.
    """

    spec: Object
    source: Mapping[str, Any]
    main: int
    model_volume: int | None


def build_pod(inputs: ServiceInputs, component: Component, *, weights: Weights | None, accelerator: Accelerator) -> Pod:
    """The pod of ``component`` in a Deployment as OME sends it, its defaults filled in.

    A component with a leader gets the leader's pod. Raises :class:`RenderError`.
    """
    pod = compose_pod(inputs, component, "default", weights=weights, accelerator=accelerator)
    fill_deployment_defaults(pod.spec)
    return pod


def compose_pod(
    inputs: ServiceInputs, component: Component, role: Role, *, weights: Weights | None, accelerator: Accelerator
) -> Pod:
    """The pod of ``role``, nothing filled in that OME leaves to the API server. Raises :class:`RenderError`."""
    source: Mapping[str, Any] = component.spec
    if role == "worker":
        source = component.spec["worker"]
    elif component.spec.get("leader") is not None:
        source = component.spec["leader"]
    spec = {key: value for key, value in source.items() if key in POD_FIELDS.fields}
    seen = _weights_seen(inputs, component, weights)
    runner = source.get("runner")
    if runner is not None and component.name == "router":
        runner = _router_runner(runner, component.spec.get("config") or {})
    elif runner is not None:
        runner = complete_runner(runner, component, inputs, weights=seen, accelerator=accelerator)
    containers, main = _with_runner(component, spec.get("containers") or [], runner)
    containers[main] = _filled(inputs, component, containers[main])
    spec["containers"] = containers
    listed = spec.get("volumes") or []
    if seen.volumes:
        spec["volumes"] = seen.with_volumes(listed)
    if component.name == "router":
        spec["serviceAccountName"] = component_name(inputs.service.name, component.name)
    else:
        merged = spec.get("nodeSelector") or {}
        spec["nodeSelector"] = _node_selector(inputs, component, merged, weights, seen, accelerator)
        if (affinity := _affinity(component, spec.get("affinity"), accelerator)) is not None:
            spec["affinity"] = affinity
    spec = _sent(POD_SPEC.normalise(spec))
    return Pod(spec, source, main, len(listed) if seen.model_volume else None)


def _weights_seen(inputs: ServiceInputs, component: Component, weights: Weights | None) -> PodWeights:
    tuning = None if component.name == "router" else inputs.tuning
    overlays = [overlay for overlay in inputs.overlays if overlay.skipped is None]
    return pod_weights(weights, tuning, overlays, component_annotations(inputs, component.name, component.spec))


def _router_runner(runner: Mapping[str, Any], config: Mapping[str, str]) -> Object:
    """``runner`` with ``config`` as variables; one of a name that it has already is added again, and wins."""
    variables = [{"name": key, "value": value} for key, value in sorted(config.items())]
    return {**runner, "env": [*(runner.get("env") or ()), *variables]}


def _with_runner(component: Component, listed: list[Object], runner: Object | None) -> tuple[list[Object], int]:
    """``listed`` with the runner in the place of the container of its name, else at the end; and the runner's index."""
    if runner is None:
        if not listed:
            raise _no_container(component)
        return list(listed), 0
    for index, container in enumerate(listed):
        if container.get("name") == runner["name"]:
            merged = merge_parts(CONTAINER, runner, container, component.name)
            # The listed container wins, but for its arguments, which follow the runner's.
            merged["args"] = [*(runner.get("args") or ()), *(container.get("args") or ())]
            return [*listed[:index], merged, *listed[index + 1 :]], index
    return [*listed, runner], len(listed)


def _filled(inputs: ServiceInputs, component: Component, container: Object) -> Object:
    service = inputs.service
    subject = Subject(service.name, service.namespace, service.labels, service.annotations)
    try:
        return fill_placeholders(container, subject)
    except PlaceholderError as error:
        raise _bad_placeholder(component, container, error) from error


def _node_selector(
    inputs: ServiceInputs,
    component: Component,
    merged: Mapping[str, str],
    weights: Weights | None,
    seen: PodWeights,
    accelerator: Accelerator,
) -> dict[str, str]:
    """Where the pods may run: the component's wishes, nodes that have the model, then the overlays in OME's order."""
    selector = dict(merged)
    if seen.anywhere:
        return selector
    model = inputs.model
    if model is not None and (weights is None or weights.on_nodes):
        selector.setdefault(model_label_key(model.name, model.namespace), MODEL_READY)
    selector.update(inputs.runtime.spec.get("nodeSelector") or {})
    selector.update(accelerator.node_selector)
    selector.update(component.own.get("nodeSelector") or {})
    return selector


def _affinity(component: Component, merged: Object | None, accelerator: Accelerator) -> Object | None:
    """The merged affinity, with the node affinity of the class where neither service nor runtime gives one."""
    wanted = accelerator.node_affinity
    if wanted is None or component.own.get("affinity") is not None or (merged or {}).get("nodeAffinity") is not None:
        return merged
    return {**(merged or {}), "nodeAffinity": wanted}


def _sent(value: Any) -> Any:
    """``value`` without nulls and without empty resources, which say nothing."""
    if isinstance(value, dict):
        return {k: _sent(v) for k, v in value.items() if v is not None and not (k == "resources" and v == {})}
    return [_sent(item) for item in value] if isinstance(value, list) else value


def fill_deployment_defaults(pod: Object) -> None:
    """Fill in what OME writes into the pods of a Deployment: they get a readiness probe as well."""
    fill_pod_defaults(pod)
    for container in pod["containers"]:
        if container["name"] == DEFAULT_CONTAINER:
            container.setdefault("readinessProbe", _default_probe(container))


def fill_pod_defaults(pod: Object) -> None:
    """Fill in what OME writes into every pod."""
    pod.setdefault("dnsPolicy", "ClusterFirst")
    pod.setdefault("restartPolicy", "Always")
    pod.setdefault("schedulerName", "default-scheduler")
    pod.setdefault("securityContext", {})
    pod.setdefault("terminationGracePeriodSeconds", 30)
    for container in pod["containers"]:
        container.setdefault("imagePullPolicy", "IfNotPresent")
        container.setdefault("terminationMessagePath", "/dev/termination-log")
        container.setdefault("terminationMessagePolicy", "File")


def _default_probe(container: Object) -> Object:
    ports = container.get("ports")
    return {
        "tcpSocket": {"port": ports[0]["containerPort"] if ports else DEFAULT_PORT},
        "timeoutSeconds": 1,
        "periodSeconds": 10,
        "successThreshold": 1,
        "failureThreshold": 3,
    }


def _no_container(component: Component) -> RenderError:
    message = "no containers found in pod spec and no runner spec provided"
    help_ = (
        f"give spec.{component.name} a runner with an image, or use a runtime with {component.name}Config; "
        f"without {component.name} in the InferenceService the component is not created"
    )
    return RenderError(Problem(rules.NO_CONTAINER, message, component.place(), help_))


def _bad_placeholder(component: Component, container: Object, error: PlaceholderError) -> RenderError:
    steps: Steps = ()
    for part in (component.own, component.config):
        for prefix in ("runner",), ("leader", "runner"), ("containers", ("name", container["name"])):
            steps = steps or _steps_below(part, prefix, error.text)
    help_ = "write a literal {{ as {{`{{`}}, and read a label with {{.Labels.KEY}} or {{index .Labels `KEY`}}"
    return RenderError(Problem(rules.PLACEHOLDER, error.message, component.place(*steps), help_))


def _steps_below(part: Mapping[str, Any], prefix: Steps, text: str) -> Steps:
    """The way to the string ``text`` below ``prefix``, ``()`` where it is not there."""
    path = follow(part, prefix)
    if path is None or not text:
        return ()
    below: Any = part
    for key in path:
        below = below[key]
    rest = steps_to_text(below, text)
    return () if rest is None else (*prefix, *rest)
