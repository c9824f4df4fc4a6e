"""What OME's webhook would make of pods, as a function of their templates (reference 04 §16).

It is applied where no OME runs; with OME, pods get the same from the webhook when they are created.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping

from omec.compile.inputs import Object
from omec.compile.webhook.adapter import inject_adapter, order_init_containers
from omec.compile.webhook.metrics import AGGREGATION, SCRAPING, inject_metrics
from omec.compile.webhook.model_init import inject_model_init
from omec.compile.webhook.pods import annotations_of
from omec.compile.webhook.profiles import (
    OBSERVABILITY_PROFILE,
    PROBE_PROFILE,
    SHM_PROFILE,
    inject_observability,
    inject_probes,
    inject_shared_memory,
)
from omec.compile.webhook.rdma import ANNOTATION as RDMA
from omec.compile.webhook.rdma import inject_rdma
from omec.compile.webhook.settings import WebhookSettings
from omec.compile.webhook.sidecar import ANNOTATION as SIDECAR
from omec.compile.webhook.sidecar import inject_sidecar
from omec.compile.weights_pod import MODEL_INIT_ANNOTATION
from omec.compile.weights_tuned import ADAPTER_ANNOTATION

TRIGGERS = frozenset(
    {
        ADAPTER_ANNOTATION,
        AGGREGATION,
        MODEL_INIT_ANNOTATION,
        OBSERVABILITY_PROFILE,
        PROBE_PROFILE,
        RDMA,
        SCRAPING,
        SHM_PROFILE,
        SIDECAR,
    }
)
"""The annotations without which nothing is injected, but for the operator's switches."""


def injected(template: Object, settings: WebhookSettings, weights: Mapping[str, str]) -> Object:
    """``template`` (``metadata`` and ``spec`` of a pod) as a pod made from it would be, itself unchanged.

    ``weights`` are the storage URIs of all FineTunedWeights by name. Raises
    :class:`omec.compile.webhook.pods.InjectionError` where the webhook would deny the pod.
    """
    switched_on = "true" in (settings.metric_aggregation, settings.prometheus_scraping)
    if not switched_on and TRIGGERS.isdisjoint(annotations_of(template)):
        return template
    pod = copy.deepcopy(template)
    inject_metrics(pod, settings)
    inject_model_init(pod, settings.model_init)
    inject_adapter(pod, settings.adapter, weights)
    inject_sidecar(pod, settings.sidecar)
    inject_rdma(pod)
    inject_shared_memory(pod)
    inject_probes(pod)
    inject_observability(pod)
    order_init_containers(pod)
    return pod


def with_injections(body: Object, settings: WebhookSettings, weights: Mapping[str, str]) -> Object:
    """``body``, a Deployment, LeaderWorkerSet or any other object, with what its pods would get in their templates.

    Raises :class:`omec.compile.webhook.pods.InjectionError`.
    """
    changed = body
    for path, template in templates(body):
        changed = _replaced(changed, path, injected(template, settings, weights))
    return changed


def templates(body: Object) -> Iterator[tuple[tuple[str, ...], Object]]:
    """The pod templates of an object and the ways to them."""
    paths: dict[str, list[tuple[str, ...]]] = {
        "Deployment": [("spec", "template")],
        "LeaderWorkerSet": [
            ("spec", "leaderWorkerTemplate", "leaderTemplate"),
            ("spec", "leaderWorkerTemplate", "workerTemplate"),
        ],
    }
    for path in paths.get(body["kind"], ()):
        template: Object | None = body
        for key in path:
            template = (template or {}).get(key)
        if template is not None:
            yield path, template


def _replaced(body: Object, path: tuple[str, ...], value: Object) -> Object:
    """``body`` with ``value`` at ``path``; what is not on the way is shared."""
    key, *rest = path
    return {**body, key: _replaced(body[key], tuple(rest), value) if rest else value}
