"""Conditions on autoscaler policies."""

from __future__ import annotations

from omec.api.checks.check import Check, Object, count, has, paths
from omec.api.rules import EXCLUSIVE_FIELDS


def _class_has_its_template(policy: Object) -> bool:
    if policy.get("class") == "KEDA":
        return has(policy, "keda") and not has(policy, "hpa")
    return not has(policy, "keda")


POLICY_CLASS_TEMPLATE = Check(
    "policy-class-template",
    EXCLUSIVE_FIELDS,
    "class KEDA requires keda and forbids hpa; class HPA forbids keda",
    _class_has_its_template,
    "give class KEDA a keda block and no hpa block, class HPA at most an hpa block",
    paths("class"),
)
FALLBACK_ONE_SOURCE = Check(
    "fallback-one-source",
    EXCLUSIVE_FIELDS,
    "exactly one of value or fromComponent must be set",
    lambda source: count(source, "value", "fromComponent") == 1,
    "set value to a number, or fromComponent to MinReplicas or MaxReplicas",
    paths("fromComponent"),
)
