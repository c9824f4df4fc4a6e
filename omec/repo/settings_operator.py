"""The settings of OME's operator: the keys of its ConfigMap ``inferenceservice-config`` that may be set, with types.

OME's decoder refuses a field of another type, and every service with it (reference 10 §1.1, §1.2).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from omec.repo.config_rules import CONFIG_UNKNOWN_KEY
from omec.repo.settings import Place, table, texts, type_name

_INT64 = 2**63


class FieldType(msgspec.Struct, frozen=True):
    """The type of a field as messages name it, what is a value of it, and its JSON Schema."""

    name: str
    holds: Callable[[Any], bool]
    schema: Mapping[str, Any]

    def check(self, value: Any, place: Place) -> None:
        """Raise :class:`OmecError` for a ``value`` that OME would refuse."""
        if not self.holds(value):
            raise place.error(f"must be {self.name}, not {type_name(value)}")


class WholeNumber(FieldType, frozen=True):
    """A number that Go reads into 64 bits, and not below ``least``."""

    least: int = -_INT64

    def check(self, value: Any, place: Place) -> None:
        FieldType.check(self, value, place)
        if not self.least <= value < _INT64:
            limit = f"at least {self.least}" if value < self.least else "a 64-bit number, as OME reads it"
            raise place.error(f"is {value}", hint=f"it must be {limit}")


class ListOf(msgspec.Struct, frozen=True):
    """A list of values of one shape."""

    item: Shape


class MapOf(msgspec.Struct, frozen=True):
    """Values of one shape under names that the user chooses."""

    item: Shape


Shape: TypeAlias = "Fields | FieldType | ListOf | MapOf"
Fields: TypeAlias = Mapping[str, Shape]


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _whole(least: int = -_INT64) -> WholeNumber:
    schema: dict[str, Any] = {"type": "integer"} | ({"minimum": least} if least > -_INT64 else {})
    return WholeNumber("a whole number", _is_whole, schema, least)


TEXT = FieldType("a text", lambda value: isinstance(value, str), {"type": "string"})
FLAG = FieldType("true or false", lambda value: isinstance(value, bool), {"type": "boolean"})
NUMBER = _whole()
NUMBER_OR_TEXT = FieldType(
    "a whole number or a text",
    lambda value: isinstance(value, str) or _is_whole(value),
    {"type": ["integer", "string"]},
)


def _components(shape: Shape) -> Fields:
    return dict.fromkeys(("engine", "decoder", "router"), shape)


_GATEWAY: Fields = {"class": TEXT, "ingressDomain": TEXT, "omeIngressGateway": TEXT}
_BUDGET: Fields = {"maxUnavailable": NUMBER_OR_TEXT, "minAvailable": NUMBER_OR_TEXT}
_RELABELING: Fields = {
    "action": TEXT,
    "regex": TEXT,
    "replacement": TEXT,
    "separator": TEXT,
    "sourceLabels": ListOf(TEXT),
    "targetLabel": TEXT,
}
_OBJECT = FieldType("a table", lambda value: isinstance(value, Mapping), {"type": "object"})
_AGENT: Fields = {
    **dict.fromkeys(
        (
            "authType",
            "compartmentId",
            "cpuLimit",
            "cpuRequest",
            "image",
            "memoryLimit",
            "memoryRequest",
            "region",
            "vaultId",
        ),
        TEXT,
    ),
    "extraEnvVars": ListOf(_OBJECT),
    "extraVolumeMounts": ListOf(_OBJECT),
}
OPERATOR_FIELDS: Fields = {
    "acceleratorResources": ListOf(TEXT),
    "autoscalerPolicy": {
        "metricProviders": MapOf({"authSecretRef": {"key": TEXT, "name": TEXT}, "serverAddress": TEXT})
    },
    "deploy": {
        "defaultDeploymentMode": TEXT,
        "minReadySeconds": _whole(0),
        "replicas": {"defaultMinReplicas": _whole(1), "defaultMaxReplicas": _components(_whole(1))},
        "terminationGracePeriodSeconds": _whole(0),
        "updateStrategy": _components({"maxSurge": NUMBER_OR_TEXT, "maxUnavailable": NUMBER_OR_TEXT, "type": TEXT}),
    },
    "fineTunedAdapter": _AGENT,
    "ingress": {
        "additionalIngressDomains": ListOf(TEXT),
        "additionalIngressGateways": ListOf(_GATEWAY),
        "consistentHashHeaders": ListOf(TEXT),
        "defaultRouteTimeoutSeconds": NUMBER,
        "disableIngressCreation": FLAG,
        "disableIstioVirtualHost": FLAG,
        "domainTemplate": TEXT,
        "enableGatewayAPI": FLAG,
        "ingressClassName": TEXT,
        "ingressDomain": TEXT,
        "ingressGateway": TEXT,
        "ingressService": TEXT,
        "namespaceIngressGateways": MapOf({"additional": ListOf(_GATEWAY), "primary": _GATEWAY}),
        "omeIngressGateway": TEXT,
        "omeIngressGatewayClass": TEXT,
        "pathTemplate": TEXT,
        "perISVCSubdomain": FLAG,
        "sharedHostPrefix": TEXT,
        "urlScheme": TEXT,
    },
    "metricsAggregator": {"enableMetricAggregation": TEXT, "enablePrometheusScraping": TEXT},
    "modelInit": _AGENT,
    "podDisruptionBudget": {"omeNative": _BUDGET, "rawDeployment": _BUDGET},
    "podMonitor": {
        "labels": MapOf(TEXT),
        "metricRelabelings": ListOf(_RELABELING),
        "relabelings": ListOf(_RELABELING),
    },
    "servingSidecar": {**_AGENT, "realmDomainComponent": TEXT},
}
"""The keys that may be set, with the fields that OME knows in them."""

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


def operator(value: Any, place: Place) -> dict[str, Any]:
    """The settings of OME's operator, under the keys of ConfigMap ``inferenceservice-config``.

    A value may also be the JSON text that the ConfigMap itself holds.
    """
    settings: dict[str, Any] = {}
    for key, setting in table(value, place).items():
        here = place.child(key)
        if key in OPERATOR_KEYS_WITHOUT_EFFECT:
            raise here.error("changes nothing that omec renders", hint="remove it", rule=CONFIG_UNKNOWN_KEY)
        settings[key] = _from_json(setting, here)
    _check(settings, OPERATOR_FIELDS, place)
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
    except RecursionError:
        raise place.error("is nested too deeply", hint="write a TOML table, or the ConfigMap's text") from None


def _check(value: Any, shape: Shape, place: Place) -> None:
    """Raise :class:`OmecError` for what OME would not read; ``null`` in a JSON text leaves a field unset."""
    if value is None and place.path[1:]:
        return
    if isinstance(shape, FieldType):
        shape.check(value, place)
    elif isinstance(shape, ListOf):
        if not isinstance(value, list | tuple):
            raise place.error(f"must be a list, not {type_name(value)}")
        for index, item in enumerate(value):
            _check(item, shape.item, place.child(index))
    elif isinstance(shape, MapOf):
        for name, item in table(value, place).items():
            _check(item, shape.item, place.child(name))
    else:
        for name, item in table(value, place).items():
            if name not in shape:
                raise place.unknown(name, shape)
            _check(item, shape[name], place.child(name))
