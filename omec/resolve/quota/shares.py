"""How a fleet's budgets are split over its clusters (reference 15 §6).

The shares of a budget sum to it exactly, in the unit it is written in: 4 chips over three clusters are 2, 1 and 1.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from omec.resolve.quota.amount import ZERO, Amount, amount_in, total
from omec.resolve.quota.node import Budget, Pair, QuotaNode
from omec.resolve.quota.tree import QuotaTree

EXPLICIT = "Explicit"
PROPORTIONAL = "Proportional"

Shares = dict[str, Amount]
"""What each cluster gets of one budget, by cluster in order."""

Given = dict[Pair, Amount]
"""What one cluster gets of the budgets of one leaf."""


class ShareError(ValueError):
    """A budget that cannot be split; the text is the quota manager's."""


class Fleet(msgspec.Struct, frozen=True):
    """What the hub knows about its members.

    ``silent`` are the registered clusters that have not reported; ``allocatable`` what the others have of a pair, by
    cluster; ``high_water`` their marks.
    """

    silent: tuple[str, ...] = ()
    allocatable: Mapping[Pair, Mapping[str, Amount]] = msgspec.field(default_factory=dict)
    high_water: Mapping[Pair, Mapping[str, Amount]] = msgspec.field(default_factory=dict)


class Split(msgspec.Struct, frozen=True):
    """What each leaf gets on each cluster, by node name and cluster, and why a leaf has no shares."""

    shares: Mapping[str, Mapping[str, Given]]
    unresolved: Mapping[str, ShareError]


def split_fleet(tree: QuotaTree, fleet: Fleet, default_policy: str = "") -> Split:
    """The split of all leaves; one budget that cannot be split leaves its whole leaf without shares."""
    shares: dict[str, dict[str, Given]] = {}
    unresolved: dict[str, ShareError] = {}
    for leaf in tree.leaves:
        try:
            shares[leaf.name] = _placed(leaf, fleet, default_policy)
        except ShareError as error:
            unresolved[leaf.name] = error
    return Split(shares, unresolved)


def _placed(leaf: QuotaNode, fleet: Fleet, default_policy: str) -> dict[str, Given]:
    """The leaf's shares by cluster, for the clusters that it stands on; raises :class:`ShareError`.

    It stands where it gets anything, and where hardware of a proportional budget is installed: then its share is zero
    only while the hardware is parked. (The readable code of the projection drops such a leaf; newer code of the split
    says that it stays, and omec follows that.)
    """
    given: dict[str, Given] = {}
    installed: set[str] = set()
    for budget in leaf.budgets:
        policy = policy_of(leaf, budget, default_policy)
        for cluster, share in split_budget(budget, policy, fleet).items():
            given.setdefault(cluster, {})[budget.pair] = share
        if policy == PROPORTIONAL:
            installed |= {name for name, mark in fleet.high_water.get(budget.pair, {}).items() if mark != ZERO}
    return {
        cluster: shares
        for cluster, shares in sorted(given.items())
        if cluster in installed or any(share != ZERO for share in shares.values())
    }


def policy_of(leaf: QuotaNode, budget: Budget, default_policy: str = "") -> str:
    """The budget's own policy, else the leaf's, else the fleet's."""
    return budget.policy or leaf.distribution or default_policy


def split_budget(budget: Budget, policy: str, fleet: Fleet) -> Shares:
    """The shares of one budget; raises :class:`ShareError`."""
    if policy == EXPLICIT:
        return explicit_shares(budget)
    if policy != PROPORTIONAL:
        raise ShareError(f"budget {_name(budget)} has no distribution policy, and none is configured fleet-wide")
    if fleet.silent:
        names = " ".join(sorted(fleet.silent))
        message = f"{_name(budget)}: [{names}] has not reported capacity, and splitting without it would over-grant"
        raise ShareError(f"holding {message} the fleet")
    weights = fleet.allocatable.get(budget.pair, {})
    if not weights:
        message = f"no cluster has reported capacity for {_name(budget)} yet, so a proportional split has nothing to"
        raise ShareError(f"{message} divide by")
    return _proportional(budget, weights)


def explicit_shares(budget: Budget) -> Shares:
    """The written shares, which must sum to the budget; raises :class:`ShareError`."""
    name = _name(budget)
    if not budget.per_cluster:
        raise ShareError(f"budget {name} is Explicit but names no per-cluster shares")
    shares: Shares = {}
    for share in budget.per_cluster:
        if share.cluster in shares:
            raise ShareError(f"budget {name} names cluster {share.cluster} twice")
        shares[share.cluster] = share.nominal
    sum_of = total(shares.values())
    if sum_of != budget.nominal:
        message = f"budget {name} is {budget.nominal} but its per-cluster shares sum to {sum_of}"
        raise ShareError(message)
    return dict(sorted(shares.items()))


def _proportional(budget: Budget, weights: Mapping[str, Amount]) -> Shares:
    whole, name = budget.nominal, _name(budget)
    if whole < ZERO:
        raise ShareError(f"splitting {name}: total {whole} is negative")
    basis = sum(weight.nanos for weight in weights.values())
    if not basis:
        message = "every cluster reports zero capacity, so there is nothing to be proportional to"
        raise ShareError(f"splitting {name}: {message}")
    unit = 10 ** (9 - whole.places)
    return {
        cluster: amount_in(units * unit, whole.form)
        for cluster, units in largest_remainder(
            whole.nanos // unit, {cluster: weight.nanos for cluster, weight in weights.items()}
        ).items()
    }


def largest_remainder(units: int, weights: Mapping[str, int]) -> dict[str, int]:
    """``units`` split by ``weights``, by key in order: the floor for each, the rest to the largest remainders.

    Equal remainders go to the smaller key.
    """
    basis = sum(weights.values())
    shares = {key: units * weights[key] // basis for key in sorted(weights)}
    by_remainder = sorted(shares, key=lambda key: (-(units * weights[key] % basis), key))
    for key in by_remainder[: units - sum(shares.values())]:
        shares[key] += 1
    return shares


def _name(budget: Budget) -> str:
    """Messages about shares name a pair in another way than those about the tree."""
    return f"{budget.pair.resource}/{budget.pair.flavor}"
