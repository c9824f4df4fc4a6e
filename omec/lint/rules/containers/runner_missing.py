"""``runner-missing``: a component whose containers OME gives nothing.

Rendering says the same of the services of the repository; here it is said of runtimes that none of them uses.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile import rules
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = rules.RUNNER_MISSING


def check(context: Context) -> Iterator[Fault]:
    return judged((pod for pod in context.unrendered_pods if not pod.abstract), _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    if pod.is_engine and pod.containers and "runner" not in pod.part:
        message = f"the {pod.name} has containers but no runner, so OME gives none of them the model"
        yield pod.fault(pod.written("containers"), message, key=True)
