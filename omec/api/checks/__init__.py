"""The validation rules (CEL) of OME's CRDs, as functions on plain data (reference 06 §14).

A :class:`Check` belongs to an object type. The models name the checks of their type; the generated schemas carry the
names; the linter runs the checks wherever such an object stands in a manifest. Rules about updates (``oldSelf``)
need two versions of an object and are not here.
"""

from __future__ import annotations

from omec.api.checks.check import Check
from omec.api.checks.placement import (
    AFFINITY_NEEDS_MODE,
    CAPACITY_FACTORS_ONCE,
    CLUSTER_ONE_SOURCE,
    TERM_NOT_EMPTY,
    TIMEOUT_NEEDS_SINGLE,
    TIMEOUT_POSITIVE,
)
from omec.api.checks.policy import (
    FALLBACK_ONE_SOURCE,
    POLICY_CLASS_TEMPLATE,
)
from omec.api.checks.quota import (
    COHORT_BARE,
    COHORT_BUDGETS_BARE,
    EXPLICIT_NEEDS_SHARES,
    PROPORTIONAL_FORBIDS_SHARES,
    QUEUE_NEEDS_BUDGET,
    QUEUE_NEEDS_PARENT,
    QUOTA_NAME_LENGTH,
)
from omec.api.checks.rollout import (
    GROUP_ONE_PROGRESSION,
    GROUP_ORDER_MEMBERS,
    POLICY_ONE_PROGRESSION,
    PROMETHEUS_ONE_SOURCE,
)
from omec.api.checks.routing import (
    CAPACITY_COMPLETE,
    CAPACITY_DISABLED_ALONE,
    GATE_STATUSES,
    MAX_AGE_COVERS_PERIOD,
    PERIOD_POSITIVE,
    POLL_TIMEOUT_POSITIVE,
    PROBE_COMPLETE,
    PROBE_DISABLED_ALONE,
    PUBLISHER_OPTIONS,
    QUORUM_WITHIN_SAMPLES,
    TIMEOUT_BELOW_PERIOD,
)

CHECKS: dict[str, Check] = {value.name: value for value in list(globals().values()) if isinstance(value, Check)}
"""Every check by its name."""

__all__ = [
    "AFFINITY_NEEDS_MODE",
    "CAPACITY_COMPLETE",
    "CAPACITY_DISABLED_ALONE",
    "CAPACITY_FACTORS_ONCE",
    "CHECKS",
    "CLUSTER_ONE_SOURCE",
    "COHORT_BARE",
    "COHORT_BUDGETS_BARE",
    "EXPLICIT_NEEDS_SHARES",
    "FALLBACK_ONE_SOURCE",
    "GATE_STATUSES",
    "GROUP_ONE_PROGRESSION",
    "GROUP_ORDER_MEMBERS",
    "MAX_AGE_COVERS_PERIOD",
    "PERIOD_POSITIVE",
    "POLICY_CLASS_TEMPLATE",
    "POLICY_ONE_PROGRESSION",
    "POLL_TIMEOUT_POSITIVE",
    "PROBE_COMPLETE",
    "PROBE_DISABLED_ALONE",
    "PROMETHEUS_ONE_SOURCE",
    "PROPORTIONAL_FORBIDS_SHARES",
    "PUBLISHER_OPTIONS",
    "QUEUE_NEEDS_BUDGET",
    "QUEUE_NEEDS_PARENT",
    "QUORUM_WITHIN_SAMPLES",
    "QUOTA_NAME_LENGTH",
    "TERM_NOT_EMPTY",
    "TIMEOUT_BELOW_PERIOD",
    "TIMEOUT_NEEDS_SINGLE",
    "TIMEOUT_POSITIVE",
    "Check",
]
