"""What of an object omec's agent wrote, by the API server's own record: ``metadata.managedFields``.

OME's agent sets the same labels and finalizers. Only the record tells whose they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Object = Mapping[str, Any]

MANAGERS = "omec-agent"
"""The names of the field managers of all roles begin like this."""


def owned_labels(obj: Object) -> list[str]:
    """The labels of ``obj`` that the agent set."""
    return sorted({key.removeprefix("f:") for key in _below(obj, "f:labels") if key.startswith("f:")})


def owned_finalizers(obj: Object) -> list[str]:
    """The finalizers of ``obj`` that the agent added."""
    return sorted({json.loads(key.removeprefix("v:")) for key in _below(obj, "f:finalizers") if key.startswith("v:")})


def owns_data(obj: Object) -> bool:
    """Whether the agent wrote any of the ``data`` of a ConfigMap."""
    return any("f:data" in fields for fields in _entries(obj))


def _below(obj: Object, part: str) -> Iterator[str]:
    for fields in _entries(obj):
        yield from (fields.get("f:metadata") or {}).get(part) or {}


def _entries(obj: Object) -> Iterator[Mapping[str, Any]]:
    for entry in obj["metadata"].get("managedFields") or ():
        if str(entry.get("manager", "")).startswith(MANAGERS):
            yield entry.get("fieldsV1") or {}
