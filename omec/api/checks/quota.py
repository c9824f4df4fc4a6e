"""Conditions on nodes of the quota tree."""

from __future__ import annotations

from collections.abc import Mapping

from omec.api.checks.check import Check, Object, count, has, items, paths
from omec.api.rules import EXCLUSIVE_FIELDS, INCOMPLETE_FIELDS, INCONSISTENT_VALUES


def _quota_name_fits(quota: Object) -> bool:
    metadata = quota.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None
    return not isinstance(name, str) or len(name) <= 63


QUOTA_NAME_LENGTH = Check(
    "quota-name-length",
    INCONSISTENT_VALUES,
    "an AcceleratorQuota name may not exceed 63 characters; it is copied into a label value on every Kueue object the "
    "node materializes",
    _quota_name_fits,
    "shorten the name to 63 characters",
    (("metadata", "name"),),
)
QUEUE_NEEDS_PARENT = Check(
    "queue-needs-parent",
    INCOMPLETE_FIELDS,
    "a ClusterQueue node must set parentRef; only the reserved root node is parent-less",
    lambda spec: spec.get("role") != "ClusterQueue" or has(spec, "parentRef"),
    "add parentRef with the name of the Cohort that the queue belongs to",
    paths("role"),
)
COHORT_BARE = Check(
    "cohort-bare",
    EXCLUSIVE_FIELDS,
    "a Cohort node must not set priorityTier or distribution; no workload binds to a grouping",
    lambda spec: spec.get("role") != "Cohort" or count(spec, "priorityTier", "distribution") == 0,
    "delete priorityTier and distribution, or move them to the leaves",
    paths("priorityTier", "distribution"),
)
COHORT_BUDGETS_BARE = Check(
    "cohort-budgets-bare",
    EXCLUSIVE_FIELDS,
    "a Cohort node's budgets carry only resourceName, resourceFlavor, and nominal",
    lambda spec: (
        spec.get("role") != "Cohort"
        or not any(
            count(budget, "policy", "borrowingLimit", "lendingLimit", "perCluster") for budget in items(spec, "budgets")
        )
    ),
    "delete policy, borrowingLimit, lendingLimit and perCluster from the budgets of the Cohort",
    paths("budgets"),
)
QUEUE_NEEDS_BUDGET = Check(
    "queue-needs-budget",
    INCOMPLETE_FIELDS,
    "a ClusterQueue node must carry at least one budget",
    lambda spec: spec.get("role") != "ClusterQueue" or bool(spec.get("budgets")),
    "add a budget with resourceName, resourceFlavor and nominal",
    paths("budgets", "role"),
)


def _budgets_of_policy(spec: Object, policy: str) -> list[Object]:
    """The budgets whose effective policy is ``policy``: their own, else the node's."""
    distribution = spec.get("distribution")
    default = distribution.get("policy") if isinstance(distribution, Mapping) else None
    return [budget for budget in items(spec, "budgets") if (budget.get("policy") or default) == policy]


EXPLICIT_NEEDS_SHARES = Check(
    "explicit-needs-shares",
    INCOMPLETE_FIELDS,
    "a budget whose effective distribution policy is Explicit must set perCluster",
    lambda spec: all(has(budget, "perCluster") for budget in _budgets_of_policy(spec, "Explicit")),
    "add perCluster to the budget, or set its policy to Proportional",
    paths("budgets"),
)
PROPORTIONAL_FORBIDS_SHARES = Check(
    "proportional-forbids-shares",
    EXCLUSIVE_FIELDS,
    "a budget whose effective distribution policy is Proportional must not set perCluster; the split is computed",
    lambda spec: not any(has(budget, "perCluster") for budget in _budgets_of_policy(spec, "Proportional")),
    "delete perCluster, or set the budget's policy to Explicit",
    paths("budgets"),
)
