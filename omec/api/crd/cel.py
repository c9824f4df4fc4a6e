"""The validation rules (CEL) of OME's CRDs (reference 06 §14).

:mod:`omec.api.checks` holds the same rules as Python functions, with the texts that the API server returns; here is
what the API server evaluates. Rules that no manifest can break on its own (about updates, about ``status``) are only
here.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from omec.api.checks import CHECKS


class CelRule(msgspec.Struct, frozen=True):
    """One rule: ``expression`` must hold for ``self``, the object, or its ``field`` where one is named."""

    expression: str
    message: str
    field: str = ""

    def to_dict(self) -> dict[str, str]:
        return {"message": self.message, "rule": self.expression}


def _present(*names: str) -> str:
    return " && ".join(f"has(self.{name})" for name in names)


def _absent(*names: str) -> str:
    return " && ".join(f"!has(self.{name})" for name in names)


def _count(*names: str) -> str:
    return " + ".join(f"(has(self.{name}) ? 1 : 0)" for name in names)


_DISABLED = "(has(self.disabled) && self.disabled)"
_PROBE = (
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
_CAPACITY = ("path", "method", "format", "period", "timeout", "samples", "quorum", "maxAge")
_PROGRESSIONS = ("canary", "blueGreen", "rollingUpdate")


def _positive(name: str) -> str:
    return f"!has(self.{name}) || duration(self.{name}) > duration('0s')"


def _effective_policy_is(policy: str) -> str:
    """Whether budget ``b`` is split by ``policy``: its own one, else the node's."""
    inherited = f"(has(self.distribution) && has(self.distribution.policy) && self.distribution.policy == '{policy}')"
    return f"(has(b.policy) ? b.policy == '{policy}' : {inherited})"


_EXPRESSIONS = {
    "capacity-factors-once": (
        "!(has(self.routing) && has(self.routing.capacityFactors)"
        " && has(self.placement) && has(self.placement.capacityFactors))"
    ),
    "affinity-needs-mode": "!has(self.policy) || self.policy != 'ClusterAffinity' || has(self.mode)",
    "timeout-needs-single": (
        "!has(self.replacementTimeout) || (has(self.policy) && self.policy == 'ClusterAffinity'"
        " && has(self.mode) && self.mode == 'Single')"
    ),
    "timeout-positive": "duration(self) > duration('0s')",
    "term-not-empty": (
        "(has(self.matchExpressions) && size(self.matchExpressions) > 0)"
        " || (has(self.matchFields) && size(self.matchFields) > 0)"
    ),
    "cluster-one-source": "has(self.kubeConfig) != has(self.clusterProfileRef)",
    "policy-class-template": ("self.class == 'KEDA' ? has(self.keda) && !has(self.hpa) : !has(self.keda)"),
    "fallback-one-source": "has(self.value) != has(self.fromComponent)",
    "quota-name-length": "size(self.metadata.name) <= 63",
    "queue-needs-parent": "self.role != 'ClusterQueue' || has(self.parentRef)",
    "cohort-bare": f"self.role != 'Cohort' || ({_absent('priorityTier', 'distribution')})",
    "cohort-budgets-bare": (
        "self.role != 'Cohort' || !has(self.budgets) || self.budgets.all(b,"
        " !has(b.policy) && !has(b.borrowingLimit) && !has(b.lendingLimit) && !has(b.perCluster))"
    ),
    "queue-needs-budget": "self.role != 'ClusterQueue' || (has(self.budgets) && size(self.budgets) > 0)",
    "explicit-needs-shares": (
        f"!has(self.budgets) || self.budgets.all(b, !{_effective_policy_is('Explicit')} || has(b.perCluster))"
    ),
    "proportional-forbids-shares": (
        f"!has(self.budgets) || self.budgets.all(b, !{_effective_policy_is('Proportional')} || !has(b.perCluster))"
    ),
    "group-one-progression": f"{_count(*_PROGRESSIONS)} <= 1",
    "group-order-members": "!has(self.order) || self.order.all(name, name in self.components)",
    "policy-one-progression": f"{_count(*_PROGRESSIONS)} == 1",
    "prometheus-one-source": "!(has(self.providerRef) && has(self.serverAddress))",
    "probe-disabled-alone": f"!{_DISABLED} || ({_absent(*_PROBE)})",
    "probe-complete": f"{_DISABLED} || ({_present(*_PROBE)})",
    "period-positive": _positive("period"),
    "poll-timeout-positive": _positive("timeout"),
    "timeout-below-period": (f"!({_present('timeout', 'period')}) || duration(self.timeout) < duration(self.period)"),
    "gate-statuses": "!has(self.gateStatuses) || !self.gateStatuses.exists(code, code in [401, 403, 429])",
    "capacity-disabled-alone": f"!{_DISABLED} || ({_absent(*_CAPACITY, 'options')})",
    "capacity-complete": f"{_DISABLED} || ({_present(*_CAPACITY)})",
    "max-age-covers-period": (f"!({_present('maxAge', 'period')}) || duration(self.maxAge) >= duration(self.period)"),
    "quorum-within-samples": f"!({_present('quorum', 'samples')}) || self.quorum <= self.samples",
    "publisher-options": (
        "self.all(key, size(key) >= 1 && size(key) <= 128 && size(self[key]) >= 1 && size(self[key]) <= 4096)"
    ),
}
_FIELDS = {"timeout-positive": "replacementTimeout", "publisher-options": "options"}
"""Rules that stand at a field of the object that the check is about."""

CEL_RULES = {
    name: CelRule(expression, CHECKS[name].message, _FIELDS.get(name, "")) for name, expression in _EXPRESSIONS.items()
}
"""By the name of the check that says the same."""

_AFFINITY_STAYS = CelRule(
    "!(has(oldSelf.placement) && has(oldSelf.placement.policy) && oldSelf.placement.policy == 'ClusterAffinity')"
    " || (has(self.placement) && has(self.placement.policy) && self.placement.policy == 'ClusterAffinity')",
    "ClusterAffinity placement policy cannot be removed; drain and recreate the service to use Legacy",
)
_COLUMNS_NEED_ENCODING = CelRule(
    "!has(self.instanceStatusColumns) || has(self.instanceStatusEncoding)",
    "instanceStatusColumns requires instanceStatusEncoding; an unmarked status carries only instanceStatuses",
)
_ENCODING_NEEDS_COLUMNS = CelRule(
    "!has(self.instanceStatusEncoding) || (has(self.instanceStatusColumns) && !has(self.instanceStatuses))",
    "instanceStatusEncoding: ColumnarV2 requires instanceStatusColumns and forbids instanceStatuses",
)
_ENTRY_NOT_EMPTY = CelRule(
    "has(self.conditions) || has(self.readySince) || has(self.operation) || has(self.lastFailure)"
    " || has(self.announced)",
    "an entry must carry at least one of conditions, readySince, operation, lastFailure, or announced",
)
_INCARNATION_NOT_ZERO = CelRule(
    "self.value != 0", "an incarnation group value must be nonzero; zero is the absent default"
)
_WITHOUT_CHECK = {
    "InferenceServiceSpec": (_AFFINITY_STAYS,),
    "InferenceReplicaStatus": (_COLUMNS_NEED_ENCODING, _ENCODING_NEEDS_COLUMNS),
    "InstanceEntry": (_ENTRY_NOT_EMPTY,),
    "IncarnationGroup": (_INCARNATION_NOT_ZERO,),
}


def rules_of(model: str, checks: Iterable[str]) -> tuple[CelRule, ...]:
    """The rules of an object type: those of its ``checks``, and those that only the API server can evaluate."""
    return (*(CEL_RULES[name] for name in checks), *_WITHOUT_CHECK.get(model, ()))
