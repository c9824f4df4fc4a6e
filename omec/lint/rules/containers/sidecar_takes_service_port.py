"""``sidecar-takes-service-port``: a Service that points at a sidecar.

Rendering says the same of the services of the repository; here it is said of runtimes that none of them uses.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile import rules
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = rules.SERVICE_BEFORE_RUNNER


def check(context: Context) -> Iterator[Fault]:
    return judged((pod for pod in context.unrendered_pods if not pod.abstract), _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    listed = pod.part.get("containers") or ()
    main = pod.main
    if main is None or "runner" not in pod.part or not listed or not pod.serves:
        return
    first = listed[0].get("name")
    if first != main.name:
        message = f"the Service of the {pod.name} points at container {first}, which stands before the runner"
        yield pod.fault(pod.written("containers", ("name", first), "name"), message)
