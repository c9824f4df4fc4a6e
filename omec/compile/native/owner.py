"""Owner references of an InferenceReplica, as OME reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from omec.api.kinds import GROUP


class ControllerRef(msgspec.Struct, frozen=True):
    """The owner reference that says who controls an object."""

    api_version: str
    kind: str
    name: str
    uid: str


def controller_ref(obj: Mapping[str, Any]) -> ControllerRef | None:
    """The controller of ``obj``: the first owner reference that claims to be it."""
    for owner in obj["metadata"].get("ownerReferences") or ():
        if owner.get("controller") is True:
            return ControllerRef(*(owner.get(field, "") for field in ("apiVersion", "kind", "name", "uid")))
    return None


def projecting_service(replica: Mapping[str, Any]) -> str | None:
    """The InferenceService that controls ``replica``; the version of its API does not matter."""
    owner = controller_ref(replica)
    if owner is None or owner.kind != "InferenceService":
        return None
    match owner.api_version.split("/"):
        case [group, _] if group == GROUP:
            return owner.name
        case _:
            return None
