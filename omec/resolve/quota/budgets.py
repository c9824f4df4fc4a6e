"""What is wrong with a budget by itself, although the schema and the webhook take it (reference 15 §4 and §7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from omec.finding import FieldPath
from omec.resolve.quota.amount import ZERO
from omec.resolve.quota.node import Budget, QuotaNode


class BudgetProblem(NamedTuple):
    """The amount in ``field`` of a node's manifest, and why Kueue refuses it."""

    field: FieldPath
    message: str


def budget_problems(node: QuotaNode) -> Iterator[BudgetProblem]:
    for budget in node.budgets:
        yield from _problems(budget)


def _problems(budget: Budget) -> Iterator[BudgetProblem]:
    amounts = {
        "nominal": budget.nominal,
        "borrowingLimit": budget.borrowing_limit,
        "lendingLimit": budget.lending_limit,
    }
    path: FieldPath = ("spec", "budgets", budget.index)
    for name, amount in amounts.items():
        if amount is not None and amount < ZERO:
            message = f"{name} of budget {budget.pair} is {amount}: must be greater than or equal to 0"
            yield BudgetProblem((*path, name), message)
    lending = budget.lending_limit
    if lending is not None and lending > budget.nominal:
        message = f"lendingLimit of budget {budget.pair} is {lending}, its nominal {budget.nominal}"
        yield BudgetProblem((*path, "lendingLimit"), f"{message}: must be less than or equal to the nominalQuota")
