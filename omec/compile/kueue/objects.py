"""The Kueue objects that a quota tree stands for (reference 15 §3.2 and §3.3).

A Cohort for every group, a ClusterQueue for every leaf, and a LocalQueue of each leaf in every enrolled namespace.
ResourceFlavors stay the user's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec

from omec.resolve.quota.judgement import Judgement
from omec.resolve.quota.materialisation import Materialisation
from omec.resolve.quota.node import Budget, Pair, QuotaNode, Role

API_VERSION = "kueue.x-k8s.io/v1beta2"
MANAGED_BY_LABEL = "ome.io/quota-managed-by"
NODE_LABEL = "ome.io/accelerator-quota"
_NAMESPACE_LABEL = "kubernetes.io/metadata.name"

Object = dict[str, Any]


class QueueObject(msgspec.Struct, frozen=True):
    """One Kueue object, and the node that it stands for."""

    node: str
    body: Object


def queue_objects(judgement: Judgement, settings: Materialisation, flavors: Collection[str] = ()) -> list[QueueObject]:
    """The objects of all nodes that are not frozen, in the order in which the quota manager writes them.

    ``flavors`` are the names of the ResourceFlavors that exist. Where none is known, no budget is dropped for its
    flavor.
    """
    if not settings.enabled:
        return []
    nodes = [node for node in judgement.tree.nodes.values() if node.name not in judgement.frozen]
    leaves = [node for node in nodes if node.is_leaf]
    return [
        *(_cohort(node, settings) for node in nodes if node.role == Role.COHORT),
        *(_cluster_queue(leaf, settings, flavors) for leaf in leaves),
        *(queue for leaf in leaves for queue in _local_queues(leaf, settings)),
    ]


def _cohort(node: QuotaNode, settings: Materialisation) -> QueueObject:
    spec = {} if node.parent is None else {"parentName": node.parent}
    return _object("Cohort", node, settings, spec)


def _cluster_queue(leaf: QuotaNode, settings: Materialisation, flavors: Collection[str]) -> QueueObject:
    spec: Object = {} if leaf.parent is None else {"cohortName": leaf.parent}
    enrolled = {"key": _NAMESPACE_LABEL, "operator": "In", "values": sorted(settings.namespaces)}
    spec["namespaceSelector"] = {"matchExpressions": [enrolled]}
    missing = {budget.index for budget in leaf.without_flavor(flavors)}
    usable = [budget for budget in leaf.budgets if budget.index not in missing]
    if usable:
        spec["resourceGroups"] = [_resource_group(usable, settings)]
    return _object("ClusterQueue", leaf, settings, spec)


def _resource_group(budgets: Sequence[Budget], settings: Materialisation) -> Object:
    """One group with all resources and flavors: Kueue wants every resource of a group on each of its flavors."""
    by_pair = {budget.pair: budget for budget in budgets}
    covered = sorted({*settings.cover, *(pair.resource for pair in by_pair)})
    return {
        "coveredResources": covered,
        "flavors": [
            {"name": flavor, "resources": [_quota(Pair(name, flavor), by_pair, settings) for name in covered]}
            for flavor in sorted({pair.flavor for pair in by_pair})
        ],
    }


def _quota(pair: Pair, budgets: dict[Pair, Budget], settings: Materialisation) -> Object:
    if pair.resource in settings.cover:
        return {"name": pair.resource, "nominalQuota": settings.cover[pair.resource].text}
    budget = budgets.get(pair)
    if budget is None:
        return {"name": pair.resource, "nominalQuota": "0", "borrowingLimit": "0"}
    borrowing = "0" if budget.borrowing_limit is None else budget.borrowing_limit.text
    quota = {"name": pair.resource, "nominalQuota": budget.nominal.text, "borrowingLimit": borrowing}
    if budget.lending_limit is not None:
        quota["lendingLimit"] = budget.lending_limit.text
    return quota


def _local_queues(leaf: QuotaNode, settings: Materialisation) -> Iterator[QueueObject]:
    for namespace in sorted(settings.namespaces):
        yield _object("LocalQueue", leaf, settings, {"clusterQueue": leaf.name}, namespace)


def _object(
    kind: str, node: QuotaNode, settings: Materialisation, spec: Object, namespace: str | None = None
) -> QueueObject:
    metadata: Object = {"name": node.name}
    if namespace is not None:
        metadata["namespace"] = namespace
    metadata["labels"] = {NODE_LABEL: node.name, MANAGED_BY_LABEL: settings.manager}
    return QueueObject(node.name, {"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "spec": spec})
