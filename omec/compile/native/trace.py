"""From a field of an InferenceReplica or LeaderWorkerSet back to the input that says it.

Like :mod:`omec.compile.trace` for Deployments, for objects with a pod template for each role.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.api.shapes import POD_SPEC
from omec.compile.components import Component
from omec.compile.metadata import GENERATED
from omec.compile.native.projection import HISTORY_LIMIT_ANNOTATION, PAUSED_ANNOTATION
from omec.compile.native.topology import FIELDS as TOPOLOGY
from omec.compile.pod import Pod, Role
from omec.compile.problems import Origin, Place, Steps
from omec.compile.trace import keyed_steps, refused_label
from omec.finding import FieldPath

_SERVICE_NAME = Place(Origin.SERVICE, ("metadata", "name"))
_ANNOTATED = {
    "paused": PAUSED_ANNOTATION,
    "pauseMode": PAUSED_ANNOTATION,
    "revisionHistoryLimit": HISTORY_LIMIT_ANNOTATION,
}
_TEMPLATES: dict[str, Role] = {"leaderTemplate": "leader", "workerTemplate": "worker"}


def native_place(body: Mapping[str, Any], path: FieldPath, component: Component, pods: Mapping[Role, Pod]) -> Place:
    """The place of the field at ``path`` of ``body``, a replica, set or Service of ``component`` with ``pods``."""
    match path:
        case ("metadata", "labels" | "annotations" as field, *key):
            return _metadata_place(component, str(field), key, body["metadata"])
        case ("spec", "runners", int(index), "template", *rest) if index < len(pods):
            role = list(pods)[index]
            return _template_place(component, role, pods[role], tuple(rest), body["spec"]["runners"][index]["template"])
        case ("spec", "leaderWorkerTemplate", "leaderTemplate" | "workerTemplate" as name, *rest):
            role = _TEMPLATES[str(name)]
            template = body["spec"]["leaderWorkerTemplate"][name]
            return _template_place(component, role, pods[role], tuple(rest), template)
        case ("spec", "ports", int(index), *_) if body["kind"] == "Service":
            role, pod = next(iter(pods.items()))
            return _pod_place(component, role, pod, ("containers", 0, "ports", index))
        case ("spec", *rest):
            return _spec_place(component, tuple(rest))
    return _SERVICE_NAME


def _spec_place(component: Component, path: FieldPath) -> Place:
    match path:
        case ("replicas", *_):
            return component.place("minReplicas")
        case ("minReadySeconds", *_):
            return component.place("lifecycle", "minReadySeconds")
        case ("lifecycle" | "autoscaler", *_):
            return component.place(*path)
        case (str(field), *_) if field in TOPOLOGY:
            return component.place(field)
        case (str(field), *_) if field in _ANNOTATED:
            return Place(Origin.SERVICE, ("metadata", "annotations", _ANNOTATED[field]))
        case ("pairingProtocol", *_):
            return Place(Origin.SERVICE, ("spec", "rollout", "pairingProtocol"))
        case ("runners", int(), "size") | ("leaderWorkerTemplate", "size"):
            return component.place("worker", "size")
        case ("leaderWorkerTemplate", "restartPolicy"):
            return component.place("lifecycle", "restartPolicy")
        case ("rolloutStrategy", *_):
            return component.place("lifecycle", "updateStrategy", "rollingUpdate")
    return _SERVICE_NAME


def _template_place(component: Component, role: Role, pod: Pod, path: FieldPath, template: Mapping[str, Any]) -> Place:
    match path:
        case ("metadata", "labels" | "annotations" as field, *key):
            return _metadata_place(component, str(field), key, template["metadata"])
        case ("spec", *rest):
            return _pod_place(component, role, pod, tuple(rest))
    return _SERVICE_NAME


def _metadata_place(component: Component, field: str, key: list[str | int], metadata: Mapping[str, Any]) -> Place:
    """The place of a label or annotation: of what it is made from, of the component's own, else of the service's."""
    name = key[0] if key else refused_label(metadata.get(field) or {})
    if name is None:
        return _SERVICE_NAME
    if name in GENERATED:
        return GENERATED[str(name)]
    if name in (component.spec.get(field) or {}):
        return component.place(field, name)
    return Place(Origin.SERVICE, ("metadata", field, name))


def _pod_place(component: Component, role: Role, pod: Pod, path: FieldPath) -> Place:
    if pod.model_volume is not None and path[:2] == ("volumes", pod.model_volume):
        is_name = path[2:] == ("name",)
        return Place(Origin.MODEL, ("metadata", "name") if is_name else ("spec", "storage"))
    steps = keyed_steps(POD_SPEC, pod.spec, path)
    prefix: Steps = () if role == "default" else (role,)
    if path[:2] == ("containers", pod.main) and pod.source.get("runner") is not None:
        return component.place(*prefix, "runner", *steps[2:])
    return _inherited(component, prefix, steps)


def _inherited(component: Component, prefix: Steps, steps: Steps) -> Place:
    """The pod field below the role's own part, or below the component, from which the roles inherit."""
    place = component.place(*prefix, *steps)
    shared = component.place(*steps)
    return shared if prefix and len(shared.steps) + len(prefix) > len(place.steps) else place
