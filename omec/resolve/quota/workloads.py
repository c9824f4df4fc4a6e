"""InferenceServices whose queue label leads nowhere (reference 15 §5)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from omec.catalog import Catalog, Resource
from omec.finding import FieldPath, Finding, Rule, field_text
from omec.resolve.quota import rules
from omec.resolve.quota.queue_label import QUEUE_LABEL
from omec.resolve.quota.repository import RepositoryQuotas

_COMPONENTS = ("engine", "decoder", "router")

Queues = Collection[tuple[str, str]]
"""LocalQueues by namespace and name."""


def workload_findings(catalog: Catalog, quotas: RepositoryQuotas, local_queues: Queues = ()) -> list[Finding]:
    """Labels that name no leaf, or a leaf from a namespace without its queue.

    ``local_queues`` are those that the repository holds itself. Without a quota tree nothing is said: the queues are
    then somebody else's.
    """
    if not quotas.own:
        return []
    services = [service for service in catalog.of_kind("InferenceService") if not service.context]
    return [
        finding
        for service in services
        for path, queue in _labels(service)
        if (service.namespace or "", queue) not in local_queues
        for finding in _judge(service, path, queue, quotas)
    ]


def _labels(service: Resource) -> Iterator[tuple[FieldPath, str]]:
    """The queue labels of the service and of its components, with their places."""
    parts: list[tuple[FieldPath, Any]] = [(("metadata",), service.body.get("metadata"))]
    parts += [(("spec", name), service.spec.get(name)) for name in _COMPONENTS]
    for path, part in parts:
        labels = part.get("labels") if isinstance(part, dict) else None
        queue = labels.get(QUEUE_LABEL) if isinstance(labels, dict) else None
        if isinstance(queue, str) and queue:
            yield (*path, "labels", QUEUE_LABEL), queue


def _judge(service: Resource, path: FieldPath, queue: str, quotas: RepositoryQuotas) -> Iterator[Finding]:
    node = quotas.judgement.tree.nodes.get(queue)
    enrolled = quotas.settings.enrolled_namespaces
    if node is None or not node.is_leaf:
        what = "no AcceleratorQuota of that name exists" if node is None else "that AcceleratorQuota is no leaf"
        leaves = ", ".join(leaf.name for leaf in quotas.judgement.tree.leaves)
        help_text = f"the leaves of the quota tree are {leaves}" if leaves else "the quota tree has no leaves"
        yield _finding(
            service, path, rules.UNKNOWN_QUEUE, f"{service.ref} waits in queue {queue}, but {what}", help_text
        )
    elif enrolled and service.namespace not in enrolled:
        message = f"{service.ref} waits in queue {queue}, but namespace {service.namespace} is not enrolled"
        help_text = f"add {service.namespace} to enrolled-namespaces, which are {', '.join(enrolled)}"
        yield _finding(service, path, rules.NOT_ENROLLED, message, help_text)


def _finding(service: Resource, path: FieldPath, rule: Rule, message: str, help_text: str) -> Finding:
    return Finding(rule, message, service.locate(path), object=service.ref, field=field_text(path), help=help_text)
