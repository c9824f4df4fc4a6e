"""The quota manager's judgement of a tree: violations, what they freeze, and the conditions that it reports.

A node that breaks a rule is *frozen* with everything below it: its Kueue objects stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from omec.resolve.quota.amount import Amount
from omec.resolve.quota.limits import capacity_violations, containment_violations
from omec.resolve.quota.membership import membership_violations
from omec.resolve.quota.node import Pair, QuotaNode
from omec.resolve.quota.roles import role_violations
from omec.resolve.quota.tree import QuotaTree
from omec.resolve.quota.violation import Violation, ordered, primary

DEFAULT_MAX_DEPTH = 5
"""The value of the quota manager's chart; 0 is no limit."""


class Condition(msgspec.Struct, frozen=True):
    """A condition of a node's status."""

    type: str
    status: bool
    reason: str
    message: str


class Judgement(msgspec.Struct, frozen=True):
    """``violations`` are in the quota manager's order; ``frozen`` maps frozen nodes to the violation that they report.

    A node reports its own violation before one of an ancestor.
    """

    tree: QuotaTree
    violations: tuple[Violation, ...] = ()
    frozen: Mapping[str, Violation] = msgspec.field(default_factory=dict)

    def conditions(self, name: str) -> tuple[Condition, Condition]:
        """``Ready`` and ``Degraded`` of the node (reference 15 §3.5)."""
        cause = self.frozen.get(name)
        if cause is not None:
            return (
                Condition("Ready", status=False, reason=cause.reason, message=cause.message),
                Condition("Degraded", status=True, reason=cause.reason, message=cause.message),
            )
        member = "node is a valid member of the quota tree"
        return (
            Condition("Ready", status=True, reason="Admitted", message=member),
            Condition("Degraded", status=False, reason="Admitted", message="no invariant violated"),
        )


def judge(
    nodes: Iterable[QuotaNode],
    *,
    max_depth: int = DEFAULT_MAX_DEPTH,
    marks: Mapping[Pair, Amount] | None = None,
) -> Judgement:
    """The judgement of ``nodes``; ``marks`` are the high-water marks of measured pairs, where there are any.

    The marks stand in the status of ``root``, so a tree without one has none.
    """
    tree = QuotaTree(nodes)
    violations = tree_violations(tree, max_depth)
    if marks and tree.root is not None:
        violations = (*violations, *capacity_violations(tree, marks))
    return Judgement(tree, violations, _frozen(tree, violations))


def tree_violations(tree: QuotaTree, max_depth: int) -> tuple[Violation, ...]:
    """What the tree itself breaks, in order: all rules but that of capacity, which the webhook never sees."""
    return ordered([*membership_violations(tree, max_depth), *role_violations(tree), *containment_violations(tree)])


def _frozen(tree: QuotaTree, violations: Iterable[Violation]) -> dict[str, Violation]:
    """Of two violating ancestors the first by name hands its violation down, not the nearest."""
    causes = primary(violations)
    frozen = dict(causes)
    for name, cause in causes.items():
        for node in tree.subtree(name):
            frozen.setdefault(node.name, cause)
    return dict(sorted(frozen.items()))
