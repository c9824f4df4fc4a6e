"""``pin-without-revision``: a runtime that is pinned to whatever it is at first."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME977",
    "pin-without-revision",
    Severity.INFO,
    "An InferenceService pins its runtime without naming a revision",
    why=(
        "OME pins the revision that is live when it first sees the service. Nothing in the repository says which one, "
        "and a service that is created anew gets another."
    ),
    fix="Set `spec.runtime.revision`.",
    source="OME docs: concepts/runtimes/runtime-inheritance",
    bad="runtime: {name: three, autoSync: false}\nengine: {}\n",
    good="runtime: {name: three, autoSync: false, revision: cr-three-0a1b2c3d}\nengine: {}\n",
)


def check(context: Context) -> Iterator[Fault]:
    for service in context.services:
        runtime = service.spec.get("runtime") or {}
        if runtime.get("autoSync") is False and not runtime.get("revision"):
            message = f"autoSync: false pins {runtime.get('name')} at whatever it is when OME first sees the service"
            yield Fault(service, ("spec", "runtime", "autoSync"), message)
