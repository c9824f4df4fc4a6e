"""``forbidden-field``: a field that the policy does not let manifests set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omec.api.kinds import KINDS, RUNTIME_KINDS
from omec.catalog import Resource
from omec.finding import FieldPath, Related, Rule, Severity, field_text
from omec.lint.context import Context, Fault
from omec.lint.rules.policies.stated import policy_of, resources, stated
from omec.repo.settings_policy import ForbiddenField

RULE = Rule(
    "OME934",
    "forbidden-field",
    Severity.ERROR,
    "A manifest sets a field that the policy forbids",
    why="The policy says why in its reason; what it forbids is usually reserved for the platform team.",
    fix="Remove the field, or change the policy.",
    source="docs/linting.md#team-policies",
    bad="""\
engine: {minReplicas: 1, hostNetwork: true}
""",
    good="""\
engine: {minReplicas: 1}
""",
)


def check(context: Context) -> Iterator[Fault]:
    for index, forbidden in enumerate(policy_of(context).forbidden_fields):
        yield from stated(context, _faults(context, forbidden), "forbidden-fields", index, "path")


def _faults(context: Context, forbidden: ForbiddenField) -> Iterator[Fault]:
    kinds = forbidden.kinds or tuple(KINDS)
    for resource in resources(context, *kinds):
        for path in _set(resource.body, forbidden):
            yield _fault(resource, path, forbidden)
        if resource.kind in RUNTIME_KINDS:
            yield from _inherited(context, resource, kinds, forbidden)


def _inherited(
    context: Context, runtime: Resource, kinds: tuple[str, ...], forbidden: ForbiddenField
) -> Iterator[Fault]:
    """What ``runtime`` gets from parents that are not judged themselves, and does not override."""
    chain = context.chains.chain(runtime)
    effective = {"spec": chain.spec}
    for parent in chain.runtimes:
        if parent is runtime or (parent.kind in kinds and not parent.context):
            continue
        for path in _set(parent.body, forbidden):
            if _value(effective, path) != _value(parent.body, path):
                continue
            if parent.context:  # nothing is said about the manifests of other catalogs
                yield Fault(runtime, ("metadata", "name"), f"{_message(path, forbidden)} ({parent.ref})")
            else:
                child = Related(runtime.locate(("metadata", "name")), f"via child {runtime.ref}")
                yield _fault(parent, path, forbidden, (child,))


def _fault(resource: Resource, path: FieldPath, forbidden: ForbiddenField, related: tuple[Related, ...] = ()) -> Fault:
    return Fault(resource, path, _message(path, forbidden), related=related, key=isinstance(path[-1], str))


def _message(path: FieldPath, forbidden: ForbiddenField) -> str:
    value = f" = {', '.join(map(_shown, forbidden.values))}" if forbidden.values else ""
    reason = f": {forbidden.reason.rstrip('.')}" if forbidden.reason else ""
    return f"the policy forbids {field_text(path)}{value}{reason}"


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _set(body: Any, forbidden: ForbiddenField) -> Iterator[FieldPath]:
    """The places below ``body`` that set the field to what is forbidden."""
    for path in _places(body, forbidden.path, ()):
        value = _value(body, path)
        if value is not None and (not forbidden.values or any(_same(value, other) for other in forbidden.values)):
            yield path


def _same(value: Any, other: Any) -> bool:
    """Equal, where true is not 1."""
    return bool(value == other) and isinstance(value, bool) is isinstance(other, bool)


def _places(value: Any, steps: tuple[str, ...], path: FieldPath) -> Iterator[FieldPath]:
    if not steps:
        yield path
        return
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict):
        for key in value if step == "*" else (step,):
            if key in value:
                yield from _places(value[key], rest, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if step in ("*", str(index)) or (isinstance(item, dict) and item.get("name") == step):
                yield from _places(item, rest, (*path, index))


def _value(body: Any, path: FieldPath) -> Any:
    for step in path:
        try:
            body = body[step]
        except (KeyError, IndexError, TypeError):
            return None
    return body
