"""What the webhook of the quota manager answers to a request (reference 15 §1.5).

It denies what adds a violation to the tree that is there. A broken tree can therefore be repaired step by step, and a
larger overrun of the same pair passes.
"""

from __future__ import annotations

from collections.abc import Sequence

from omec.resolve.quota.judgement import DEFAULT_MAX_DEPTH, tree_violations
from omec.resolve.quota.node import QuotaNode
from omec.resolve.quota.tree import QuotaTree
from omec.resolve.quota.violation import denial


def refusal_of_write(live: Sequence[QuotaNode], node: QuotaNode, *, max_depth: int = DEFAULT_MAX_DEPTH) -> str | None:
    """Why creating ``node``, or replacing the one of its name, is denied; ``None`` where it is allowed."""
    if any(other.name == node.name for other in live):
        after = [node if other.name == node.name else other for other in live]
    else:
        after = [*live, node]
    return _refusal(live, after, max_depth)


def refusal_of_deletion(live: Sequence[QuotaNode], name: str, *, max_depth: int = DEFAULT_MAX_DEPTH) -> str | None:
    """Why deleting the node called ``name`` is denied; ``None`` where it is allowed."""
    return _refusal(live, [node for node in live if node.name != name], max_depth)


def _refusal(before: Sequence[QuotaNode], after: Sequence[QuotaNode], max_depth: int) -> str | None:
    known = {violation.identity for violation in tree_violations(QuotaTree(before), max_depth)}
    added = [found for found in tree_violations(QuotaTree(after), max_depth) if found.identity not in known]
    return denial(added) if added else None
