"""What the webhook of AutoscalerPolicies says about one (reference 10 §4.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from omec.api.gotext import quoted
from omec.compile.gotemplate import Field, TemplateError, parse
from omec.finding import FieldPath

VARIABLES = ("Namespace", "ISVCName", "Component", "MinReplicas", "MaxReplicas", "TargetName")
"""What the values of a trigger's metadata may refer to."""

PROVIDER_KEYS = ("serveraddress", "authmodes")
"""The metadata that only the provider gives, in lower case: KEDA does not care for case."""

_SAMPLE = {
    "Namespace": "sample-namespace",
    "ISVCName": "sample-isvc",
    "Component": "engine",
    "MinReplicas": "1",
    "MaxReplicas": "4",
    "TargetName": "sample-isvc-engine",
}
_PAIRS = {")": "(", "]": "[", "}": "{"}
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|`[^`]*`')
_NUMBER = r"[0-9]+(?:\.[0-9]+)?"
_TRAP = re.compile(rf"(==|!=|>=|<=|>|<)\s*bool\s+({_NUMBER}\s*[-+*/%^]\s*{_NUMBER})")


class Issue(msgspec.Struct, frozen=True):
    """One fault of a policy; ``reason`` and ``detail`` are the webhook's, ``path`` starts at its ``spec``."""

    reason: str
    detail: str
    path: FieldPath

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}"


def is_endpoint(trigger_type: Any) -> bool:
    """Whether a trigger of this type asks a network address, which a provider gives."""
    return isinstance(trigger_type, str) and trigger_type.lower() == "prometheus"


def policy_issues(spec: Mapping[str, Any]) -> list[Issue]:
    """All faults of a policy with this ``spec``; the webhook joins them with ``; ``."""
    issues = list(_class_issues(spec))
    keda = spec.get("keda")
    if not isinstance(keda, Mapping):
        return issues
    triggers = [trigger for trigger in keda.get("triggers") or () if isinstance(trigger, Mapping)]
    for index, trigger in enumerate(triggers):
        issues += _trigger_issues(index, trigger)
    replicas = (keda.get("fallback") or {}).get("replicas") or {}
    if keda.get("fallback") and sum(replicas.get(name) is not None for name in ("value", "fromComponent")) != 1:
        detail = "fallback.replicas: exactly one of value or fromComponent must be set"
        issues.append(Issue("ValueSourceInvalid", detail, ("keda", "fallback", "replicas")))
    return issues or list(_template_issues(triggers))


def _class_issues(spec: Mapping[str, Any]) -> Iterator[Issue]:
    if spec.get("enforcement") == "Required":
        detail = "enforcement Required is a reserved shape and not implemented; use Default"
        yield Issue("EnforcementRequiredReserved", detail, ("enforcement",))
    wanted = spec.get("class")
    keda, hpa = spec.get("keda") is not None, spec.get("hpa") is not None
    faults = {
        "KEDA": [
            (not keda, "class KEDA requires a keda template", "class"),
            (hpa, "class KEDA forbids an hpa template", "hpa"),
        ],
        "HPA": [(keda, "class HPA forbids a keda template", "keda")],
    }
    unknown = f"class {quoted(str(wanted or ''))} is not allowed in policies (External and None are inline-only)"
    for found, detail, field in faults.get(str(wanted), [(True, unknown, "class")]):
        if found:
            yield Issue("ClassTemplateMismatch", detail, (field,))


def _trigger_issues(index: int, trigger: Mapping[str, Any]) -> Iterator[Issue]:
    path: FieldPath = ("keda", "triggers", index)
    metadata = trigger.get("metadata") or {}
    for key in metadata:
        if key.lower() in PROVIDER_KEYS:
            detail = f"trigger {index}: metadata key {quoted(key)} is provider-owned; bind endpoints via providerRef"
            yield Issue("ForbiddenMetadataKey", detail, (*path, "metadata", key))
    if is_endpoint(trigger.get("type")):
        named = f"trigger {index} ({trigger['type']})"
        if not (trigger.get("providerRef") or {}).get("name"):
            detail = f"{named}: providerRef is required for endpoint trigger types"
            yield Issue("ProviderRefRequired", detail, path)
        if "ignoreNullValues" not in metadata:
            detail = (
                f"{named}: ignoreNullValues must be explicit — the KEDA default (true) silently treats no-series as a "
                "healthy zero"
            )
            yield Issue("IgnoreNullValuesMustBeExplicit", detail, (*path, "metadata"))
    if trigger.get("queryReturnsDesiredReplicas") and trigger.get("metricType") != "AverageValue":
        detail = (
            f"trigger {index}: queryReturnsDesiredReplicas requires metricType AverageValue — the HPA's Value math is "
            "ceil((metric/threshold) x readyPods), which breaks desired-count queries"
        )
        yield Issue("DesiredCountRequiresAverageValue", detail, (*path, "metricType"))


def _template_issues(triggers: Sequence[Mapping[str, Any]]) -> Iterator[Issue]:
    """The first template that is none; else the queries that are no PromQL when filled with sample values."""
    for index, trigger in enumerate(triggers):
        for key, value in (trigger.get("metadata") or {}).items():
            path: FieldPath = ("keda", "triggers", index, "metadata", key)
            try:
                fill(str(value), _SAMPLE)
            except VariableError as error:
                detail = f"trigger {index} metadata {quoted(key)}: {error}"
                yield Issue("ForbiddenTemplateNode" if error.forbidden else "ParseError", detail, path)
                return
    for index, trigger in enumerate(triggers):
        query = (trigger.get("metadata") or {}).get("query")
        if is_endpoint(trigger.get("type")) and query and (fault := _query_fault(fill(str(query), _SAMPLE))):
            yield Issue("PromQLInvalid", f"trigger {index}: {fault}", ("keda", "triggers", index, "metadata", "query"))


class VariableError(ValueError):
    """A value with more than text and variables in it; ``forbidden`` tells that from one that Go cannot read."""

    def __init__(self, message: str, *, forbidden: bool) -> None:
        super().__init__(message)
        self.forbidden = forbidden


def fill(text: str, values: Mapping[str, str]) -> str:
    """``text`` with its variables replaced by ``values``; raises :class:`VariableError`."""
    try:
        template = parse(text, "metadata")
    except TemplateError as error:
        raise VariableError(f"parse: {error}", forbidden=False) from error
    for node in template.nodes:
        if isinstance(node, Field):
            if len(node.names) > 1 or node.names[0] not in VARIABLES:
                shown = "{{." + ".".join(node.names) + "}}"
                allowed = " ".join(f".{name}" for name in VARIABLES)
                message = f"unknown template variable {quoted(shown)}: allowed variables are {allowed}"
                raise VariableError(message, forbidden=True)
        elif not isinstance(node, str):
            message = f"forbidden template construct in {quoted(text)}: only field access is allowed"
            raise VariableError(message, forbidden=True)
    return template.execute(values)


def _query_fault(query: str) -> str | None:
    """Why ``query`` is no PromQL, as far as brackets, quotes and one known trap tell."""
    bare = _STRINGS.sub("", query)
    if any(quote in bare for quote in "\"'`"):
        return "rendered query does not parse as PromQL: unterminated quoted string"
    opened: list[str] = []
    for character in bare:
        if character in _PAIRS.values():
            opened.append(character)
        elif character in _PAIRS and (not opened or opened.pop() != _PAIRS[character]):
            return f"rendered query does not parse as PromQL: unexpected {quoted(character)}"
    if opened:
        return f"rendered query does not parse as PromQL: unclosed {quoted(opened[-1])}"
    if trap := _TRAP.search(bare):
        return (
            f"comparison {quoted(trap[0])} folds the arithmetic into its threshold ({quoted(trap[2])}) — parenthesize "
            f"the comparison, e.g. `(sum(...) {trap[1]} bool N) * M`"
        )
    return None
