"""Rules that compare objects with others which they do not name, and edits that leave these rules as they are.

All other rules say something about an object for what is in it, and in objects that name it or that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from omec.api.kinds import MODEL_KINDS, RUNTIME_KINDS
from omec.catalog import Resource
from omec.compile.names import COMPONENTS
from omec.resolve.match import RuntimeMatcher, selection_part

JOINS: Mapping[str, str] = {
    "OME180": "identities",
    "OME340": "runtimes as candidates",
    "OME341": "runtimes as candidates",
    "OME342": "runtimes as candidates",
    "OME368": "the storage of models",
    "OME553": "the annotations of services",
    "OME983": "the components of services",
}
"""The rules by code, each with what it compares: :func:`is_local` is true of no edit that changes that."""

COUNTING = "OME553"
"""The rule that counts all services, but for those that have an error by themselves."""

READ_BY_ALL = frozenset({"AcceleratorQuota", "InferenceReplica"})
"""Kinds whose objects are judged by all services, whatever these name."""


def is_local(before: Resource, after: Resource) -> bool:
    """Whether an edit of an object is one that nobody notices but objects that it names or that name it."""
    if before.kind in RUNTIME_KINDS:
        same = selection_part(before.spec) == selection_part(after.spec)
        return same and before.body.get("metadata") == after.body.get("metadata")
    if before.kind in MODEL_KINDS:
        return _spec(before).get("storage") == _spec(after).get("storage")
    if before.kind != "InferenceService":
        return False
    if before.annotations != after.annotations:
        return False
    parts = [[isinstance(each.spec.get(name), dict) for name in COMPONENTS] for each in (before, after)]
    return parts[0] == parts[1] and not any("replicaRefs" in _spec(each) for each in (before, after))


def stands_alone(resource: Resource, is_defined: Callable[[str], object]) -> bool:
    """Whether no rule of :data:`JOINS` compares the object with another one, be it in order or not.

    These rules pass over objects that have an error by themselves. ``is_defined`` tells whether some object has a name.
    """
    if resource.kind in RUNTIME_KINDS:
        matcher = RuntimeMatcher(resource, resource.spec)
        return matcher.disabled or not matcher.auto_select
    if resource.kind == "InferenceService":
        suffixes = [f"-{part}{more}" for part in COMPONENTS for more in ("", "-headless")]
        return not any(resource.name.endswith(end) or is_defined(resource.name + end) for end in suffixes)
    return False


def reads_runtimes(accelerator_class: Resource) -> bool:
    """Whether something is said of an AcceleratorClass that depends on what runtimes ask for which list it."""
    resources = _spec(accelerator_class).get("resources")
    listed = resources if isinstance(resources, list) else []
    return any(not isinstance(item, dict) or item.get("quantity") is None for item in listed)


def _spec(resource: Resource) -> Mapping[str, Any]:
    spec = resource.body.get("spec")
    return spec if isinstance(spec, dict) else {}
