"""``no-startup-probe``: a liveness probe that may end a model which is still loading."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.injected import gets_probes
from omec.lint.pods.probes import budget, start_time
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME416",
    "no-startup-probe",
    Severity.WARNING,
    "An engine has a liveness probe and no startup probe",
    why=(
        "Without a startup probe the liveness probe begins while the model loads. A model that takes longer than the "
        "probe allows is restarted before it has ever served, again and again."
    ),
    fix="Add a startupProbe that allows the model its time to load, such as a period of 10 s and 120 failures.",
    source="Kubernetes docs: concepts/configuration/liveness-readiness-startup-probes; reference 09 C3 and C8",
    bad="""\
livenessProbe: {httpGet: {path: /health, port: 8080}, initialDelaySeconds: 120}
""",
    good="""\
startupProbe: {httpGet: {path: /health, port: 8080}, periodSeconds: 10, failureThreshold: 120}
livenessProbe: {httpGet: {path: /health, port: 8080}}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    if main is None or not pod.is_engine or not main.body.get("livenessProbe") or main.body.get("startupProbe"):
        return
    allowed = budget(main.body["livenessProbe"])
    needed = start_time(pod)
    if allowed.seconds < needed.advised and not gets_probes(main):
        message = (
            f"{main.title} has a livenessProbe that ends it after {allowed.arithmetic}, and no startupProbe: "
            f"{needed.size} may still be loading then"
        )
        yield main.fault(("livenessProbe",), message, key=True)
