"""What a change of a model means for its copy on this node (reference 07 §7.2)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from omec.runtime_agent.node.eligibility import NodeIdentity, is_eligible

Model = Mapping[str, Any]

_PLACEMENT = ("nodeSelector", "nodeAffinity", "downloadPolicy")
"""Fields of ``spec.storage`` whose change alone does not make a copy stale."""

_DEFAULT_POLICY = "AlwaysDownload"
_TENSORRT = "tensorrtllm"


class Action(Enum):
    """What the agent does with its copy of a model."""

    NONE = "none"
    DOWNLOAD = "download"
    REPROCESS = "reprocess"
    DELETE = "delete"


def action_for(old: Model, new: Model, node: NodeIdentity) -> Action:
    """What the change from ``old`` to ``new`` asks of ``node``."""
    before, after = is_eligible(_storage(old), node), is_eligible(_storage(new), node)
    if new["metadata"].get("deletionTimestamp") or (before and not after):
        return Action.DELETE if before else Action.NONE
    if not after:
        return Action.NONE
    if not before:
        return Action.DOWNLOAD
    return Action.REPROCESS if _is_stale(old, new) else Action.NONE


def same_files(old: Model, new: Model) -> bool:
    """Whether both ask for the same files in the same place, whatever else differs."""
    return _files(old) == _files(new)


def _files(model: Model) -> tuple[Any, ...]:
    storage = _storage(model) or {}
    return _content(storage), storage.get("downloadPolicy") or _DEFAULT_POLICY, _variant(model)


def _is_stale(old: Model, new: Model) -> bool:
    if any(
        (old["metadata"].get(name) or {}) != (new["metadata"].get(name) or {}) for name in ("labels", "annotations")
    ):
        return True
    was, now = _storage(old) or {}, _storage(new) or {}
    if _content(was) != _content(now):
        return True
    policies = [each.get("downloadPolicy") or _DEFAULT_POLICY for each in (was, now)]
    if policies[0] != policies[1] and str(now.get("storageUri") or "").startswith("hf://"):
        return True
    return _variant(old) != _variant(new)


def _content(storage: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in storage.items() if key not in _PLACEMENT}


def _variant(model: Model) -> tuple[bool, str | None]:
    """Whether a TensorRT-LLM engine is wanted, and of which type: its files depend on the node's GPUs."""
    spec = model.get("spec") or {}
    if (spec.get("modelFormat") or {}).get("name") != _TENSORRT:
        return False, None
    return True, (spec.get("additionalMetadata") or {}).get("type")


def _storage(model: Model) -> Mapping[str, Any] | None:
    storage: Mapping[str, Any] | None = (model.get("spec") or {}).get("storage")
    return storage
