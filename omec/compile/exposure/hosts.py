"""Host names of a service and its components (reference 10 §8.3)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from omec.api.gotext import quoted
from omec.compile.admission.fielderror import invalid, required
from omec.compile.admission.names import DNS_LABEL, DNS_SUBDOMAIN, faults
from omec.compile.exposure import rules
from omec.compile.exposure.effective import DOMAIN_TEMPLATE
from omec.compile.exposure.settings import IngressSettings
from omec.compile.gotemplate import Template, TemplateError, Unsupported, parse
from omec.compile.inputs import Service
from omec.compile.names import shortened
from omec.compile.problems import Origin, Place, Problem, RenderError
from omec.finding import Rule

_TEMPLATE = "domain-template"
_TYPE = "services.DomainTemplateValues"
_PATH = ("url",)
"""What OME calls the value that it checks."""


@cache
def _parsed(domain_template: str) -> Template:
    return parse(domain_template, _TEMPLATE, _TYPE)


def host_name(name: str, service: Service, settings: IngressSettings) -> str:
    """The host of ``name``, the service or one of its components; ``settings`` are the effective ones.

    Raises :class:`RenderError` with OME's text.
    """
    try:
        template = _parsed(settings.domain_template)
    except TemplateError as error:
        raise _refusal(service, rules.DOMAIN_INVALID, str(error)) from error
    for node in template.nodes:
        if isinstance(node, Unsupported):
            message = f"omec does not evaluate {{{{ {node.source} }}}} in the domain template"
            raise _refusal(service, rules.DOMAIN_NOT_EVALUATED, message)
    fields: Mapping[str, object] = {
        "Name": shortened(name),
        "Namespace": service.namespace,
        "IngressDomain": settings.domain,
        "Annotations": service.annotations,
        "Labels": service.labels,
    }
    try:
        host = template.execute(fields)
    except TemplateError as error:
        message = f"error rendering the domain template: {error}"
        raise _refusal(service, rules.DOMAIN_INVALID, message) from error
    if fault := domain_fault(host):
        raise _refusal(service, rules.DOMAIN_INVALID, f"invalid domain name {quoted(host)}: {fault}")
    return host


def domain_fault(host: str) -> str | None:
    """Why ``host`` is no fully qualified domain name, in the words of Kubernetes; ``None`` where it is one."""
    if not host:
        return required(_PATH).message
    name = host.removesuffix(".")
    if found := faults(DNS_SUBDOMAIN, name):
        return invalid(_PATH, name, ",".join(found)).message
    labels = name.split(".")
    if len(labels) == 1:
        return invalid(_PATH, name, "should be a domain with at least two segments separated by dots").message
    for label in labels:
        if found := faults(DNS_LABEL, label):
            return invalid(_PATH, label, ",".join(found)).message
    return None


def _refusal(service: Service, rule: Rule, message: str) -> RenderError:
    """The refusal, at the service's own template where it has one."""
    own = bool(service.annotations.get(DOMAIN_TEMPLATE))
    steps = ("metadata", "annotations", DOMAIN_TEMPLATE) if own else ("metadata", "name")
    help_ = (
        "correct the annotation"
        if own
        else "correct ingressDomain or domainTemplate in the operator's ingress settings"
    )
    return RenderError(Problem(rule, message, Place(Origin.SERVICE, steps), help_))
