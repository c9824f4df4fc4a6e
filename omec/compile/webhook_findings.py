"""What OME's webhook says about services and policies by themselves, before anything is rendered (reference 09 A4)."""

from __future__ import annotations

from collections.abc import Container, Iterator

from omec.api.kinds import RUNTIME_KINDS
from omec.catalog import Catalog, Resource
from omec.compile.capabilities import Capabilities
from omec.compile.companions import admission_problems
from omec.compile.findings import Sources, finding_of
from omec.compile.inputs import Service
from omec.compile.names import RUNTIME_CONFIG
from omec.finding import Finding, ObjectRef


def webhook_findings(
    catalog: Catalog, capabilities: Capabilities, reported: Container[ObjectRef | None]
) -> Iterator[Finding]:
    """The findings about the InferenceServices, runtimes and AutoscalerPolicies of the repository.

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
    for runtime in (item for kind in RUNTIME_KINDS for item in catalog.of_kind(kind)):
        if not runtime.context and runtime.ref not in reported and _mentions_scaling(runtime):
            from omec.compile.runtime_refusals import runtime_refusals  # noqa: PLC0415 - few runtimes scale anything

            yield from runtime_refusals(runtime)
    policies = [item for item in catalog.of_kind("AutoscalerPolicy") if not item.context and item.ref not in reported]
    if policies:
        from omec.compile.autoscaling.policy_findings import policy_findings  # noqa: PLC0415 - few have policies

        yield from policy_findings(policies)


def _mentions_scaling(runtime: Resource) -> bool:
    """As written: filling in the defaults of every runtime would cost more than the check."""
    spec = runtime.body.get("spec")
    parts = (spec.get(field) for field in RUNTIME_CONFIG.values()) if isinstance(spec, dict) else ()
    return any(isinstance(part, dict) and any(key.startswith("autoscaler") for key in part) for part in parts)
