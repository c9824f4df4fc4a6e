"""``grace-period-unfit``: pods that get more or less time to stop than they need."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Container, Pod, Use

RULE = Rule(
    "OME433",
    "grace-period-unfit",
    Severity.INFO,
    "The grace period of a pod does not fit its preStop hooks or its longest request",
    why=(
        "A pod is killed when its grace period is over, whatever it still answers: the preStop hook and the requests "
        "under way have to end before. Where the manifest says nothing, OME takes the operator's setting (the chart: "
        "600 s), and a server that does not stop by itself holds up every drain of its node for as long."
    ),
    fix="Set `terminationGracePeriodSeconds` of the component to the preStop hook and the longest request together.",
    source="Kubernetes docs: concepts/containers/container-lifecycle-hooks; reference 09 C5, candidate 144",
    bad="""\
runner:
  lifecycle: {preStop: {exec: {command: [sh, -c, sleep 15]}}}
""",
    good="""\
terminationGracePeriodSeconds: 60
runner:
  lifecycle: {preStop: {exec: {command: [sh, -c, sleep 15]}}}
""",
    default=False,
)

_FIELD = "terminationGracePeriodSeconds"
_WITHOUT_SETTING = 30
_SLEEP = re.compile(r"\bsleep\s+(\d+)\b")


def check(context: Context) -> Iterator[Fault]:
    setting = context.cluster.operator.termination_grace_period_seconds
    usual = _WITHOUT_SETTING if setting is None else setting
    yield from judged(context.concrete_pods, partial(_judge_hooks, usual))
    for use in context.uses:
        for pod in context.pods_of(use):
            yield from _judge_requests(use, pod, usual)


def _judge_hooks(usual: int, pod: Pod) -> Iterator[Fault]:
    stated = pod.part.get(_FIELD)
    grace = usual if stated is None else stated
    for container in pod.containers:
        hook = _pre_stop(container)
        if hook is not None and hook >= grace:
            message = f"preStop of {container.title} takes {hook} s, and the pod is killed after {grace} s"
            yield container.fault(("lifecycle", "preStop"), message)
        elif hook is not None and stated is None:
            message = f"preStop of {container.title} takes {hook} s, and OME gives the pod {grace} s to stop"
            yield container.fault(("lifecycle", "preStop"), message)


def _judge_requests(use: Use, pod: Pod, usual: int) -> Iterator[Fault]:
    longest = use.service.spec[pod.name].get("timeoutSeconds")
    grace = pod.part.get(_FIELD, usual)
    if pod.serves and isinstance(longest, int) and longest > grace:
        message = f"requests to the {pod.name} may take {longest} s, and its pods are killed {grace} s after a stop"
        yield Fault(use.service, ("spec", pod.name, "timeoutSeconds"), message)


def _pre_stop(container: Container) -> int | None:
    """How many seconds the hook surely takes, ``None`` where that is not known."""
    hook = (container.body.get("lifecycle") or {}).get("preStop") or {}
    seconds = (hook.get("sleep") or {}).get("seconds")
    if isinstance(seconds, int):
        return seconds
    found = _SLEEP.search(" ".join(map(str, (hook.get("exec") or {}).get("command") or ())))
    return int(found[1]) if found else None
