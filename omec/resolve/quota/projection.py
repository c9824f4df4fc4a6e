"""The copies of a fleet's tree that each member gets (reference 15 §6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from omec.api.kinds import API_VERSION
from omec.resolve.quota.judgement import Judgement
from omec.resolve.quota.node import ROOT, Budget, QuotaNode
from omec.resolve.quota.shares import Given, Split
from omec.resolve.quota.tree import QuotaTree

ORIGIN_LABEL = "ome.io/quota-origin"
_UID = "ome.io/quota-origin-uid"
_GENERATION = "ome.io/quota-source-generation"
_CLUSTER = "ome.io/quota-cluster"


def projections(judgement: Judgement, split: Split, *, origin: str) -> dict[str, list[dict[str, Any]]]:
    """The AcceleratorQuotas for each cluster that has a share, parents before children.

    A frozen leaf is left out: its copies stay as they are.
    """
    clusters = sorted({cluster for shares in split.shares.values() for cluster in shares})
    return {cluster: _copies(judgement, split, cluster, origin) for cluster in clusters}


def _copies(judgement: Judgement, split: Split, cluster: str, origin: str) -> list[dict[str, Any]]:
    given = {
        leaf: shares[cluster]
        for leaf, shares in split.shares.items()
        if cluster in shares and leaf not in judgement.frozen
    }
    return [_copy(node, cluster, origin, given.get(node.name)) for node in _chosen(judgement.tree, given)]


def _chosen(tree: QuotaTree, leaves: Iterable[str]) -> list[QuotaNode]:
    """The leaves and what stands between them and ``root``, which every member makes itself."""
    names = {node.name for leaf in leaves for node in (*tree.ancestors(leaf), tree.nodes[leaf])} - {ROOT}
    return sorted((tree.nodes[name] for name in names), key=lambda node: (tree.depth(node.name) or 0, node.name))


def _copy(node: QuotaNode, cluster: str, origin: str, given: Given | None) -> dict[str, Any]:
    spec: dict[str, Any] = {"role": node.role}
    if node.parent is not None:
        spec["parentRef"] = {"name": node.parent}
    if given is not None:
        if node.priority_tier:
            spec["priorityTier"] = node.priority_tier
        spec["budgets"] = _budgets(node.budgets, given)
    return {
        "apiVersion": API_VERSION,
        "kind": "AcceleratorQuota",
        "metadata": {
            "name": node.name,
            "labels": {ORIGIN_LABEL: origin},
            "annotations": {_UID: node.uid, _GENERATION: str(node.generation), _CLUSTER: cluster},
        },
        "spec": spec,
    }


def _budgets(budgets: Sequence[Budget], given: Given) -> list[dict[str, Any]]:
    """The shares in place of the totals; limits hold for each cluster alone, and how the split came about stays out."""
    copies = []
    for budget in sorted(budgets, key=lambda budget: budget.pair):
        if budget.pair not in given:
            continue
        copy = {
            "resourceName": budget.pair.resource,
            "resourceFlavor": budget.pair.flavor,
            "nominal": given[budget.pair].text,
        }
        if budget.borrowing_limit is not None:
            copy["borrowingLimit"] = budget.borrowing_limit.text
        if budget.lending_limit is not None:
            copy["lendingLimit"] = budget.lending_limit.text
        copies.append(copy)
    return copies
