"""``namespace-gpus-above-limit``: a namespace whose services can have more GPUs than the policy allows."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.policies.sizes import Measure, above
from omec.lint.rules.policies.stated import policy_of, stated

RULE = Rule(
    "OME936",
    "namespace-gpus-above-limit",
    Severity.ERROR,
    "The services of a namespace can have more GPUs together than the policy allows",
    why=(
        "Autoscalers go up to maxReplicas when there is load: then the namespace takes what belongs to "
        "others, or its pods stay pending."
    ),
    fix="Lower maxReplicas of a service, or raise the limit.",
    source="docs/linting.md#team-policies",
    bad="""\
engine: {minReplicas: 1, maxReplicas: 9}
""",
    good="""\
engine: {minReplicas: 1, maxReplicas: 2}
""",
)

_MEASURE = Measure("GPUs", lambda size: size.replicas * size.gpus, lambda size: f"{size.replicas}*{size.gpus}")


def check(context: Context) -> Iterator[Fault]:
    for index, limit in enumerate(policy_of(context).limits):
        most = limit.max_gpus
        if most is not None:
            yield from stated(context, above(context, limit, most, _MEASURE), "limits", index, "max-gpus")
