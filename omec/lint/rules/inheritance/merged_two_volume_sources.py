"""``merged-two-volume-sources``: a volume that is two things at once."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.alternatives import two_of
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME213",
    "merged-two-volume-sources",
    Severity.ERROR,
    "A volume has two sources",
    why=(
        "Volumes are merged by name, field by field: a child that writes `hostPath` keeps the `emptyDir` of its "
        "parent. The API server refuses the pods, because a volume has exactly one source."
    ),
    fix="Give the new volume a name of its own, and mount that.",
    source="OME docs: concepts/runtimes/runtime-inheritance; reference 02 §4",
    bad="""\
engineConfig:
  volumes: [{name: cache, hostPath: {path: /mnt/cache}}]
""",
    good="""\
engineConfig:
  volumes: [{name: node-cache, hostPath: {path: /mnt/cache}}]
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for name, volume in pod.volumes.items():
        pair = two_of(volume, (key for key in volume if key != "name")) if len(volume) > 2 else None
        if pair is not None:
            message = f"volume {name} of the {pod.name} has two sources: {pair[0]} and {pair[1]}"
            first, second = (pod.written("volumes", ("name", name), source) for source in pair)
            yield pod.fault(second, message, key=True, causes=[first])
