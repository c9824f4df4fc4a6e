"""``merged-recreate-with-rolling``: a strategy of one kind with the settings of another."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME222",
    "merged-recreate-with-rolling",
    Severity.ERROR,
    "A deploymentStrategy of type Recreate has a rollingUpdate",
    why=(
        "The strategy is merged field by field: a child or a service that writes `type: Recreate` keeps the "
        "`rollingUpdate` of its parent. The API server refuses the Deployment."
    ),
    fix="Remove rollingUpdate from the parent, or keep the type RollingUpdate.",
    source="reference 02 §10; reference 04 §12.1",
    bad="""\
engineConfig:
  deploymentStrategy: {type: Recreate}
""",
    good="""\
engineConfig:
  deploymentStrategy: {type: RollingUpdate}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    strategy = pod.whole.get("deploymentStrategy")
    if strategy and strategy.get("type") == "Recreate" and strategy.get("rollingUpdate") is not None:
        at = pod.written("deploymentStrategy", "type")
        message = f"the deploymentStrategy of the {pod.name} is Recreate and has a rollingUpdate"
        yield pod.fault(at, message, causes=[pod.written("deploymentStrategy", "rollingUpdate")])
