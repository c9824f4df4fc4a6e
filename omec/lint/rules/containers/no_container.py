"""``no-container``: a component of a service that nothing says how to run.

Compiling refuses the service; here the same is said without rendering.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile import rules
from omec.compile.names import COMPONENTS, RUNTIME_CONFIG
from omec.lint.context import Context, Fault

RULE = rules.NO_CONTAINER


def check(context: Context) -> Iterator[Fault]:
    for use in context.uses:
        declared = [name for name in COMPONENTS if isinstance(use.service.spec.get(name), dict)]
        if not declared or use.service.spec.get("replicaRefs") or (use.runtime and not context.has_pods(use.runtime)):
            continue
        filled = {pod.name for pod in context.pods_of(use) if pod.containers}
        for name in declared:
            if name not in filled:
                whose = "no runtime" if use.runtime is None else f"{use.runtime.ref} has no {RUNTIME_CONFIG[name]}"
                message = f"the {name} has neither a runner nor containers: {whose}"
                yield Fault(use.service, ("spec", name), message, key=True)
