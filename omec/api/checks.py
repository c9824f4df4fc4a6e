"""The validation rules (CEL) of OME's CRDs, as functions on plain data (reference 06 §14).

A :class:`Check` belongs to an object type. The models name the checks of their type; the generated schemas carry the
names; the linter runs the checks wherever such an object stands in a manifest. Rules about updates (``oldSelf``)
need two versions of an object and are not here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from omec.api.duration import parse_duration
from omec.api.rules import EXCLUSIVE_FIELDS, INCOMPLETE_FIELDS, INCONSISTENT_VALUES
from omec.finding import FieldPath, Rule

Object = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Check:
    """One condition on an object.

    ``holds`` must not raise on data of the wrong shape (shape is reported elsewhere). ``message`` is the text that
    the API server returns. ``points_to`` names the keys among which the finding's position is looked for, the first
    present one wins; the object itself if there is none.
    """

    name: str
    rule: Rule
    message: str
    holds: Callable[[Object], bool]
    help: str
    points_to: tuple[FieldPath, ...] = ()


def _has(obj: Object, *path: str) -> bool:
    """Whether the field at ``path`` is present and not null."""
    value: Any = obj
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value is not None


def _count(obj: Object, *names: str) -> int:
    return sum(obj.get(name) is not None for name in names)


def _items(obj: Object, name: str) -> list[Object]:
    value = obj.get(name)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _nanoseconds(obj: Object, name: str) -> int | None:
    """The duration in a field; ``None`` when there is none, or not a valid one (which is a finding of its own)."""
    value = obj.get(name)
    if not isinstance(value, str):
        return None
    try:
        return parse_duration(value)
    except ValueError:
        return None


def _positive(name: str) -> Callable[[Object], bool]:
    def holds(obj: Object) -> bool:
        value = _nanoseconds(obj, name)
        return value is None or value > 0

    return holds


def _ordered(lower: str, upper: str, *, strict: bool) -> Callable[[Object], bool]:
    """Duration ``lower`` is below (or, not ``strict``, at most) duration ``upper`` when both are present."""

    def holds(obj: Object) -> bool:
        low, high = _nanoseconds(obj, lower), _nanoseconds(obj, upper)
        return low is None or high is None or low < high or (not strict and low == high)

    return holds


def _disabled_alone(*others: str) -> Callable[[Object], bool]:
    return lambda obj: obj.get("disabled") is not True or _count(obj, *others) == 0


def _complete(*needed: str) -> Callable[[Object], bool]:
    return lambda obj: obj.get("disabled") is True or _count(obj, *needed) == len(needed)


def _paths(*names: str) -> tuple[FieldPath, ...]:
    return tuple((name,) for name in names)


CAPACITY_FACTORS_ONCE = Check(
    "capacity-factors-once",
    EXCLUSIVE_FIELDS,
    "spec.routing.capacityFactors and deprecated spec.placement.capacityFactors must not both be set",
    lambda spec: not (_has(spec, "routing", "capacityFactors") and _has(spec, "placement", "capacityFactors")),
    "Delete spec.placement.capacityFactors",
    (("placement", "capacityFactors"),),
)
AFFINITY_NEEDS_MODE = Check(
    "affinity-needs-mode",
    INCOMPLETE_FIELDS,
    "ClusterAffinity requires an explicit mode",
    lambda placement: placement.get("policy") != "ClusterAffinity" or _has(placement, "mode"),
    "Add mode: Single, All, Split or SplitByCapacity",
    _paths("policy"),
)
TIMEOUT_NEEDS_SINGLE = Check(
    "timeout-needs-single",
    INCOMPLETE_FIELDS,
    "replacementTimeout requires ClusterAffinity Single placement",
    lambda placement: (
        not _has(placement, "replacementTimeout")
        or (placement.get("policy") == "ClusterAffinity" and placement.get("mode") == "Single")
    ),
    "Delete replacementTimeout, or set policy: ClusterAffinity and mode: Single",
    _paths("replacementTimeout"),
)
TIMEOUT_POSITIVE = Check(
    "timeout-positive",
    INCONSISTENT_VALUES,
    "replacementTimeout must be a positive duration",
    _positive("replacementTimeout"),
    "Write a duration above zero, or delete the field",
    _paths("replacementTimeout"),
)
TERM_NOT_EMPTY = Check(
    "term-not-empty",
    INCOMPLETE_FIELDS,
    "a cluster affinity term must contain a requirement",
    lambda term: bool(term.get("matchExpressions") or term.get("matchFields")),
    "Add a requirement to matchExpressions or matchFields, or delete the term",
)
GROUP_ONE_PROGRESSION = Check(
    "group-one-progression",
    EXCLUSIVE_FIELDS,
    "at most one of canary, blueGreen, or rollingUpdate may be set on a rollout group",
    lambda group: _count(group, "canary", "blueGreen", "rollingUpdate") <= 1,
    "Keep one of the three",
    _paths("rollingUpdate", "blueGreen", "canary"),
)


def _order_within_components(group: Object) -> bool:
    order, components = group.get("order"), group.get("components")
    if not isinstance(order, list) or not isinstance(components, list):
        return True
    return all(name in components for name in order)


GROUP_ORDER_MEMBERS = Check(
    "group-order-members",
    INCONSISTENT_VALUES,
    "order must reference only Components listed in this group",
    _order_within_components,
    "Delete order, or name only components of this group",
    _paths("order"),
)
PROMETHEUS_ONE_SOURCE = Check(
    "prometheus-one-source",
    EXCLUSIVE_FIELDS,
    "at most one of providerRef and serverAddress may be set",
    lambda prometheus: _count(prometheus, "providerRef", "serverAddress") <= 1,
    "Keep one of the two",
    _paths("serverAddress"),
)

_PROBE_FIELDS = (
    "path",
    "method",
    "acceptStatuses",
    "gateStatuses",
    "period",
    "timeout",
    "failureThreshold",
    "successThreshold",
    "allFailedPolicy",
)
_CAPACITY_FIELDS = ("path", "method", "format", "period", "timeout", "samples", "quorum", "maxAge")

PROBE_DISABLED_ALONE = Check(
    "probe-disabled-alone",
    EXCLUSIVE_FIELDS,
    "disabled must not be combined with probe configuration fields",
    _disabled_alone(*_PROBE_FIELDS),
    "Delete disabled, or every other field of the probe",
    _paths("disabled"),
)
PROBE_COMPLETE = Check(
    "probe-complete",
    INCOMPLETE_FIELDS,
    "an enabled probe must specify path, method, acceptStatuses, gateStatuses, period, timeout, failureThreshold, "
    "successThreshold, and allFailedPolicy",
    _complete(*_PROBE_FIELDS),
    "Add the missing fields, or set disabled: true alone",
)
PERIOD_POSITIVE = Check(
    "period-positive",
    INCONSISTENT_VALUES,
    "period must be positive",
    _positive("period"),
    "Write a duration above zero",
    _paths("period"),
)
POLL_TIMEOUT_POSITIVE = Check(
    "poll-timeout-positive",
    INCONSISTENT_VALUES,
    "timeout must be positive",
    _positive("timeout"),
    "Write a duration above zero",
    _paths("timeout"),
)
TIMEOUT_BELOW_PERIOD = Check(
    "timeout-below-period",
    INCONSISTENT_VALUES,
    "timeout must be shorter than period",
    _ordered("timeout", "period", strict=True),
    "Shorten timeout, or lengthen period",
    _paths("timeout"),
)


def _gates_are_definite(probe: Object) -> bool:
    statuses = probe.get("gateStatuses")
    return not isinstance(statuses, list) or not any(status in (401, 403, 429) for status in statuses)


GATE_STATUSES = Check(
    "gate-statuses",
    INCONSISTENT_VALUES,
    "gateStatuses must not contain 401, 403, or 429",
    _gates_are_definite,
    "Delete 401, 403 and 429 from gateStatuses",
    _paths("gateStatuses"),
)
CAPACITY_DISABLED_ALONE = Check(
    "capacity-disabled-alone",
    EXCLUSIVE_FIELDS,
    "disabled must not be combined with capacity configuration fields",
    _disabled_alone(*_CAPACITY_FIELDS, "options"),
    "Delete disabled, or every other field of the capacity poll",
    _paths("disabled"),
)
CAPACITY_COMPLETE = Check(
    "capacity-complete",
    INCOMPLETE_FIELDS,
    "an enabled capacity poll must specify path, method, format, period, timeout, samples, quorum, and maxAge",
    _complete(*_CAPACITY_FIELDS),
    "Add the missing fields, or set disabled: true alone",
)
MAX_AGE_COVERS_PERIOD = Check(
    "max-age-covers-period",
    INCONSISTENT_VALUES,
    "maxAge must be at least period",
    _ordered("period", "maxAge", strict=False),
    "Lengthen maxAge, or shorten period",
    _paths("maxAge"),
)


def _quorum_within_samples(poll: Object) -> bool:
    quorum, samples = poll.get("quorum"), poll.get("samples")
    return not isinstance(quorum, int) or not isinstance(samples, int) or quorum <= samples


QUORUM_WITHIN_SAMPLES = Check(
    "quorum-within-samples",
    INCONSISTENT_VALUES,
    "quorum must not exceed samples",
    _quorum_within_samples,
    "Lower quorum, or raise samples",
    _paths("quorum"),
)


def _publisher_options_fit(publisher: Object) -> bool:
    options = publisher.get("options")
    if not isinstance(options, Mapping):
        return True
    return all(
        1 <= len(key) <= 128 and (not isinstance(value, str) or 1 <= len(value) <= 4096)
        for key, value in options.items()
    )


PUBLISHER_OPTIONS = Check(
    "publisher-options",
    INCONSISTENT_VALUES,
    "publisher option keys must contain 1-128 characters and values must contain 1-4096 characters",
    _publisher_options_fit,
    "Shorten the key or the value, or delete the empty one",
    _paths("options"),
)


def _class_has_its_template(policy: Object) -> bool:
    if policy.get("class") == "KEDA":
        return _has(policy, "keda") and not _has(policy, "hpa")
    return not _has(policy, "keda")


POLICY_CLASS_TEMPLATE = Check(
    "policy-class-template",
    EXCLUSIVE_FIELDS,
    "class KEDA requires keda and forbids hpa; class HPA forbids keda",
    _class_has_its_template,
    "Give class KEDA a keda block and no hpa block, class HPA at most an hpa block",
    _paths("class"),
)
FALLBACK_ONE_SOURCE = Check(
    "fallback-one-source",
    EXCLUSIVE_FIELDS,
    "exactly one of value or fromComponent must be set",
    lambda source: _count(source, "value", "fromComponent") == 1,
    "Set value to a number, or fromComponent to MinReplicas or MaxReplicas",
    _paths("fromComponent"),
)
POLICY_ONE_PROGRESSION = Check(
    "policy-one-progression",
    EXCLUSIVE_FIELDS,
    "exactly one of canary, blueGreen, or rollingUpdate must be set",
    lambda policy: _count(policy, "canary", "blueGreen", "rollingUpdate") == 1,
    "Set one of the three; blueGreen: {} is the shortest",
    _paths("rollingUpdate", "blueGreen", "canary"),
)


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
    "Shorten the name to 63 characters",
    (("metadata", "name"),),
)
QUEUE_NEEDS_PARENT = Check(
    "queue-needs-parent",
    INCOMPLETE_FIELDS,
    "a ClusterQueue node must set parentRef; only the reserved root node is parent-less",
    lambda spec: spec.get("role") != "ClusterQueue" or _has(spec, "parentRef"),
    "Add parentRef with the name of the Cohort that the queue belongs to",
    _paths("role"),
)
COHORT_BARE = Check(
    "cohort-bare",
    EXCLUSIVE_FIELDS,
    "a Cohort node must not set priorityTier or distribution; no workload binds to a grouping",
    lambda spec: spec.get("role") != "Cohort" or _count(spec, "priorityTier", "distribution") == 0,
    "Delete priorityTier and distribution, or move them to the leaves",
    _paths("priorityTier", "distribution"),
)
COHORT_BUDGETS_BARE = Check(
    "cohort-budgets-bare",
    EXCLUSIVE_FIELDS,
    "a Cohort node's budgets carry only resourceName, resourceFlavor, and nominal",
    lambda spec: (
        spec.get("role") != "Cohort"
        or not any(
            _count(budget, "policy", "borrowingLimit", "lendingLimit", "perCluster")
            for budget in _items(spec, "budgets")
        )
    ),
    "Delete policy, borrowingLimit, lendingLimit and perCluster from the budgets of the Cohort",
    _paths("budgets"),
)
QUEUE_NEEDS_BUDGET = Check(
    "queue-needs-budget",
    INCOMPLETE_FIELDS,
    "a ClusterQueue node must carry at least one budget",
    lambda spec: spec.get("role") != "ClusterQueue" or bool(spec.get("budgets")),
    "Add a budget with resourceName, resourceFlavor and nominal",
    _paths("budgets", "role"),
)


def _budgets_of_policy(spec: Object, policy: str) -> list[Object]:
    """The budgets whose effective policy is ``policy``: their own, else the node's."""
    distribution = spec.get("distribution")
    default = distribution.get("policy") if isinstance(distribution, Mapping) else None
    return [budget for budget in _items(spec, "budgets") if (budget.get("policy") or default) == policy]


EXPLICIT_NEEDS_SHARES = Check(
    "explicit-needs-shares",
    INCOMPLETE_FIELDS,
    "a budget whose effective distribution policy is Explicit must set perCluster",
    lambda spec: all(_has(budget, "perCluster") for budget in _budgets_of_policy(spec, "Explicit")),
    "Add perCluster to the budget, or set its policy to Proportional",
    _paths("budgets"),
)
PROPORTIONAL_FORBIDS_SHARES = Check(
    "proportional-forbids-shares",
    EXCLUSIVE_FIELDS,
    "a budget whose effective distribution policy is Proportional must not set perCluster; the split is computed",
    lambda spec: not any(_has(budget, "perCluster") for budget in _budgets_of_policy(spec, "Proportional")),
    "Delete perCluster, or set the budget's policy to Explicit",
    _paths("budgets"),
)
CLUSTER_ONE_SOURCE = Check(
    "cluster-one-source",
    EXCLUSIVE_FIELDS,
    "exactly one of kubeConfig or clusterProfileRef must be set",
    lambda source: _count(source, "kubeConfig", "clusterProfileRef") == 1,
    "Set one of the two",
    _paths("clusterProfileRef"),
)

CHECKS: dict[str, Check] = {value.name: value for value in list(globals().values()) if isinstance(value, Check)}
"""Every check by its name."""
