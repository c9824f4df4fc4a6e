"""The high-water marks of a cluster whose nodes the configuration lists (reference 15 §2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from omec.repo.settings_nodes import NodeGroup
from omec.resolve.quota.amount import Amount, amount_of, total
from omec.resolve.quota.hardware import Flavor, Node, survey
from omec.resolve.quota.node import Pair


def inventory_marks(
    groups: Iterable[NodeGroup], flavors: Sequence[Flavor], resources: Iterable[str]
) -> dict[Pair, Amount]:
    """What the nodes of ``groups`` hold of ``resources``, by resource and flavor; all nodes count as usable."""
    found = survey((_node(group) for group in groups), flavors, resources)
    return {pair: installed.all for pair, installed in found.installed.items()}


def _node(group: NodeGroup) -> Node:
    """All nodes of the group as one: they have the same flavor."""
    chips = {name: total([amount_of(value)] * group.count) for name, value in group.capacity.items()}
    return Node(group.name, group.labels, chips)
