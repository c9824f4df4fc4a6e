"""Rules about what a node may carry for its role (reference 15 §1.3, rules 8 to 12).

Most of it the CRD refuses too; OME's minimal CRD has no such conditions, and none can see other nodes.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.gotext import quoted
from omec.finding import FieldPath
from omec.resolve.quota.membership import PARENT
from omec.resolve.quota.node import QuotaNode, Role
from omec.resolve.quota.tree import QuotaTree
from omec.resolve.quota.violation import Reason, Violation


def role_violations(tree: QuotaTree) -> Iterator[Violation]:
    for node in tree.nodes.values():
        match node.role:
            case Role.CLUSTER_QUEUE:
                yield from _leaf(tree, node)
            case Role.COHORT:
                yield from _cohort(node)
            case _:
                yield _invalid(node.name, f"unknown role {quoted(node.role)}", field=("spec", "role"))


def _leaf(tree: QuotaTree, leaf: QuotaNode) -> Iterator[Violation]:
    """Children of a leaf are their own fault: nobody shall freeze another team's leaf by hanging a node below it."""
    for child in tree.children(leaf.name):
        message = (
            f"parent {quoted(leaf.name)} is a ClusterQueue node, which takes no children; attach to a Cohort, or add "
            "a ClusterQueue leaf beside it instead"
        )
        yield _invalid(child.name, message, leaf.name, PARENT)
    if not leaf.budgets:
        yield _invalid(leaf.name, "a ClusterQueue node must carry at least one budget", field=("spec", "budgets"))


def _cohort(cohort: QuotaNode) -> Iterator[Violation]:
    fields = {"priorityTier": bool(cohort.priority_tier), "distribution": cohort.distribution is not None}
    given = [name for name, is_set in fields.items() if is_set]
    if given:
        message = f"a Cohort node must not set {', '.join(given)}; no workload binds to a grouping"
        yield _invalid(cohort.name, message, ",".join(given), ("spec", given[0]))
    for budget in cohort.budgets:
        if budget.leaf_only_fields:
            message = (
                f"budget {budget.pair} carries leaf-only fields; a Cohort budget is an authoring guardrail that never "
                "materializes, so it holds only resourceName, resourceFlavor, and nominal"
            )
            field = ("spec", "budgets", budget.index, budget.leaf_only_fields[0])
            yield _invalid(cohort.name, message, str(budget.pair), field)


def _invalid(node: str, message: str, subject: str = "", field: FieldPath = ()) -> Violation:
    return Violation(node, Reason.NODE_KIND_INVALID, message, subject, field)
