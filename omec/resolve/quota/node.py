"""One AcceleratorQuota as the quota manager reads it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

import msgspec

from omec.resolve.quota.amount import Amount, amount_or_zero

ROOT = "root"
"""The one node without a parent; the name is fixed."""

Data = Mapping[str, Any]


class Role(StrEnum):
    """What a node is: a group of nodes, or a team (a leaf)."""

    COHORT = "Cohort"
    CLUSTER_QUEUE = "ClusterQueue"


class Pair(msgspec.Struct, frozen=True, order=True):
    """What a budget counts: a resource on a ResourceFlavor."""

    resource: str
    flavor: str

    def __str__(self) -> str:
        return f"{self.resource} on {self.flavor}"


class ClusterShare(msgspec.Struct, frozen=True):
    """The written share of one cluster."""

    cluster: str
    nominal: Amount


class Budget(msgspec.Struct, frozen=True):
    """The allowance of one pair; ``index`` is its place in ``spec.budgets``."""

    index: int
    pair: Pair
    nominal: Amount
    borrowing_limit: Amount | None = None
    lending_limit: Amount | None = None
    policy: str = ""
    per_cluster: tuple[ClusterShare, ...] = ()

    @property
    def leaf_only_fields(self) -> tuple[str, ...]:
        """The set fields that a budget of a Cohort must not have."""
        fields = {
            "policy": bool(self.policy),
            "borrowingLimit": self.borrowing_limit is not None,
            "lendingLimit": self.lending_limit is not None,
            "perCluster": bool(self.per_cluster),
        }
        return tuple(name for name, is_set in fields.items() if is_set)


class QuotaNode(msgspec.Struct, frozen=True):
    """A node of the quota tree, as plain data.

    ``role`` is as written, known or not. ``parent`` is the name in ``parentRef``, ``None`` without one.
    ``distribution`` is the policy in ``spec.distribution``, ``None`` where that is not set at all.
    """

    name: str
    role: str
    parent: str | None = None
    budgets: tuple[Budget, ...] = ()
    priority_tier: str = ""
    distribution: str | None = None
    uid: str = ""
    generation: int = 0

    @property
    def is_leaf(self) -> bool:
        return self.role == Role.CLUSTER_QUEUE

    def without_flavor(self, flavors: Collection[str]) -> list[Budget]:
        """The budgets whose flavor is none of ``flavors``, by flavor in order; none where no flavor is known."""
        missing = [budget for budget in self.budgets if flavors and budget.pair.flavor not in flavors]
        return sorted(missing, key=lambda budget: budget.pair.flavor)

    @classmethod
    def of(cls, manifest: Data) -> QuotaNode:
        """The node that ``manifest`` describes.

        Never fails: what has the wrong type counts as not set, because the API server refuses it before the quota
        manager sees it.
        """
        metadata, spec = _table(manifest.get("metadata")), _table(manifest.get("spec"))
        parent, distribution = spec.get("parentRef"), spec.get("distribution")
        generation = metadata.get("generation")
        return cls(
            name=_text(metadata.get("name")),
            role=_text(spec.get("role")),
            parent=_text(parent.get("name")) if isinstance(parent, dict) else None,
            budgets=tuple(_budget(index, item) for index, item in enumerate(_items(spec.get("budgets")))),
            priority_tier=_text(spec.get("priorityTier")),
            distribution=_text(distribution.get("policy")) if isinstance(distribution, dict) else None,
            uid=_text(metadata.get("uid")),
            generation=generation if isinstance(generation, int) else 0,
        )


def _budget(index: int, item: Data) -> Budget:
    return Budget(
        index=index,
        pair=Pair(_text(item.get("resourceName")), _text(item.get("resourceFlavor"))),
        nominal=amount_or_zero(item.get("nominal")),
        borrowing_limit=_optional_amount(item.get("borrowingLimit")),
        lending_limit=_optional_amount(item.get("lendingLimit")),
        policy=_text(item.get("policy")),
        per_cluster=tuple(
            ClusterShare(_text(share.get("cluster")), amount_or_zero(share.get("nominal")))
            for share in _items(item.get("perCluster"))
        ),
    )


def _optional_amount(value: Any) -> Amount | None:
    return None if value is None else amount_or_zero(value)


def _items(value: Any) -> list[Data]:
    """The items of a list, ``{}`` for each that is no object: indexes stay those of the manifest."""
    return [_table(item) for item in value] if isinstance(value, list) else []


def _table(value: Any) -> Data:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
