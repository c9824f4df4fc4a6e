"""``liveness-too-eager``: a liveness probe that restarts an engine for being busy."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME418",
    "liveness-too-eager",
    Severity.WARNING,
    "A liveness probe restarts its container after one failure, or within 30 seconds",
    why=(
        "An engine under load may miss a probe. A restart throws its requests away and loads the model again, which "
        "takes minutes and makes the load of the other replicas worse."
    ),
    fix="Allow at least 3 failures, and 30 seconds in all.",
    source="Kubernetes docs: concepts/configuration/liveness-readiness-startup-probes; reference 09 C3 and C8",
    bad="""\
startupProbe: {httpGet: {path: /health, port: 8080}, periodSeconds: 10, failureThreshold: 120}
livenessProbe: {httpGet: {path: /health, port: 8080}, periodSeconds: 5, failureThreshold: 1}
""",
    good="""\
startupProbe: {httpGet: {path: /health, port: 8080}, periodSeconds: 10, failureThreshold: 120}
livenessProbe: {httpGet: {path: /health, port: 8080}, periodSeconds: 30, failureThreshold: 5}
""",
)

_SHORTEST = 30


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    probe = None if main is None else main.body.get("livenessProbe")
    if main is None or not probe:
        return
    period, threshold = probe.get("periodSeconds") or 10, probe.get("failureThreshold") or 3
    if not isinstance(period, int) or not isinstance(threshold, int):
        return
    if threshold == 1:
        message = f"the livenessProbe of {main.title} restarts it after a single failure"
        yield main.fault(("livenessProbe", "failureThreshold"), message)
    elif period * threshold < _SHORTEST:
        message = (
            f"the livenessProbe of {main.title} restarts it after {period} s x {threshold} = {period * threshold} s"
        )
        field = "periodSeconds" if "periodSeconds" in probe else "failureThreshold"
        yield main.fault(("livenessProbe", field), message)
