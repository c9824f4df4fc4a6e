"""The settings of OME's operator that change what is rendered (reference 04 §19, 10 §1).

OME reads them from the ConfigMap ``inferenceservice-config``: each key holds a JSON text. omec takes the same settings
from that ConfigMap where the repository has it, else from ``omec.toml``, where the same keys and fields are TOML tables
over the defaults of OME's chart.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from omec.compile.names import COMPONENTS, ComponentName

_KEYS = ("deploy", "ingress", "acceleratorResources")
_MAY_BE_BLANK = ("acceleratorResources", "podDisruptionBudget")
"""The keys whose text OME takes for none where it is blank."""

_GRACE_PERIOD = "terminationGracePeriodSeconds"

_NAMES: dict[type, str] = {dict: "a mapping", list: "a list", bool: "a boolean", type(None): "empty"}
_LONGEST_FORM = 80
_INT64 = 2**63
"""Go's decoder refuses numbers beyond the type of their field."""

CHART: dict[str, Any] = {
    "deploy": {
        "defaultDeploymentMode": "RawDeployment",
        "replicas": {"defaultMinReplicas": 1, "defaultMaxReplicas": {"engine": 3, "decoder": 3, "router": 2}},
        "terminationGracePeriodSeconds": 600,
    },
    "ingress": {
        "disableIngressCreation": True,
        "ingressGateway": "knative-serving/knative-ingress-gateway",
        "ingressService": "istio-ingressgateway.istio-system.svc.cluster.local",
    },
}
"""The values of OME's Helm chart, v1.3, for the settings that are read here."""


class OperatorConfigError(ValueError):
    """An operator configuration with which OME's controllers would stop; ``key`` is the key at fault.

    ``remedy`` says how to correct the ConfigMap that holds it.
    """

    def __init__(self, key: str, message: str, remedy: str = "correct the JSON text under this key") -> None:
        super().__init__(message)
        self.key = key
        self.message = message
        self.remedy = remedy


class OperatorConfig(msgspec.Struct, frozen=True):
    """Operator settings; an unset default fills nothing.

    ``accelerator_resources`` are the resource names that count as accelerators, the first that a container has decides.
    """

    min_replicas: int | None = None
    max_replicas: Mapping[ComponentName, int] = msgspec.field(default_factory=dict)
    termination_grace_period_seconds: int | None = None
    ingress_disabled: bool = False
    accelerator_resources: tuple[str, ...] = ("nvidia.com/gpu",)


def operator_config_of_config_map(data: Mapping[str, Any]) -> OperatorConfig:
    """The settings of ``data`` of an ``inferenceservice-config``; what it leaves out is unset, as in OME.

    Raises :class:`OperatorConfigError` with OME's text.
    """
    return _config(parsed_keys(data, _KEYS))


def parsed_keys(data: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    """What the JSON texts under ``keys`` of a ConfigMap's ``data`` hold, for the keys that are there.

    Raises :class:`OperatorConfigError` for one that is no JSON text.
    """
    return {key: _parsed(key, data[key]) for key in keys if key in data}


def operator_config_of_settings(settings: Mapping[str, Any]) -> OperatorConfig:
    """The chart's settings with those of a table of ``omec.toml`` over them, field by field.

    Raises :class:`OperatorConfigError`.
    """
    return _config(overlaid(CHART, settings))


def _parsed(key: str, text: Any) -> Any:
    if not isinstance(text, str):
        raise _not_a_text(key, text)
    if key in _MAY_BE_BLANK and not text.strip():
        return None
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except ValueError as error:
        raise _unreadable(key, str(error)) from error
    except RecursionError:
        raise _unreadable(key, "it is nested too deeply") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _not_a_text(key: str, value: Any) -> OperatorConfigError:
    """The API server refuses a ConfigMap with anything but texts; as a rule the JSON was written as YAML."""
    form = json.dumps(value, default=str) if isinstance(value, dict | list) else "{…}"
    form = form.replace("'", "''") if len(form) <= _LONGEST_FORM else "{…}"
    message = f"{key} is {_NAMES.get(type(value), 'a number')}, where a ConfigMap holds a text"
    return OperatorConfigError(key, message, f"write it as a JSON text ({key}: '{form}')")


def overlaid(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with the fields of ``over``, table by table."""
    merged = dict(base)
    for key, value in over.items():
        inherited = merged.get(key)
        merged[key] = overlaid(inherited, value) if isinstance(inherited, dict) and isinstance(value, dict) else value
    return merged


def _config(keys: Mapping[str, Any]) -> OperatorConfig:
    deploy = _table("deploy", keys.get("deploy"))
    ingress = _table("ingress", keys.get("ingress"))
    if "deploy" in keys and not deploy.get("defaultDeploymentMode"):
        raise OperatorConfigError("deploy", "invalid deploy config, defaultDeploymentMode is required")
    if "ingress" in keys and not (ingress.get("ingressGateway") and ingress.get("ingressService")):
        raise OperatorConfigError("ingress", "invalid ingress config - ingressGateway and ingressService are required")
    replicas = _table("deploy", deploy.get("replicas"))
    maximum = _table("deploy", replicas.get("defaultMaxReplicas"))
    resources = keys.get("acceleratorResources") or ["nvidia.com/gpu"]
    if not isinstance(resources, list) or not all(isinstance(name, str) for name in resources):
        raise _unreadable("acceleratorResources", f"a list of resource names is expected, not {json.dumps(resources)}")
    return OperatorConfig(
        min_replicas=_positive(replicas, "defaultMinReplicas", "replicas.defaultMinReplicas"),
        max_replicas={
            component: default
            for component in COMPONENTS
            if (default := _positive(maximum, component, f"replicas.defaultMaxReplicas.{component}")) is not None
        },
        termination_grace_period_seconds=_positive(deploy, _GRACE_PERIOD, _GRACE_PERIOD),
        ingress_disabled=_boolean(ingress, "disableIngressCreation"),
        accelerator_resources=tuple(resources),
    )


def _unreadable(key: str, why: str) -> OperatorConfigError:
    return OperatorConfigError(key, f"unable to parse {key} config json: {why}")


def _table(key: str, value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _unreadable(key, f"an object is expected, not {json.dumps(value)}")
    return value


def _integer(table: Mapping[str, Any], name: str) -> int | None:
    value = table.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and -_INT64 <= value < _INT64):
        return value
    raise _unreadable("deploy", f"{name} is not an integer: {json.dumps(value)}")


def _positive(table: Mapping[str, Any], name: str, shown: str) -> int | None:
    value = _integer(table, name)
    if value is not None and value <= 0:
        raise OperatorConfigError("deploy", f"invalid deploy config, {shown} must be > 0, got {value}")
    return value


def _boolean(table: Mapping[str, Any], name: str) -> bool:
    value = table.get(name)
    if value is None or isinstance(value, bool):
        return bool(value)
    raise _unreadable("ingress", f"{name} is not a boolean: {json.dumps(value)}")


CHART_DEFAULTS = operator_config_of_settings({})
