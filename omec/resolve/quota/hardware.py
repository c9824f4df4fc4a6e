"""The hardware that budgets are measured against, as the quota manager sums it up on ``root`` (reference 15 §2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from omec.resolve.quota.amount import ZERO, Amount, amount_or_zero, total
from omec.resolve.quota.node import Pair

DEFAULT_RESOURCES = ("google.com/tpu", "nvidia.com/gpu")
DEFAULT_BAND = 10
"""Values of the quota manager's chart: what counts as an accelerator, and how many percent a mark may lose unseen."""

_NO_FLAVOR = "NoMatchingFlavor"
_AMBIGUOUS = "AmbiguousFlavor"


class Flavor(msgspec.Struct, frozen=True):
    """A ResourceFlavor of Kueue: the nodes that have all of ``labels``."""

    name: str
    labels: Mapping[str, str]


class Node(msgspec.Struct, frozen=True):
    """A node of the cluster: ``usable`` is one that is Ready and not cordoned."""

    name: str
    labels: Mapping[str, str]
    chips: Mapping[str, Amount]
    usable: bool = True

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> Node:
        """The node that a core/v1 Node object describes."""
        metadata, status = manifest.get("metadata") or {}, manifest.get("status") or {}
        ready = [condition for condition in status.get("conditions") or () if condition.get("type") == "Ready"]
        cordoned = bool((manifest.get("spec") or {}).get("unschedulable"))
        return cls(
            name=metadata.get("name", ""),
            labels=metadata.get("labels") or {},
            chips={name: amount_or_zero(value) for name, value in (status.get("allocatable") or {}).items()},
            usable=not cordoned and bool(ready) and ready[0].get("status") == "True",
        )


class Installed(msgspec.Struct, frozen=True):
    """What is installed of one pair: ``allocatable`` on usable nodes, ``unavailable`` on the others."""

    allocatable: Amount = ZERO
    unavailable: Amount = ZERO
    nodes: int = 0
    unavailable_nodes: int = 0

    @property
    def all(self) -> Amount:
        return total((self.allocatable, self.unavailable))


class Unattributed(msgspec.Struct, frozen=True):
    """Chips of a node that belong to no flavor, or to two equally."""

    node: str
    resource: str
    quantity: Amount
    reason: str


class Survey(msgspec.Struct, frozen=True):
    """What the nodes hold, by pair in order, and what could not be counted."""

    installed: Mapping[Pair, Installed]
    unattributed: tuple[Unattributed, ...]


class Mark(msgspec.Struct, frozen=True):
    """What budgets of a pair are compared with: the high-water mark."""

    allocatable: Amount
    high_water: Amount


def survey(nodes: Iterable[Node], flavors: Sequence[Flavor], resources: Iterable[str] = DEFAULT_RESOURCES) -> Survey:
    """The chips of the listed resources, summed up by resource and flavor."""
    counted: dict[Pair, list[Node]] = {}
    lost = []
    wanted = sorted(set(resources))
    for node in nodes:
        flavor, reason = _flavor_of(node, flavors)
        for resource in wanted:
            amount = node.chips.get(resource, ZERO)
            if amount == ZERO:
                continue
            if flavor is None:
                lost.append(Unattributed(node.name, resource, amount, reason))
            else:
                counted.setdefault(Pair(resource, flavor.name), []).append(node)
    installed = {pair: _installed(pair, counted[pair]) for pair in sorted(counted)}
    return Survey(installed, tuple(sorted(lost, key=lambda item: (item.node, item.resource))))


def marks(
    found: Survey,
    previous: Mapping[Pair, Mark],
    pairs: Iterable[Pair],
    *,
    band: int = DEFAULT_BAND,
) -> dict[Pair, Mark]:
    """The marks after a survey, by pair in order; ``pairs`` are all that are shown even where nothing is installed.

    A pair that is seen no more keeps its mark until the mark is zero.
    """
    new = {pair: Mark(ZERO, ZERO) for pair in pairs}
    new |= {pair: Mark(ZERO, mark.high_water) for pair, mark in previous.items() if mark.high_water != ZERO}
    for pair, installed in found.installed.items():
        before = previous[pair].high_water if pair in previous else ZERO
        new[pair] = Mark(installed.allocatable, _high_water(before, installed.all, band))
    return dict(sorted(new.items()))


def _high_water(mark: Amount, installed: Amount, band: int) -> Amount:
    """Growth counts at once; a loss only where it exceeds ``band`` percent, because a reboot is no dismantling."""
    if installed >= mark or band <= 0:
        return installed
    if band >= 100:
        return mark
    return installed if installed.nanos * 100 < mark.nanos * (100 - band) else mark


def _installed(pair: Pair, nodes: Sequence[Node]) -> Installed:
    usable = [node.chips[pair.resource] for node in nodes if node.usable]
    parked = [node.chips[pair.resource] for node in nodes if not node.usable]
    return Installed(total(usable), total(parked), len(usable), len(parked))


def _flavor_of(node: Node, flavors: Sequence[Flavor]) -> tuple[Flavor | None, str]:
    """The flavor with the most labels of those that the node has; a tie counts for nobody."""
    matching = [flavor for flavor in flavors if _matches(node, flavor)]
    most = max((len(flavor.labels) for flavor in matching), default=0)
    best = [flavor for flavor in matching if len(flavor.labels) == most]
    if not best:
        return None, _NO_FLAVOR
    return (best[0], "") if len(best) == 1 else (None, _AMBIGUOUS)


def _matches(node: Node, flavor: Flavor) -> bool:
    """A label that the node lacks counts as one with an empty value."""
    return all(node.labels.get(key, "") == value for key, value in flavor.labels.items())
