"""Rules on Deployments, Jobs, and on what scales and protects them."""

from __future__ import annotations

from typing import Any

from omec.api.gotext import parse_integer
from omec.compile.admission.fielderror import (
    Object,
    Refusals,
    forbidden,
    invalid,
    not_empty,
    not_negative,
    one_of,
    required,
)
from omec.compile.admission.names import count_or_percent
from omec.compile.admission.pod import pod_template
from omec.compile.admission.scheduling import label_selector
from omec.finding import FieldPath

_METRIC_SOURCES = {
    "ContainerResource": "containerResource",
    "External": "external",
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
}
_RESOURCE_SOURCES = ("containerResource", "resource")
_LONGEST_WINDOW = 3600
_SPEC: FieldPath = ("spec",)
_PROGRESS_DEADLINE = 600


def deployment(obj: Object) -> Refusals:
    spec = obj["spec"]
    counts = ("replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds")
    yield from not_negative(spec, _SPEC, counts)
    deadline = spec.get("progressDeadlineSeconds", _PROGRESS_DEADLINE)
    if 0 <= deadline <= spec.get("minReadySeconds", 0):
        yield invalid((*_SPEC, "progressDeadlineSeconds"), deadline, "must be greater than minReadySeconds")
    yield from _selector(spec)
    yield from _strategy(spec.get("strategy", {}), (*_SPEC, "strategy"))
    template: FieldPath = (*_SPEC, "template")
    yield from pod_template(spec["template"], template, ("Always",))
    if "activeDeadlineSeconds" in spec["template"].get("spec", {}):
        at = (*template, "spec", "activeDeadlineSeconds")
        yield forbidden(at, "activeDeadlineSeconds in ReplicaSet is not Supported")


def _selector(spec: Object) -> Refusals:
    selector = spec["selector"]
    matched = selector.get("matchLabels", {})
    yield from label_selector(selector, (*_SPEC, "selector"))
    if not matched and not selector.get("matchExpressions"):
        yield invalid((*_SPEC, "selector"), selector, "empty selector is invalid for deployment")
    given = spec["template"].get("metadata", {}).get("labels", {})
    if any(given.get(key) != value for key, value in matched.items()):
        detail = "`selector` does not match template `labels`"
        yield invalid((*_SPEC, "template", "metadata", "labels"), dict(sorted(given.items())), detail)


def _strategy(strategy: Object, path: FieldPath) -> Refusals:
    yield from one_of(strategy, path, {"type": ("Recreate", "RollingUpdate")})
    rolling = strategy.get("rollingUpdate", {})
    at = (*path, "rollingUpdate")
    if strategy.get("type") == "Recreate" and "rollingUpdate" in strategy:
        yield forbidden(at, "may not be specified when strategy `type` is 'Recreate'")
    for name in ("maxUnavailable", "maxSurge"):
        if name in rolling:
            yield from count_or_percent(rolling[name], (*at, name))
    share = rolling.get("maxUnavailable", 0)
    percent = isinstance(share, str) and not any(count_or_percent(share, at))
    if percent and parse_integer(share[:-1]) not in range(101):
        yield invalid((*at, "maxUnavailable"), share, "must not be greater than 100%")
    if all(rolling.get(name) in (0, "0%") for name in ("maxUnavailable", "maxSurge")):
        yield invalid((*at, "maxUnavailable"), rolling["maxUnavailable"], "may not be 0 when `maxSurge` is 0")


def job(obj: Object) -> Refusals:
    spec = obj["spec"]
    template: FieldPath = (*_SPEC, "template")
    counts = ("activeDeadlineSeconds", "backoffLimit", "completions", "parallelism", "ttlSecondsAfterFinished")
    yield from not_negative(spec, _SPEC, counts)
    if spec["template"].get("spec", {}).get("restartPolicy", "Always") == "Always":
        yield required((*template, "spec", "restartPolicy"), 'valid values: "OnFailure", "Never"')
    yield from pod_template(spec["template"], template)


def stored_template(obj: Object) -> Refusals:
    yield from pod_template(obj.get("template", {}), ("template",))


def autoscaler(obj: Object) -> Refusals:
    spec = obj["spec"]
    yield from _scale_target(spec["scaleTargetRef"], (*_SPEC, "scaleTargetRef"))
    at_least, at_most = spec.get("minReplicas", 1), spec["maxReplicas"]
    metrics = spec.get("metrics", ())
    if at_least < 0:
        yield invalid((*_SPEC, "minReplicas"), at_least, "must be greater than or equal to 0")
    elif at_least == 0 and not any(metric["type"] in ("Object", "External") for metric in metrics):
        # With one it is a feature gate of the cluster that decides.
        detail = "must specify at least one Object or External metric to support scaling to zero replicas"
        yield forbidden((*_SPEC, "metrics"), detail)
    if at_most < 1:
        yield invalid((*_SPEC, "maxReplicas"), at_most, "must be greater than 0")
    if at_most < at_least:
        yield invalid((*_SPEC, "maxReplicas"), at_most, "must be greater than or equal to `minReplicas`")
    for index, metric in enumerate(metrics):
        yield from _metric(metric, (*_SPEC, "metrics", index))
    for direction in ("scaleDown", "scaleUp"):
        rules = spec.get("behavior", {}).get(direction, {})
        yield from _scaling_rules(rules, (*_SPEC, "behavior", direction))


def _scale_target(target: Object, path: FieldPath) -> Refusals:
    yield from not_empty(target, path, ("kind", "name"))
    api_version = target.get("apiVersion", "")
    if "/" not in api_version and (api_version, target["kind"]) != ("v1", "ReplicationController"):
        yield invalid((*path, "apiVersion"), api_version, "apiVersion must specify API group")


def _metric(metric: Object, path: FieldPath) -> Refusals:
    yield from one_of(metric, path, {"type": tuple(_METRIC_SOURCES)})
    source = _METRIC_SOURCES.get(metric["type"])
    if source is None:
        return
    if source not in metric:
        yield required((*path, source), "must populate information for the given metric source")
        return
    for other in metric.keys() - {"type", source}:
        yield forbidden((*path, other), "must populate the given metric source only")
    at = (*path, source, "target")
    target: Any = metric[source]["target"]
    yield from one_of(target, at, {"type": ("Utilization", "Value", "AverageValue")})
    if source in _RESOURCE_SOURCES:
        amounts = {"averageUtilization", "averageValue"} & target.keys()
        if len(amounts) > 1:
            yield forbidden((*at, "averageValue"), "may not set both a target raw value and a target utilization")
        elif not amounts:
            detail = "must set either a target raw value or a target utilization"
            yield required((*at, "averageUtilization"), detail)
        if target.get("averageUtilization", 1) <= 0:
            yield invalid((*at, "averageUtilization"), target["averageUtilization"], "must be greater than 0")


def _scaling_rules(rules: Object, path: FieldPath) -> Refusals:
    window = rules.get("stabilizationWindowSeconds", 0)
    if window > _LONGEST_WINDOW:
        detail = f"must be less than or equal to {_LONGEST_WINDOW}"
        yield invalid((*path, "stabilizationWindowSeconds"), window, detail)
    yield from not_negative(rules, path, ("stabilizationWindowSeconds",))
    yield from one_of(rules, path, {"selectPolicy": ("Disabled", "Max", "Min")})
    policies: Any = rules.get("policies")
    if policies == []:
        yield required((*path, "policies"), "must specify at least one Policy")
    for index, policy in enumerate(policies or ()):
        at = (*path, "policies", index)
        yield from one_of(policy, at, {"type": ("Percent", "Pods")})
        for name in ("value", "periodSeconds"):
            if policy[name] <= 0:
                yield invalid((*at, name), policy[name], "must be greater than zero")


def disruption_budget(obj: Object) -> Refusals:
    spec = obj.get("spec", {})
    if "minAvailable" in spec and "maxUnavailable" in spec:
        yield invalid(_SPEC, spec, "minAvailable and maxUnavailable cannot be both set")
    for name in ("minAvailable", "maxUnavailable"):
        if name in spec:
            yield from count_or_percent(spec[name], (*_SPEC, name))
    yield from label_selector(spec.get("selector", {}), (*_SPEC, "selector"))
    yield from one_of(spec, _SPEC, {"unhealthyPodEvictionPolicy": ("AlwaysAllow", "IfHealthyBudget")})
