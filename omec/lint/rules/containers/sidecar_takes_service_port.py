"""``sidecar-takes-service-port``: a Service that points at a sidecar.

Compiling reports the same of every rendered service; here it is said of runtimes, whether a service uses them or not.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile import rules
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = rules.SERVICE_BEFORE_RUNNER


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    listed = pod.part.get("containers") or ()
    main = pod.main
    if main is None or "runner" not in pod.part or not listed or not pod.serves:
        return
    first = listed[0].get("name")
    if first != main.name:
        message = f"the Service of the {pod.name} points at container {first}, which stands before the runner"
        yield pod.fault(pod.written("containers", ("name", first), "name"), message)
