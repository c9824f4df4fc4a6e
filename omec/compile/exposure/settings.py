"""The operator's settings for Ingress and Gateway API: key ``ingress`` of its configuration (reference 10 §1.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from omec.api.gotext import quoted
from omec.compile.admission.names import DNS_LABEL, faults
from omec.compile.operator import OperatorConfigError
from omec.compile.operator_values import Settings

KEY = "ingress"

CHART: dict[str, Any] = {
    "disableIngressCreation": True,
    "enableGatewayAPI": False,
    "ingressDomain": "svc.cluster.local",
    "domainTemplate": "{{ .Name }}.{{ .Namespace }}.{{ .IngressDomain }}",
    "urlScheme": "http",
    "ingressClassName": "istio",
    "perISVCSubdomain": False,
    "sharedHostPrefix": "llm",
    "consistentHashHeaders": ["x-routing-key", "X-SMG-Routing-Key"],
    "defaultRouteTimeoutSeconds": 0,
    "ingressGateway": "knative-serving/knative-ingress-gateway",
    "ingressService": "istio-ingressgateway.istio-system.svc.cluster.local",
}
"""The values of OME's Helm chart, v1.3."""


class Gateway(msgspec.Struct, frozen=True):
    """A Gateway that routes attach to: ``reference`` is ``namespace/name``, ``domain`` ends the hosts on it.

    ``label`` names its address in the status of services, ``""`` where it has no name.
    """

    reference: str = ""
    domain: str = ""
    label: str = ""


class NamespaceGateways(msgspec.Struct, frozen=True):
    """The Gateways for the services of one namespace; ``additional`` is ``None`` where the cluster's hold."""

    primary: Gateway = Gateway()
    additional: tuple[Gateway, ...] | None = None


class IngressSettings(msgspec.Struct, frozen=True):
    """How services are exposed. The defaults are OME's own where its configuration leaves a key out.

    ``class_name`` is ``None`` for an Ingress without a class; ``route_timeout`` in seconds, ``None`` for none.
    """

    disabled: bool = False
    gateway_api: bool = False
    domain: str = "example.com"
    domain_template: str = "{{ .Name }}.{{ .Namespace }}.{{ .IngressDomain }}"
    url_scheme: str = "http"
    class_name: str | None = None
    gateway: str = ""
    gateway_label: str = ""
    subdomain_per_service: bool = False
    shared_host_prefix: str = ""
    additional_gateways: tuple[Gateway, ...] = ()
    namespace_gateways: Mapping[str, NamespaceGateways] = msgspec.field(default_factory=dict)
    hash_headers: tuple[str, ...] = ("x-routing-key",)
    route_timeout: int | None = None


def ingress_settings(value: Any) -> IngressSettings:
    """The settings in ``value``, the JSON under :data:`KEY`; ``None`` where the configuration has no such key.

    Raises :class:`OperatorConfigError` with OME's text.
    """
    if value is None:
        return IngressSettings()
    given = Settings.of(KEY, value)
    _check(given)
    unset = IngressSettings()
    return IngressSettings(
        disabled=given.flag("disableIngressCreation"),
        gateway_api=given.flag("enableGatewayAPI"),
        domain=given.text("ingressDomain") or unset.domain,
        domain_template=given.text("domainTemplate") or unset.domain_template,
        url_scheme=given.text("urlScheme") or unset.url_scheme,
        class_name=given.text("ingressClassName") if given.values.get("ingressClassName") is not None else None,
        gateway=given.text("omeIngressGateway"),
        gateway_label=_label(given, "omeIngressGatewayClass", "omeIngressGatewayClass"),
        subdomain_per_service=given.flag("perISVCSubdomain"),
        shared_host_prefix=given.text("sharedHostPrefix"),
        additional_gateways=tuple(_gateways(given, "additionalIngressGateways", "additionalIngressGateways")),
        namespace_gateways=_by_namespace(given.table("namespaceIngressGateways")),
        hash_headers=given.texts("consistentHashHeaders") or unset.hash_headers,
        route_timeout=given.integer("defaultRouteTimeoutSeconds"),
    )


def _check(given: Settings) -> None:
    """The conditions under which OME's controller does not start."""
    if not (given.text("ingressGateway") and given.text("ingressService")):
        raise OperatorConfigError(KEY, "invalid ingress config - ingressGateway and ingressService are required")
    if path_template := given.text("pathTemplate"):
        from omec.compile.gotemplate import TemplateError, parse  # noqa: PLC0415 - few configurations need it

        try:
            parse(path_template, "path-template")
        except TemplateError as error:
            message = f"invalid ingress config, unable to parse pathTemplate: {error}"
            raise OperatorConfigError(KEY, message) from error
        if not given.text("ingressDomain"):
            message = "invalid ingress config - ingressDomain is required if pathTemplate is given"
            raise OperatorConfigError(KEY, message)


def _by_namespace(given: Settings) -> dict[str, NamespaceGateways]:
    return {namespace: _of_namespace(given.table(namespace), namespace) for namespace in given.values}


def _of_namespace(given: Settings, namespace: str) -> NamespaceGateways:
    shown = f"namespaceIngressGateways[{quoted(namespace)}]"
    primary = _gateway(given.table("primary"), f"{shown}.primary.class")
    if given.values.get("additional") is None:
        return NamespaceGateways(primary)
    return NamespaceGateways(primary, tuple(_gateways(given, "additional", f"{shown}.additional")))


def _gateways(given: Settings, name: str, shown: str) -> Iterator[Gateway]:
    for index, table in enumerate(given.tables(name)):
        yield _gateway(table, f"{shown}[{index}].class")


def _gateway(given: Settings, shown: str) -> Gateway:
    return Gateway(given.text("omeIngressGateway"), given.text("ingressDomain"), _label(given, "class", shown))


def _label(given: Settings, name: str, shown: str) -> str:
    label = given.text(name)
    if label and (found := faults(DNS_LABEL, label)):
        message = f"invalid ingress config - {shown} {quoted(label)} must be an RFC-1123 label: {'; '.join(found)}"
        raise OperatorConfigError(KEY, message)
    return label
