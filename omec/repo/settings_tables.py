"""The settings that are tables of their own: catalogs elsewhere, the operator's settings, the choice of lint rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from omec.finding import Rule, Severity
from omec.repo.config_rules import CONFIG_RESERVED, CONFIG_UNKNOWN_KEY
from omec.repo.settings import Check, Place, one_of, table, text, texts, type_name

Fields: TypeAlias = dict[str, "Fields | None"]

_COMPONENTS: Fields = dict.fromkeys(("engine", "decoder", "router"))
_INGRESS_FIELDS = (
    "additionalIngressDomains",
    "additionalIngressGateways",
    "consistentHashHeaders",
    "defaultRouteTimeoutSeconds",
    "disableIngressCreation",
    "disableIstioVirtualHost",
    "domainTemplate",
    "enableGatewayAPI",
    "ingressClassName",
    "ingressDomain",
    "ingressGateway",
    "ingressService",
    "namespaceIngressGateways",
    "omeIngressGateway",
    "omeIngressGatewayClass",
    "pathTemplate",
    "perISVCSubdomain",
    "sharedHostPrefix",
    "urlScheme",
)
_BUDGET: Fields = dict.fromkeys(("maxUnavailable", "minAvailable"))
OPERATOR_FIELDS: Fields = {
    "acceleratorResources": None,
    "autoscalerPolicy": {"metricProviders": None},
    "deploy": {
        "defaultDeploymentMode": None,
        "minReadySeconds": None,
        "replicas": {"defaultMinReplicas": None, "defaultMaxReplicas": _COMPONENTS},
        "terminationGracePeriodSeconds": None,
        "updateStrategy": _COMPONENTS,
    },
    "ingress": dict.fromkeys(_INGRESS_FIELDS),
    "podDisruptionBudget": {"omeNative": _BUDGET, "rawDeployment": _BUDGET},
    "podMonitor": dict.fromkeys(("labels", "relabelings")),
}
"""The keys of ConfigMap ``inferenceservice-config`` that may be set, with the fields that OME knows in them; ``None``
ends what is known here (reference 10 §1.1, §1.2)."""

OPERATOR_KEYS_TO_COME = (
    "fineTunedAdapter",
    "metricsAggregator",
    "modelInit",
    "servingSidecar",
)
"""Keys for objects and containers that omec does not render yet."""

OPERATOR_KEYS_WITHOUT_EFFECT = (
    "canaryAnalysis",
    "inferenceReplica",
    "kedaConfig",
    "lifecycle",
    "multicluster",
    "multinodeProber",
    "omeAgent",
    "omenativeStatus",
    "rollout",
)
"""The other keys OME knows: read by its controllers at run time, or by older releases only (reference 10 §1)."""

_CODE = re.compile(r"OME\d{3}")
_CODE_PREFIX = re.compile(r"OME\d{0,3}")


@dataclass(frozen=True, slots=True)
class CatalogSource:
    """One entry of ``[[sources]]``: a catalog of runtimes and models that lives elsewhere."""

    path: str


def catalog_sources(value: Any, place: Place) -> tuple[CatalogSource, ...]:
    if not isinstance(value, list | tuple):
        raise place.error(f"must be a list of tables, not {type_name(value)}", hint="write it as [[sources]]")
    return tuple(_catalog_source(item, place.child(index)) for index, item in enumerate(value))


def _catalog_source(value: Any, place: Place) -> CatalogSource:
    entry = table(value, place)
    for key in entry:
        if key in ("git", "rev"):
            raise place.child(key).error(
                "is reserved for a later release of omec",
                hint="fetch the repository yourself and name its folder with path",
                rule=CONFIG_RESERVED,
            )
        if key != "path":
            raise place.unknown(key, ("path",))
    if "path" not in entry:
        raise place.error("has no path", hint='write path = "folder"')
    return CatalogSource(text(entry["path"], place.child("path")))


def operator(value: Any, place: Place) -> dict[str, Any]:
    """The settings of OME's operator, under the keys of ConfigMap ``inferenceservice-config``.

    A value may also be the JSON text that the ConfigMap itself holds.
    """
    settings: dict[str, Any] = {}
    for key, setting in table(value, place).items():
        here = place.child(key)
        if key in OPERATOR_KEYS_WITHOUT_EFFECT:
            raise here.error("changes nothing that omec renders", hint="remove it", rule=CONFIG_UNKNOWN_KEY)
        if key in OPERATOR_KEYS_TO_COME:
            raise here.error("is for what omec does not render yet", hint="remove it for now", rule=CONFIG_RESERVED)
        settings[key] = _from_json(setting, here)
    _check_fields(settings, OPERATOR_FIELDS, place)
    if "acceleratorResources" in settings:
        settings["acceleratorResources"] = list(
            texts(settings["acceleratorResources"], place.child("acceleratorResources"))
        )
    return settings


def _from_json(value: Any, place: Place) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise place.error(f"is not JSON: {error}", hint="write a TOML table, or the ConfigMap's text") from None


def _check_fields(value: Any, known: Fields, place: Place) -> None:
    for key, item in table(value, place).items():
        if key not in known:
            raise place.unknown(key, known)
        fields = known[key]
        if fields is not None:
            _check_fields(item, fields, place.child(key))


@dataclass(frozen=True, slots=True)
class LintConfig:
    """Which rules report, and how severe they are.

    ``select`` and ``ignore`` hold codes or beginnings of codes (``OME3`` is the whole family); the longest one that
    fits a rule decides, ``ignore`` where both are equally long. An empty ``select`` means every rule.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, Severity], ...] = ()

    def enabled(self, code: str) -> bool:
        """Whether the rule with this code reports."""
        selected = _longest_prefix(self.select or ("OME",), code)
        return selected > 0 and selected > _longest_prefix(self.ignore, code)

    def severity_of(self, rule: Rule) -> Severity:
        """The severity of the rule's findings."""
        return dict(self.severity).get(rule.code, rule.severity)

    def to_dict(self) -> dict[str, Any]:
        settings = {
            "select": list(self.select),
            "ignore": list(self.ignore),
            "severity": {code: severity.label for code, severity in self.severity},
        }
        return {key: value for key, value in settings.items() if value}


def lint(value: Any, place: Place) -> LintConfig:
    checks: dict[str, Check] = {"select": _codes, "ignore": _codes, "severity": _severities}
    settings = {}
    for key, setting in table(value, place).items():
        if key not in checks:
            raise place.unknown(key, checks)
        settings[key] = checks[key](setting, place.child(key))
    return LintConfig(**settings)


def _codes(value: Any, place: Place) -> tuple[str, ...]:
    codes = texts(value, place)
    for index, code in enumerate(codes):
        if not _CODE_PREFIX.fullmatch(code):
            raise place.child(index).error(f"is {code!r}", hint="write a code (OME301) or the start of one (OME3)")
    return codes


def _severities(value: Any, place: Place) -> tuple[tuple[str, Severity], ...]:
    severities = []
    for code, level in table(value, place).items():
        here = place.child(code)
        if not _CODE.fullmatch(code):
            raise here.error("is not the code of a rule", hint='write it as OME301 = "warning"')
        name = one_of("error", "warning", "info")(level, here)
        severities.append((code, Severity.parse(name)))
    return tuple(sorted(severities))


def _longest_prefix(prefixes: Iterable[str], code: str) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)
