"""Rules on where the pods of a template may run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from omec.compile.admission.fielderror import Object, Refusals, forbidden, invalid, one_of, required, warning
from omec.compile.admission.names import labels, qualified_name
from omec.finding import FieldPath

_TOLERATION_CHOICES = {
    "operator": ("Equal", "Exists", "Lt", "Gt"),
    "effect": ("NoSchedule", "PreferNoSchedule", "NoExecute"),
}
_SPREAD_CHOICES = {
    "nodeAffinityPolicy": ("Honor", "Ignore"),
    "nodeTaintsPolicy": ("Honor", "Ignore"),
    "whenUnsatisfiable": ("DoNotSchedule", "ScheduleAnyway"),
}
_PREEMPTION_POLICIES = ("PreemptLowerPriority", "Never")
_SELECTOR_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
_NODE_OPERATORS = (*_SELECTOR_OPERATORS, "Gt", "Lt")
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def placement(spec: Object, path: FieldPath) -> Refusals:
    """Node selector, tolerations, affinity, spread, gates and preemption of a pod's ``spec``."""
    yield from one_of(spec, path, {"preemptionPolicy": _PREEMPTION_POLICIES})
    yield from _gates(spec, path)
    yield from labels(spec.get("nodeSelector", {}), (*path, "nodeSelector"))
    for index, toleration in enumerate(spec.get("tolerations", ())):
        yield from _toleration(toleration, (*path, "tolerations", index))
    affinity, at = spec.get("affinity", {}), (*path, "affinity")
    yield from _node_affinity(affinity.get("nodeAffinity", {}), (*at, "nodeAffinity"))
    for kind in ("podAffinity", "podAntiAffinity"):
        yield from _pod_affinity(affinity.get(kind, {}), (*at, kind))
    for index, constraint in enumerate(spec.get("topologySpreadConstraints", ())):
        yield from _spread(constraint, (*path, "topologySpreadConstraints", index))


def _gates(spec: Object, path: FieldPath) -> Refusals:
    """What a pod waits for before it is scheduled, and before it counts as ready."""
    for index, gate in enumerate(spec.get("schedulingGates", ())):
        yield from qualified_name(gate["name"], (*path, "schedulingGates", index, "name"))
    for index, gate in enumerate(spec.get("readinessGates", ())):
        yield from qualified_name(gate["conditionType"], (*path, "readinessGates", index, "conditionType"))


def label_selector(selector: Object, path: FieldPath) -> Refusals:
    yield from labels(selector.get("matchLabels", {}), (*path, "matchLabels"))
    yield from _expressions(selector, path, _SELECTOR_OPERATORS)


def _toleration(toleration: Object, path: FieldPath) -> Refusals:
    operator, effect = toleration.get("operator", ""), toleration.get("effect", "")
    if key := toleration.get("key"):
        yield from qualified_name(key, (*path, "key"))
    elif operator != "Exists":
        detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
        yield invalid((*path, "operator"), operator, detail)
    yield from one_of(toleration, path, _TOLERATION_CHOICES)
    if operator == "Exists" and (value := toleration.get("value")):
        yield invalid((*path, "operator"), value, "value must be empty when `operator` is 'Exists'")
    if "tolerationSeconds" in toleration and effect != "NoExecute":
        yield invalid((*path, "effect"), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")


def _node_affinity(affinity: Object, path: FieldPath) -> Refusals:
    if _REQUIRED in affinity:
        terms: Any = affinity[_REQUIRED]["nodeSelectorTerms"]
        at: FieldPath = (*path, _REQUIRED, "nodeSelectorTerms")
        if not terms:
            yield required(at, "must have at least one node selector term")
        for index, term in enumerate(terms):
            yield from _node_term(term, (*at, index))
    for index, entry in enumerate(affinity.get(_PREFERRED, ())):
        yield from _weight(entry, (*path, _PREFERRED, index))
        yield from _node_term(entry["preference"], (*path, _PREFERRED, index, "preference"))


def _node_term(term: Object, path: FieldPath) -> Refusals:
    yield from _expressions(term, path, _NODE_OPERATORS)
    for index, field in enumerate(term.get("matchFields", ())):
        at = (*path, "matchFields", index)
        if field["operator"] not in ("In", "NotIn"):
            yield invalid((*at, "operator"), field["operator"], "not a valid selector operator")
        elif len(field.get("values", ())) != 1:
            detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
            yield required((*at, "values"), detail)
        if field["key"] != "metadata.name":
            yield invalid((*at, "key"), field["key"], "not a valid field selector key")


def _pod_affinity(affinity: Object, path: FieldPath) -> Refusals:
    for index, term in enumerate(affinity.get(_REQUIRED, ())):
        yield from _pod_affinity_term(term, (*path, _REQUIRED, index))
    for index, entry in enumerate(affinity.get(_PREFERRED, ())):
        yield from _weight(entry, (*path, _PREFERRED, index))
        yield from _pod_affinity_term(entry["podAffinityTerm"], (*path, _PREFERRED, index, "podAffinityTerm"))


def _pod_affinity_term(term: Object, path: FieldPath) -> Refusals:
    key = term["topologyKey"]
    yield from qualified_name(key, (*path, "topologyKey")) if key else _no_topology_key(path)
    for name in ("labelSelector", "namespaceSelector"):
        yield from label_selector(term.get(name, {}), (*path, name))
    yield from _selection(term, path)


def _spread(constraint: Object, path: FieldPath) -> Refusals:
    if constraint["maxSkew"] <= 0:
        yield invalid((*path, "maxSkew"), constraint["maxSkew"], "must be greater than zero")
    if not constraint["topologyKey"]:
        yield from _no_topology_key(path)
    yield from one_of(constraint, path, _SPREAD_CHOICES)
    domains, unsatisfiable = constraint.get("minDomains"), constraint["whenUnsatisfiable"]
    if domains is not None and domains <= 0:
        yield invalid((*path, "minDomains"), domains, "must be greater than 0")
    elif domains is not None and unsatisfiable != "DoNotSchedule":
        detail = f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {unsatisfiable}"
        yield invalid((*path, "minDomains"), domains, detail)
    yield from label_selector(constraint.get("labelSelector", {}), (*path, "labelSelector"))
    yield from _selection(constraint, path)


def _selection(term: Object, path: FieldPath) -> Refusals:
    """How ``term`` selects pods: by a selector, and by keys of labels that are added to it."""
    if "labelSelector" in term:
        return
    yield warning((*path, "labelSelector"), "a null labelSelector results in matching no pod")
    for name in ("matchLabelKeys", "mismatchLabelKeys"):
        if term.get(name):
            yield forbidden((*path, name), "must not be specified when labelSelector is not set")


def _no_topology_key(path: FieldPath) -> Refusals:
    yield required((*path, "topologyKey"), "can not be empty")


def _weight(entry: Object, path: FieldPath) -> Refusals:
    if not 1 <= entry["weight"] <= 100:
        yield invalid((*path, "weight"), entry["weight"], "must be in the range 1-100")


def _expressions(owner: Object, path: FieldPath, operators: Iterable[str]) -> Refusals:
    for index, expression in enumerate(owner.get("matchExpressions", ())):
        at = (*path, "matchExpressions", index)
        operator, values = expression["operator"], expression.get("values", ())
        yield from qualified_name(expression["key"], (*at, "key"))
        match operator:
            case _ if operator not in operators:
                yield invalid((*at, "operator"), operator, "not a valid selector operator")
            case "In" | "NotIn" if not values:
                yield required((*at, "values"), "must be specified when `operator` is 'In' or 'NotIn'")
            case "Exists" | "DoesNotExist" if values:
                yield forbidden((*at, "values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
            case "Gt" | "Lt" if len(values) != 1:
                yield required((*at, "values"), "must be specified single value when `operator` is 'Lt' or 'Gt'")
