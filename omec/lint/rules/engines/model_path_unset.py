"""``model-path-unset``: an engine that uses the path of a model which its service does not have.

Compiling reports the same of every rendered pod; here it is said without rendering, of services without a model. A
model without a path is the business of the rules about models.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.catalog import Resource
from omec.compile import rules
from omec.compile.weights_pod import MODEL_PATH
from omec.lint.context import Context, Fault
from omec.lint.pods.view import Pod

RULE = rules.MODEL_PATH_UNSET

_REFERENCE = f"$({MODEL_PATH})"


def check(context: Context) -> Iterator[Fault]:
    for use in context.uses:
        service = use.service
        if use.model is None and not service.spec.get("model") and not service.spec.get("replicaRefs"):
            for pod in context.pods_of(use):
                yield from _judge(pod, service)


def _judge(pod: Pod, service: Resource) -> Iterator[Fault]:
    main = pod.main
    if main is not None and MODEL_PATH not in main.environment and _REFERENCE in main.line.text:
        message = f"{main.title} runs with {_REFERENCE}, and nothing sets {MODEL_PATH}: the service has no model"
        yield Fault(service, ("spec", pod.name), message, key=True)
