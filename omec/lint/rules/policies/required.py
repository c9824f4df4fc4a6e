"""Labels and annotations that the policy asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from omec.api.kinds import KINDS
from omec.catalog import Resource
from omec.finding import FieldPath
from omec.lint.context import Context, Fault
from omec.lint.rules.policies.stated import resources, stated
from omec.repo.settings_policy import EVERY_KIND


def missing(context: Context, what: str, required: Mapping[str, tuple[str, ...]]) -> Iterator[Fault]:
    """A fault for every object that lacks a key of ``required`` (by kind) below ``metadata.<what>``."""
    for kind, keys in required.items():
        judged = resources(context, *(KINDS if kind == EVERY_KIND else (kind,)))
        faults = (fault for resource in judged for fault in _faults(resource, what, keys))
        yield from stated(context, faults, f"required-{what}", kind)


def _faults(resource: Resource, what: str, keys: tuple[str, ...]) -> Iterator[Fault]:
    given = resource.labels if what == "labels" else resource.annotations
    absent = [key for key in keys if given.get(key) in (None, "")]
    if absent:
        field: FieldPath = ("metadata", what if given else "name")
        one = what if len(absent) > 1 else what.removesuffix("s")
        yield Fault(resource, field, f"{resource.ref} lacks the {one} {', '.join(absent)}", key=bool(given))
