"""The conditions of :mod:`omec.api.checks` as JSON Schema, as far as that can say them.

Each is turned round, into a schema of the objects that break the condition, because editors show a text of ours
(``errorMessage``) for a wrong type, but not for a failed combination. A field that is ``null`` counts as absent.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from omec.api.checks import CHECKS

Schema = dict[str, Any]

INEXPRESSIBLE = frozenset({"max-age-covers-period", "quorum-within-samples", "timeout-below-period"})
"""Conditions that compare the values of two fields."""

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
_COMPONENTS = ("engine", "decoder", "router")
_NOT_POSITIVE: Schema = {"type": "string", "pattern": "^-|^[^1-9]*$"}


def forbidden(check: str) -> Schema | None:
    """A schema that refuses the objects that break ``check``; ``None`` where JSON Schema cannot say that.

    It lets a null pass, which is no object at all.
    """
    if check in INEXPRESSIBLE:
        return None
    return {"if": _VIOLATIONS[check], "then": {"type": "null", "errorMessage": CHECKS[check].message}}


def _inside(name: str, schema: Schema) -> Schema:
    return {"properties": {name: schema}, "required": [name]}


def _set(name: str) -> Schema:
    return _inside(name, {"not": {"type": "null"}})


def _unset(name: str) -> Schema:
    return {"not": _set(name)}


def _is(name: str, value: Any) -> Schema:
    return _inside(name, {"const": value})


def _has_item(name: str, item: Schema) -> Schema:
    return _inside(name, {"type": "array", "contains": item})


def _all(*schemas: Schema) -> Schema:
    return {"allOf": list(schemas)}


def _any(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


def _not_one_of(*names: str) -> Schema:
    return {"not": {"oneOf": [_set(name) for name in names]}}


def _disabled_with(*others: str) -> Schema:
    return _all(_is("disabled", True), _any(*map(_set, others)))


def _enabled_without(*needed: str) -> Schema:
    return _all({"not": _is("disabled", True)}, _any(*map(_unset, needed)))


def _budget_with_policy(policy: str, budget: Schema) -> Schema:
    """A node with a ``budget`` that is split by ``policy``: the budget's own one, else the node's."""
    own = _has_item("budgets", _all(_is("policy", policy), budget))
    inherited = _has_item("budgets", _all(_unset("policy"), budget))
    return _any(own, _all(_inside("distribution", _is("policy", policy)), inherited))


_AFFINITY = _is("policy", "ClusterAffinity")
_COHORT = _is("role", "Cohort")
_QUEUE = _is("role", "ClusterQueue")

_VIOLATIONS: dict[str, Schema] = {
    "capacity-factors-once": _all(
        _inside("routing", _set("capacityFactors")), _inside("placement", _set("capacityFactors"))
    ),
    "affinity-needs-mode": _all(_AFFINITY, _unset("mode")),
    "timeout-needs-single": _all(_set("replacementTimeout"), {"not": _all(_AFFINITY, _is("mode", "Single"))}),
    "timeout-positive": _inside("replacementTimeout", _NOT_POSITIVE),
    "term-not-empty": {"not": _any(_has_item("matchExpressions", {}), _has_item("matchFields", {}))},
    "cluster-one-source": _not_one_of("kubeConfig", "clusterProfileRef"),
    "policy-class-template": _any(
        _all(_is("class", "KEDA"), _any(_unset("keda"), _set("hpa"))),
        _all({"not": _is("class", "KEDA")}, _set("keda")),
    ),
    "fallback-one-source": _not_one_of("value", "fromComponent"),
    "quota-name-length": _inside("metadata", _inside("name", {"type": "string", "minLength": 64})),
    "queue-needs-parent": _all(_QUEUE, _unset("parentRef")),
    "cohort-bare": _all(_COHORT, _any(_set("priorityTier"), _set("distribution"))),
    "cohort-budgets-bare": _all(
        _COHORT,
        _has_item("budgets", _any(*map(_set, ("policy", "borrowingLimit", "lendingLimit", "perCluster")))),
    ),
    "queue-needs-budget": _all(_QUEUE, {"not": _has_item("budgets", {})}),
    "explicit-needs-shares": _budget_with_policy("Explicit", _unset("perCluster")),
    "proportional-forbids-shares": _budget_with_policy("Proportional", _set("perCluster")),
    "group-one-progression": _any(*(_all(_set(one), _set(two)) for one, two in combinations(_PROGRESSIONS, 2))),
    "group-order-members": _any(
        *(
            _all(_has_item("order", {"const": name}), {"not": _has_item("components", {"const": name})})
            for name in _COMPONENTS
        )
    ),
    "policy-one-progression": _not_one_of(*_PROGRESSIONS),
    "prometheus-one-source": _all(_set("providerRef"), _set("serverAddress")),
    "probe-disabled-alone": _disabled_with(*_PROBE),
    "probe-complete": _enabled_without(*_PROBE),
    "period-positive": _inside("period", _NOT_POSITIVE),
    "poll-timeout-positive": _inside("timeout", _NOT_POSITIVE),
    "gate-statuses": _has_item("gateStatuses", {"enum": [401, 403, 429]}),
    "capacity-disabled-alone": _disabled_with(*_CAPACITY, "options"),
    "capacity-complete": _enabled_without(*_CAPACITY),
    "publisher-options": _inside(
        "options",
        {
            "type": "object",
            "not": {
                "propertyNames": {"minLength": 1, "maxLength": 128},
                "additionalProperties": {"minLength": 1, "maxLength": 4096},
            },
        },
    ),
}
