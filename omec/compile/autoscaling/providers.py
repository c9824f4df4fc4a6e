"""Where AutoscalerPolicies find their metrics: key ``autoscalerPolicy`` of the operator's configuration.

Policies name a provider, never an address (reference 10 §4.5). In OME's chart the providers are the value
``ome.metricProviders``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from omec.api.gotext import quoted
from omec.compile.operator import OperatorConfigError
from omec.compile.operator_values import Settings

KEY = "autoscalerPolicy"


class SecretKey(msgspec.Struct, frozen=True):
    """A key of a Secret, which must exist in every namespace that uses the provider."""

    name: str
    key: str


class MetricProvider(msgspec.Struct, frozen=True):
    """The address behind the name of a provider, and the bearer token for it, where it wants one."""

    address: str
    token: SecretKey | None = None


def metric_providers(value: Any) -> Mapping[str, MetricProvider]:
    """The providers by name in ``value``, the JSON under :data:`KEY`; ``None`` where there is no such key.

    Raises :class:`OperatorConfigError` with OME's text.
    """
    providers = Settings.of(KEY, value).table("metricProviders")
    return {name: _provider(name, providers.table(name)) for name in providers.values}


def _provider(name: str, given: Settings) -> MetricProvider:
    address = given.text("serverAddress")
    if not address:
        message = f"autoscalerPolicy config: metric provider {quoted(name)} has no serverAddress"
        raise OperatorConfigError(KEY, message)
    secret = given.table("authSecretRef")
    token = SecretKey(secret.text("name"), secret.text("key")) if given.values.get("authSecretRef") else None
    return MetricProvider(address, token)
