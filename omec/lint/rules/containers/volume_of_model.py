"""``volume-of-the-model``: a volume that has the name of the one that OME adds."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME434",
    "volume-of-the-model",
    Severity.ERROR,
    "A component declares a volume with the name of its model",
    why=(
        "OME adds a volume of that name with the files of the model. The pod would have two volumes of one name, which "
        "the API server refuses."
    ),
    fix="Call the volume otherwise, or leave it out: OME mounts the model by itself.",
    source="reference 04 §10 and §22",
    bad="volumes: [{name: llama, emptyDir: {}}]\n",
    good="volumes: [{name: scratch, emptyDir: {}}]\n",
)


def check(context: Context) -> Iterator[Fault]:
    for use in context.uses:
        storage = {} if use.model is None else use.model.spec.get("storage") or {}
        if use.model is None or not (storage.get("path") or str(storage.get("storageUri")).startswith("pvc://")):
            continue
        name = use.model.name
        for pod in context.pods_of(use):
            if pod.is_engine and name in pod.volumes:
                user = Related(use.service.locate(("metadata", "name")), f"used by {use.service.ref}")
                written = pod.written("volumes", ("name", name), "name")
                message = f"the {pod.name} declares volume {name}, and OME adds one of that name for the model"
                yield Fault(written.resource, written.path, message, related=(user,))
