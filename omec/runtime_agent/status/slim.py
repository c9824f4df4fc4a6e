"""Objects without what the status role never reads: a cluster has thousands of them, and memory is a promise.

A pod is a few hundred bytes then instead of ten thousand; ``managedFields`` alone are often half of an object.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Object = dict[str, Any]

_METADATA = (
    "name",
    "namespace",
    "uid",
    "generation",
    "resourceVersion",
    "labels",
    "annotations",
    "finalizers",
    "deletionTimestamp",
)
_CONTAINER = ("name", "state", "lastState")
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def whole(obj: Mapping[str, Any]) -> Object:
    """Spec and status complete, for models, runtimes and services."""
    return _identified(obj) | {part: obj[part] for part in ("spec", "status") if part in obj}


def workload(obj: Mapping[str, Any]) -> Object:
    """The replicas and the status."""
    spec = obj.get("spec") or {}
    return _identified(obj) | {"spec": _some(spec, ("replicas",)), "status": obj.get("status") or {}}


def door(obj: Mapping[str, Any]) -> Object:
    """A Service, an Ingress or an HTTPRoute."""
    return whole(obj)


def pod(obj: Mapping[str, Any]) -> Object:
    """The states of the containers."""
    status = obj.get("status") or {}
    states = {
        part: [_some(each, _CONTAINER) for each in status[part]]
        for part in ("initContainerStatuses", "containerStatuses")
        if status.get(part)
    }
    return _identified(obj) | {"status": states}


def _identified(obj: Mapping[str, Any]) -> Object:
    metadata = _some(obj["metadata"], _METADATA)
    if _LAST_APPLIED in (metadata.get("annotations") or {}):
        metadata["annotations"] = {key: text for key, text in metadata["annotations"].items() if key != _LAST_APPLIED}
    return {"apiVersion": obj.get("apiVersion", ""), "kind": obj["kind"], "metadata": metadata}


def _some(values: Mapping[str, Any], names: tuple[str, ...]) -> Object:
    return {name: values[name] for name in names if name in values}
