"""``readiness-deadline-short``: an Instance that is given up while its model may still load."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.duration import parse_duration
from omec.compile.modes import Mode
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.probes import budget
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME424",
    "readiness-deadline-short",
    Severity.WARNING,
    "A component may take longer to start than OME waits for its Instance",
    why=(
        "OMENative gives an Instance up that is not ready within `lifecycle.instanceReadyTimeout`, 30 minutes unless "
        "set, however long its startup probe would wait."
    ),
    fix="Set `lifecycle.instanceReadyTimeout` above the time that the startup probe allows.",
    source="OME docs: concepts/architecture/deployment-modes; reference 09 A3 and B4",
    bad="""\
annotations: {ome.io/deploymentMode: OMENative}
lifecycle: {instanceReadyTimeout: 10m}
runner:
  startupProbe: {httpGet: {path: /health, port: 8080}, periodSeconds: 10, failureThreshold: 120}
""",
    good="""\
annotations: {ome.io/deploymentMode: OMENative}
lifecycle: {instanceReadyTimeout: 30m}
runner:
  startupProbe: {httpGet: {path: /health, port: 8080}, periodSeconds: 10, failureThreshold: 120}
""",
)

_DEFAULT = 30 * 60


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    probe = None if main is None else main.body.get("startupProbe")
    if main is None or not probe or pod.mode is not Mode.OME_NATIVE:
        return
    written = (pod.whole.get("lifecycle") or {}).get("instanceReadyTimeout")
    deadline = _DEFAULT if written is None else _seconds(written)
    allowed = budget(probe)
    if deadline is not None and allowed.seconds > deadline:
        what = "OME's default of 30m" if written is None else f"instanceReadyTimeout {written}"
        message = f"the startupProbe of {main.title} allows {allowed.arithmetic}, and {what} ends before that"
        at = main.written("startupProbe") if written is None else pod.written("lifecycle", "instanceReadyTimeout")
        yield pod.fault(at, message, key=written is None)


def _seconds(text: object) -> float | None:
    try:
        return parse_duration(str(text)) / 1e9
    except ValueError:
        return None
