"""``ingress-domain-default``: hosts under a domain that is nobody's."""

from __future__ import annotations

from collections.abc import Iterator

from omec.catalog import Resource
from omec.compile.exposure.effective import DISABLE, DOMAIN, effective_settings, gateways
from omec.compile.exposure.settings import KEY, IngressSettings
from omec.compile.inputs import Service
from omec.compile.operator_source import operator_config_map
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, resource_of

RULE = Rule(
    "OME553",
    "ingress-domain-default",
    Severity.WARNING,
    "Services are exposed under a domain that OME fills in where none is set",
    why=(
        "Ingresses and routes get hosts below svc.cluster.local, which only resolves inside the cluster, or below "
        "example.com, which belongs to nobody: no client reaches them."
    ),
    fix="Set ingressDomain of the operator's ingress settings to a domain of yours.",
    source="OME docs: guides/networking/configure-ingress; reference 10 §1.1",
    bad=(
        "data:\n"
        "  ingress: >-\n"
        '    {"ingressGateway": "a/b", "ingressService": "c",\n'
        '    "enableGatewayAPI": true, "omeIngressGateway": "eg/ome"}\n'
    ),
    good=(
        "data:\n"
        "  ingress: >-\n"
        '    {"ingressGateway": "a/b", "ingressService": "c", "ingressDomain": "llm.acme.dev",\n'
        '    "enableGatewayAPI": true, "omeIngressGateway": "eg/ome"}\n'
    ),
)

_NOBODYS = ("svc.cluster.local", "example.com")


def check(context: Context) -> Iterator[Fault]:
    """One finding about the setting, and one about each service that asks for such a domain itself."""
    settings = context.cluster.environment.settings.ingress
    by_setting: list[tuple[Resource, str]] = []
    for service in context.services:
        domain = _domain(service, settings)
        if domain and DOMAIN in service.annotations:
            yield Fault(service, ("metadata", "annotations", DOMAIN), f"the service is exposed under {domain}")
        elif domain:
            by_setting.append((service, domain))
    if by_setting:
        yield _of_setting(context, *by_setting[0], len(by_setting))


def _domain(resource: Resource, settings: IngressSettings) -> str:
    """The domain of nobody's that the service is exposed under, ``""`` for none."""
    if settings.disabled and DISABLE not in resource.annotations:
        return ""
    service = Service.of(resource.stored, resource.namespace or "")
    effective = effective_settings(settings, service.annotations)
    if effective.disabled:
        return ""
    attached = gateways(effective, service) if effective.gateway_api else ()
    domains = [gateway.domain for gateway in attached] if attached else [effective.domain]
    return next((domain for domain in domains if domain in _NOBODYS), "")


def _of_setting(context: Context, service: Resource, domain: str, count: int) -> Fault:
    others = f" and {count - 1} more" if count > 1 else ""
    message = f"{service.ref}{others} is exposed under {domain}: ingressDomain is not set to a domain of yours"
    document = operator_config_map(context.others)
    data = None if document is None else document.value.get("data")
    if document is None or not isinstance(data, dict) or KEY not in data:
        return Fault(service, ("metadata", "name"), message)
    return Fault(resource_of(document), ("data", KEY), message, key=True)
