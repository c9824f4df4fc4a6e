"""``controller-variable-foreign``: variables of a LeaderWorkerSet in pods that an InferenceReplica makes.

Rendering says the same of the services of the repository; here it is said of runtimes that none of them uses. Since
OME 1.3 a component with leader and workers runs as OMENative unless its annotation says ``MultiNode``, so a runtime
that was written for a LeaderWorkerSet has to be changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile.modes import Mode
from omec.compile.native import rules
from omec.compile.native.container_remarks import in_group, in_replica
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = rules.FOREIGN_VARIABLES


def check(context: Context) -> Iterator[Fault]:
    if context.decider.ome_version == "1.2":  # whose only controller of several pods is the LeaderWorkerSet
        return iter(())
    return judged((pod for pod in context.unrendered_pods if not pod.abstract), _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in pod.containers:
        # Most containers mention neither family, and the search for them is not cheap.
        if "LWS_" not in container.line.text and "OME_" not in container.line.text:
            continue
        if pod.mode is Mode.OME_NATIVE:
            remarks = in_replica(container.body, container.title, pod.role)
        elif pod.mode is Mode.MULTI_NODE:
            remarks = in_group(container.body, container.title, ())
        else:
            continue
        for remark in remarks:
            if remark.rule is RULE:
                yield container.fault(remark.steps, remark.message, help_=remark.help)
