"""``component-replicas-above-limit``: a component that can have more replicas than the policy allows."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import FieldPath, Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.policies.sizes import sizes
from omec.lint.rules.policies.stated import policy_of, stated
from omec.repo.settings_policy import Limit

RULE = Rule(
    "OME938",
    "component-replicas-above-limit",
    Severity.ERROR,
    "An engine, decoder or router can have more replicas than the policy allows",
    why="Autoscalers go up to maxReplicas when there is load, whatever that costs.",
    fix="Lower maxReplicas, or raise the limit.",
    source="docs/linting.md#team-policies",
    bad="""\
engine: {minReplicas: 1, maxReplicas: 9}
""",
    good="""\
engine: {minReplicas: 1, maxReplicas: 2}
""",
)


def check(context: Context) -> Iterator[Fault]:
    for index, limit in enumerate(policy_of(context).limits):
        most = limit.max_replicas_per_component
        if most is not None:
            yield from stated(context, _faults(context, limit, most), "limits", index, "max-replicas-per-component")


def _faults(context: Context, limit: Limit, most: int) -> Iterator[Fault]:
    for found in sizes(context, limit).values():
        for size in found:
            if size.replicas > most:
                own = size.service.body["spec"].get(size.component) or {}
                field: FieldPath = ("spec", size.component, *(["maxReplicas"] if "maxReplicas" in own else []))
                message = f"the {size.component} can have {size.replicas} replicas, and the policy allows {most}"
                yield Fault(size.service, field, message, key=len(field) == 2)
