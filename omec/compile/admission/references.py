"""Rules on references from a pod to its own fields and resources (the downward API)."""

from __future__ import annotations

import re

from omec.api.quantity import parse
from omec.compile.admission.fielderror import Object, Refusals, invalid, not_empty, unsupported
from omec.compile.admission.names import qualified_name
from omec.finding import FieldPath

_MAP_FIELDS = ("metadata.annotations", "metadata.labels")
_OF_METADATA = ("metadata.name", "metadata.namespace", "metadata.uid")
FILE_FIELDS = tuple(sorted((*_MAP_FIELDS, *_OF_METADATA)))
ENVIRONMENT_FIELDS = (
    *_OF_METADATA,
    *("spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"),
)
_KNOWN_FIELDS = {
    *(*FILE_FIELDS, *ENVIRONMENT_FIELDS),
    *("spec.host", "spec.restartPolicy", "spec.schedulerName", "status.phase", "status.nominatedNodeName"),
}
"""What the API server knows a field of a pod by, whether it may be used or not."""

_AMOUNTS = ("cpu", "ephemeral-storage", "memory")
_RESOURCES = tuple(f"{kind}.{name}" for kind in ("limits", "requests") for name in _AMOUNTS)
_HUGE_PAGES = ("limits.hugepages-", "requests.hugepages-")
_CPU_DIVISORS = ("1m", "1")
_BYTE_DIVISORS = ("1", *(f"1{unit}" for unit in "kMGTPE"), *(f"1{unit}i" for unit in "KMGTPE"))


def field_reference(reference: Object, path: FieldPath, supported: tuple[str, ...]) -> Refusals:
    """A ``fieldRef``, for which ``supported`` fields, labels and annotations may be named."""
    field, version = reference["fieldPath"], reference.get("apiVersion") or "v1"
    at = (*path, "fieldPath")
    yield from not_empty(reference, path, ("fieldPath",))
    if entry := re.fullmatch(r"(.*)\['([^']*)'\]", field):
        if entry[1] not in _MAP_FIELDS:
            yield invalid(path, entry[1], "does not support subscript")
            return
        yield from qualified_name(entry[2] if entry[1] == "metadata.labels" else entry[2].lower(), path)
    elif version != "v1":
        yield invalid(at, field, f"error converting fieldPath: unsupported pod version: {version}")
    elif field and field not in _KNOWN_FIELDS:
        yield invalid(at, field, f"error converting fieldPath: field label not supported: {field}")
    elif field and field not in supported:
        yield unsupported(at, field, supported)


def resource_reference(reference: Object, path: FieldPath) -> Refusals:
    """A ``resourceFieldRef``."""
    resource, divisor = reference["resource"], parse(str(reference.get("divisor", "0")))
    yield from not_empty(reference, path, ("resource",))
    if not resource:
        return
    if resource not in _RESOURCES and not resource.startswith(_HUGE_PAGES):
        yield unsupported((*path, "resource"), resource, _RESOURCES)
    allowed = _CPU_DIVISORS if resource.endswith(".cpu") else _BYTE_DIVISORS
    if divisor.value and str(divisor) not in allowed:
        *most, last = allowed
        values = f"{', '.join(most)} and {last}" if len(allowed) == 2 else ", ".join(allowed)
        yield invalid((*path, "divisor"), resource, f"only divisor's values {values} are supported with the")
