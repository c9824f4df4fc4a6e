"""Rules about the place of a node: its parent, the root, cycles and depth (reference 15 §1.3, rules 1 to 7)."""

from __future__ import annotations

from collections.abc import Container, Iterator

from omec.api.gotext import quoted
from omec.finding import FieldPath
from omec.resolve.quota.node import ROOT, QuotaNode
from omec.resolve.quota.tree import QuotaTree
from omec.resolve.quota.violation import Reason, Violation

PARENT: FieldPath = ("spec", "parentRef", "name")

_SHOWN_OF_CYCLE = 8
"""A long cycle would not fit into an admission response or a condition."""


def membership_violations(tree: QuotaTree, max_depth: int) -> list[Violation]:
    """What keeps nodes from a place in the tree; a ``max_depth`` of 0 is no limit."""
    found = [*_duplicates(tree), *_parents(tree), *_cycles(tree)]
    faulted = {violation.node for violation in found}
    return [*found, *_unreachable(tree, faulted), *_too_deep(tree, max_depth)]


def _duplicates(tree: QuotaTree) -> Iterator[Violation]:
    for name in tree.duplicates:
        message = "node name appears more than once in the assembled set"
        yield Violation(name, Reason.DUPLICATE_NODE, message, field=("metadata", "name"))


def _parents(tree: QuotaTree) -> Iterator[Violation]:
    for node in tree.nodes.values():
        if node.parent is None:
            if node.name != ROOT:
                yield _without_parent(node)
        elif node.parent == node.name:
            message = "parentRef points at the node itself"
            yield Violation(node.name, Reason.PARENT_CYCLE, message, node.name, PARENT)
        elif node.parent not in tree.nodes:
            message = f"parentRef {quoted(node.parent)} does not resolve to an existing AcceleratorQuota"
            yield Violation(node.name, Reason.PARENT_MISSING, message, node.parent, PARENT)


def _without_parent(node: QuotaNode) -> Violation:
    message = f"only the reserved root {quoted(ROOT)} may omit parentRef; every other node must name its parent"
    return Violation(node.name, Reason.PARENT_MISSING, message, ROOT, ("spec",))


def _cycles(tree: QuotaTree) -> Iterator[Violation]:
    """A violation for every node on a cycle or below one; only the first of each cycle spells the way out."""
    spelled: set[str] = set()
    for name in tree.nodes:
        members = tree.cycle(name)
        if not members:
            continue
        smallest = min(members)
        if smallest in spelled:
            message = f"node is inside the parentRef cycle through {quoted(smallest)}"
        else:
            message = f"parentRef forms a cycle: {_way_round(members)}"
        spelled.add(smallest)
        yield Violation(name, Reason.PARENT_CYCLE, message, smallest, PARENT)


def _way_round(members: list[str]) -> str:
    way = [*members, members[0]]
    text = " -> ".join(way[:_SHOWN_OF_CYCLE])
    hidden = len(way) - _SHOWN_OF_CYCLE
    return f"{text} -> ... ({hidden} more)" if hidden > 0 else text


def _unreachable(tree: QuotaTree, faulted: Container[str]) -> Iterator[Violation]:
    for name in tree.nodes:
        if tree.depth(name) is not None or name in faulted:
            continue
        cause = next((node.name for node in tree.ancestors(name) if node.name in faulted), name)
        message = f"node has no position in the tree because ancestor {quoted(cause)} is unresolved"
        yield Violation(name, Reason.UNREACHABLE, message, cause, PARENT)


def _too_deep(tree: QuotaTree, max_depth: int) -> Iterator[Violation]:
    for name in tree.nodes:
        depth = tree.depth(name)
        if depth is not None and 0 < max_depth < depth:
            message = f"node is {depth} levels below the root, exceeding the configured maximum of {max_depth}"
            yield Violation(name, Reason.DEPTH_EXCEEDED, message, field=PARENT)
