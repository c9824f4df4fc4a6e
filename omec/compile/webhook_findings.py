"""What OME's webhook says about services and policies by themselves, before anything is rendered (reference 09 A4)."""

from __future__ import annotations

from collections.abc import Container, Iterator

from omec.catalog import Catalog
from omec.compile.capabilities import Capabilities
from omec.compile.companions import admission_problems
from omec.compile.findings import Sources, finding_of
from omec.compile.inputs import Service
from omec.finding import Finding, ObjectRef


def webhook_findings(
    catalog: Catalog, capabilities: Capabilities, reported: Container[ObjectRef | None]
) -> Iterator[Finding]:
    """The findings about the InferenceServices and AutoscalerPolicies of the repository.

    ``reported`` are objects with an error of their own, which the webhook never gets to see.
    """
    for service in catalog.of_kind("InferenceService"):
        if not service.context and service.ref not in reported:
            sources = Sources(service, (), None)
            given = Service.of(service.stored, service.namespace or "")
            problems = list(admission_problems(given, capabilities))
            if (service.spec.get("model") or {}).get("overlays"):
                from omec.compile.weights_overlays import check_overlays, overlays_of  # noqa: PLC0415 - few have any

                problems += check_overlays(given, overlays_of(given, catalog), catalog)
            yield from (finding_of(problem, sources) for problem in problems)
    policies = [item for item in catalog.of_kind("AutoscalerPolicy") if not item.context and item.ref not in reported]
    if policies:
        from omec.compile.autoscaling.policy_findings import policy_findings  # noqa: PLC0415 - few have policies

        yield from policy_findings(policies)
