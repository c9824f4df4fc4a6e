"""``startup-budget-short``: a startup probe that gives a model too little time to load.

The reference advises 10 minutes up to 14B parameters, 20 up to 80B and 40 above, more than most of OME's own catalog
allows. What is reported here is a quarter of that or less, which hardly any download of weights into GPUs meets.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.probes import budget, start_time
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME417",
    "startup-budget-short",
    Severity.WARNING,
    "A startup probe gives the model of an engine too little time to load",
    why=(
        "Kubernetes restarts the container when `initialDelaySeconds + periodSeconds x failureThreshold` have passed. "
        "An engine reads all weights, and may compile kernels, before it answers."
    ),
    fix="Raise failureThreshold; 10 minutes are usual up to 14B parameters, 20 up to 80B, 40 above.",
    source="Kubernetes docs: concepts/configuration/liveness-readiness-startup-probes; reference 09 C6",
    bad="""\
startupProbe: {httpGet: {path: /health, port: 8080}, periodSeconds: 60, failureThreshold: 1}
""",
    good="""\
startupProbe: {httpGet: {path: /health, port: 8080}, periodSeconds: 6, failureThreshold: 150, initialDelaySeconds: 60}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    probe = None if main is None or not pod.is_engine else main.body.get("startupProbe")
    if main is None or not probe:
        return
    given, needed = budget(probe), start_time(pod)
    if given.seconds < needed.least:
        message = (
            f"the startupProbe of {main.title} ends it after {given.arithmetic}; {needed.size} needs at least "
            f"{needed.least} s, and {needed.advised} s are usual"
        )
        fields = ("failureThreshold", "periodSeconds", "initialDelaySeconds")
        field = next((name for name in fields if name in probe), None)
        yield main.fault(("startupProbe", *([field] if field else ())), message, key=field is None)
