"""``accelerator-class-not-allowed``: an accelerator class that the policy does not list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omec.finding import FieldPath, Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.policies.stated import any_fits, policy_of, stated

RULE = Rule(
    "OME935",
    "accelerator-class-not-allowed",
    Severity.ERROR,
    "A manifest asks for an accelerator class that the policy does not allow",
    why="The hardware is reserved, or too expensive for what the repository serves.",
    fix="Name one of `allowed-accelerator-classes`.",
    source="docs/linting.md#team-policies",
    bad="""\
acceleratorSelector: {acceleratorClass: nvidia-b200}
""",
    good="""\
acceleratorSelector: {acceleratorClass: nvidia-h100}
""",
)


def check(context: Context) -> Iterator[Fault]:
    allowed = policy_of(context).allowed_accelerator_classes
    if allowed:
        faults = (*_named(context, allowed), *_chosen(context, allowed))
        yield from stated(context, faults, "allowed-accelerator-classes")


def _named(context: Context, allowed: tuple[str, ...]) -> Iterator[Fault]:
    """The classes that a manifest names."""
    for resource in (*context.services, *context.runtimes):
        for path, name in _names(resource.body.get("spec"), ("spec",)):
            if not any_fits(allowed, name):
                yield Fault(resource, path, f"accelerator class {name} is none of {', '.join(allowed)}")


def _chosen(context: Context, allowed: tuple[str, ...]) -> Iterator[Fault]:
    """The classes that OME chooses for a service, without that the service names them."""
    for pod in context.pods:
        use, name = pod.origin.use, pod.origin.accelerator.name
        if use is None or not name or any_fits(allowed, name):
            continue
        if name not in [named for _, named in _names(use.service.body.get("spec"), ())]:
            message = f"the {pod.name} gets accelerator class {name}, which is none of {', '.join(allowed)}"
            yield Fault(use.service, ("spec", pod.name), message, key=True)


def _names(value: Any, path: FieldPath) -> Iterator[tuple[FieldPath, str]]:
    """Where a spec names classes: ``acceleratorClass: x``, ``acceleratorClasses: [x, y]``."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "acceleratorClass" and isinstance(item, str):
                yield (*path, key), item
            elif key == "acceleratorClasses" and isinstance(item, list):
                yield from (((*path, key, index), name) for index, name in enumerate(item) if isinstance(name, str))
            else:
                yield from _names(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _names(item, (*path, index))
