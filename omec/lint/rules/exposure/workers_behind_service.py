"""``multinode-service-workers``: a Service that sends requests to pods that do not answer them."""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile.exposure.effective import effective_settings, is_cluster_local
from omec.compile.inputs import Service
from omec.compile.modes import Mode
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME554",
    "multinode-service-workers",
    Severity.WARNING,
    "The Service of an InferenceService reaches the workers of a multi-node engine",
    why=(
        "Without an ingress, OME gives the InferenceService a Service of its own name. It selects every pod of the "
        "engine, and workers answer no requests: those that reach one fail."
    ),
    fix="Send requests to the Service of the engine, or add a router.",
    source="OME docs: guides/omenative/serve-a-multi-node-model; reference 09 C5, candidate 127",
    bad="""\
engine: {leader: {}, worker: {}}
""",
    good="""\
engine: {leader: {}, worker: {}}
router: {}
""",
)


def check(context: Context) -> Iterator[Fault]:
    if context.config.platform != "ome":
        return
    settings = context.cluster.environment.settings.ingress
    multi_pod = {pod.origin.owner for pod in context.pods if pod.name == "engine" and pod.role == "worker"}
    for use in context.uses:
        if multi_pod.isdisjoint((use.service, use.runtime)):
            continue
        engine = next((pod for pod in context.pods_of(use) if pod.name == "engine" and pod.role == "worker"), None)
        if engine is None or engine.mode is not Mode.OME_NATIVE or isinstance(use.service.spec.get("router"), dict):
            continue
        service = Service.of(use.service.stored, use.service.namespace or "")
        if effective_settings(settings, service.annotations).disabled and not is_cluster_local(service):
            message = f"Service {use.service.name} selects the workers of the engine, too"
            help_ = f"send requests to Service {use.service.name}-engine, or add a router"
            yield Fault(use.service, ("spec", "engine"), message, help_, key=True)
