"""From a field of a rendered object back to the input that says it.

What is wrong with an object is told at the line to change, which is in the InferenceService, its runtime or its model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.api.shapes import POD_SPEC, ListOf, MapOf, Shape, Struct
from omec.compile.admission.names import labels as label_refusals
from omec.compile.components import Component
from omec.compile.inputs import Object
from omec.compile.metadata import GENERATED
from omec.compile.pod import Pod
from omec.compile.problems import Origin, Place, Steps
from omec.finding import FieldPath

_TEMPLATE: FieldPath = ("spec", "template")
_SERVICE_NAME = Place(Origin.SERVICE, ("metadata", "name"))


def place_of(body: Object, path: FieldPath, component: Component | None, pod: Pod | None) -> Place:
    """The place of the field at ``path`` of ``body``, an object of ``component`` with ``pod``.

    Where nothing that is written says it, the name of the service.
    """
    if component is None or pod is None:
        return _SERVICE_NAME
    path = path[2:] if path[:2] == _TEMPLATE else path
    match path:
        case ("metadata", "labels" | "annotations" as field, *key):
            values = body["metadata"].get(field) or {}
            return _metadata_place(component, field, key[0] if key else refused_label(values))
        case ("spec", "strategy", *rest):
            return component.place("deploymentStrategy", *rest)
        case ("spec", "replicas"):
            return component.place("minReplicas")
        case ("spec", "ports", int(index), *_) if body["kind"] == "Service":
            return _pod_place(component, pod, ("containers", 0, "ports", index))
        case ("spec", str(field), *_) if field in POD_SPEC.fields and body["kind"] == "Deployment":
            return _pod_place(component, pod, path[1:])
    return _SERVICE_NAME


def _metadata_place(component: Component, field: str, key: str | int | None) -> Place:
    """The place of a label or annotation: of what it is made from, of the component's own, else of the service's."""
    if key is None:
        return _SERVICE_NAME
    if key in GENERATED:
        return GENERATED[str(key)]
    if key in (component.spec.get(field) or {}):
        return component.place(field, key)
    return Place(Origin.SERVICE, ("metadata", field, key))


def refused_label(values: Mapping[str, str]) -> str | None:
    """The API server names the value of a refused label, not its key."""
    return next((key for key, value in values.items() if any(label_refusals({key: value}, ()))), None)


def _pod_place(component: Component, pod: Pod, path: FieldPath) -> Place:
    if path[:2] == ("volumes", pod.model_volume):
        is_name = path[2:] == ("name",)
        return Place(Origin.MODEL, ("metadata", "name") if is_name else ("spec", "storage"))
    steps = keyed_steps(POD_SPEC, pod.spec, path)
    prefix: Steps = ("leader",) if component.spec.get("leader") is not None else ()
    if path[:2] == ("containers", pod.main) and pod.source.get("runner") is not None:
        return component.place(*prefix, "runner", *steps[2:])
    return component.place(*prefix, *steps)


def keyed_steps(shape: Shape | None, value: Any, path: FieldPath) -> Steps:
    """``path`` with the items of keyed lists named by their keys, as the manifests may list them in another order."""
    steps: list[Any] = []
    for key in path:
        if isinstance(shape, ListOf) and shape.key is not None and isinstance(key, int) and key < len(value):
            steps.append((shape.key, value[key].get(shape.key)))
        else:
            steps.append(key)
        shape = _below(shape, key)
        exists = key in value if isinstance(value, dict) else isinstance(key, int) and key < len(value)
        value = value[key] if exists else {}
    return tuple(steps)


def _below(shape: Shape | None, key: str | int) -> Shape | None:
    if isinstance(shape, Struct):
        return shape.shapes.get(str(key))
    if isinstance(shape, MapOf):
        return shape.value
    return shape.item if isinstance(shape, ListOf) else None
