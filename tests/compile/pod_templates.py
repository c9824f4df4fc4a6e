"""Small pod templates for tests of what OME's webhook does to them."""

from __future__ import annotations

from typing import Any

from omec.compile.webhook.inject import injected
from omec.compile.webhook.settings import WebhookSettings, webhook_settings_of_settings

Object = dict[str, Any]

IDENTITY = {"image": "registry.example.com/agent:1", "compartmentId": "c", "authType": "InstancePrincipal"}
AMOUNTS = {"cpuRequest": "1", "cpuLimit": "2", "memoryRequest": "1Gi", "memoryLimit": "0.5Ti"}
AGENT = {**IDENTITY, **AMOUNTS, "region": "r"}
CONFIGURED = webhook_settings_of_settings(
    {"modelInit": {**AGENT, "vaultId": "v"}, "fineTunedAdapter": AGENT, "servingSidecar": AGENT}
)
CHART_WEBHOOK = webhook_settings_of_settings({})
WEIGHTS = {"fin": "oci://n/co/b/ft/o/dir/fin", "hub": "hf://a/b", "odd": "oci://n/co"}


def template(annotations: Object, container: Object | None = None, **spec: Any) -> Object:
    """A template with one container ``ome-container``, which has the fields of ``container`` as well."""
    main = {"name": "ome-container", "image": "registry.example.com/engine:1", **(container or {})}
    return {"metadata": {"annotations": annotations}, "spec": {"containers": [main], **spec}}


def pod(given: Object, settings: WebhookSettings = CHART_WEBHOOK) -> Object:
    return injected(given, settings, WEIGHTS)


def main_container(given: Object, settings: WebhookSettings = CHART_WEBHOOK) -> Object:
    container: Object = pod(given, settings)["spec"]["containers"][0]
    return container


def names(items: list[Object] | None) -> list[str]:
    return [item["name"] for item in items or ()]


def values(container: Object) -> dict[str, str]:
    return {item["name"]: item.get("value", "") for item in container["env"]}
