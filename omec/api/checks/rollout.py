"""Conditions on rollout groups and policies."""

from __future__ import annotations

from omec.api.checks.check import Check, Object, count, paths
from omec.api.rules import EXCLUSIVE_FIELDS, INCONSISTENT_VALUES

GROUP_ONE_PROGRESSION = Check(
    "group-one-progression",
    EXCLUSIVE_FIELDS,
    "at most one of canary, blueGreen, or rollingUpdate may be set on a rollout group",
    lambda group: count(group, "canary", "blueGreen", "rollingUpdate") <= 1,
    "keep one of the three",
    paths("rollingUpdate", "blueGreen", "canary"),
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
    "delete order, or name only components of this group",
    paths("order"),
)
PROMETHEUS_ONE_SOURCE = Check(
    "prometheus-one-source",
    EXCLUSIVE_FIELDS,
    "at most one of providerRef and serverAddress may be set",
    lambda prometheus: count(prometheus, "providerRef", "serverAddress") <= 1,
    "keep one of the two",
    paths("serverAddress"),
)
POLICY_ONE_PROGRESSION = Check(
    "policy-one-progression",
    EXCLUSIVE_FIELDS,
    "exactly one of canary, blueGreen, or rollingUpdate must be set",
    lambda policy: count(policy, "canary", "blueGreen", "rollingUpdate") == 1,
    "set one of the three; blueGreen: {} is the shortest",
    paths("rollingUpdate", "blueGreen", "canary"),
)
