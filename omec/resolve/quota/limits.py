"""Rules that compare budgets: with those of the children, and with the hardware (reference 15 §1.4 and §2).

Rules 13 and 14. Kueue knows neither: a Cohort's budget never reaches it, so nothing but these checks keeps a group
from being given more than its number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from omec.finding import FieldPath
from omec.resolve.quota.amount import Amount, total
from omec.resolve.quota.node import Budget, Pair, QuotaNode
from omec.resolve.quota.tree import QuotaTree
from omec.resolve.quota.violation import Reason, Violation


def containment_violations(tree: QuotaTree) -> Iterator[Violation]:
    """Cohorts whose direct children are given more than the Cohort's budget of the pair.

    A pair that the Cohort does not budget has no limit, and a child that does not budget it adds nothing.
    """
    for node in tree.nodes.values():
        if node.is_leaf:
            continue
        children = tree.children(node.name)
        for budget in node.budgets:
            given = [nominal for child in children for nominal in nominals(child, budget.pair)]
            # A single amount is reported as its manifest writes it, a sum as Kubernetes prints it.
            sum_of = total(given) if len(given) > 1 else next(iter(given), None)
            if sum_of is not None and budget.nominal < sum_of:
                message = f"budget {budget.pair} is {budget.nominal} but its children total {sum_of}"
                yield _over(node, Reason.CONTAINMENT_VIOLATED, budget, message)


def capacity_violations(
    tree: QuotaTree, marks: Mapping[Pair, Amount], measured: Collection[str] | None = None
) -> Iterator[Violation]:
    """Budgets of any node above the high-water mark of their pair, or of a pair that has none.

    Only budgets of the ``measured`` flavors are judged, all of them unless given.
    """
    for node in tree.nodes.values():
        for budget in node.budgets:
            if measured is not None and budget.pair.flavor not in measured:
                continue
            mark = marks.get(budget.pair)
            if mark is None:
                message = f"budget {budget.pair} is {budget.nominal} but no capacity is measured for that pair"
            elif budget.nominal > mark:
                message = f"budget {budget.pair} is {budget.nominal} but the cluster's peak capacity is {mark}"
            else:
                continue
            yield _over(node, Reason.CAPACITY_EXCEEDED, budget, message)


def nominals(node: QuotaNode, pair: Pair) -> list[Amount]:
    """What the node writes for ``pair``."""
    return [budget.nominal for budget in node.budgets if budget.pair == pair]


def _over(node: QuotaNode, reason: Reason, budget: Budget, message: str) -> Violation:
    field: FieldPath = ("spec", "budgets", budget.index, "nominal")
    return Violation(node.name, reason, message, str(budget.pair), field)
