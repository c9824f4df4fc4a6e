"""Whether OME's pod webhook may have anything to do with a workload."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.compile.inputs import Object
from omec.compile.webhook.settings import WebhookSettings

PREFIXES = ("ome.io/enable-", "ome.io/inject-", "rdma.ome.io/", "runtime.ome.io/")
"""How the annotations begin that ask for injections."""


def may_inject(body: Object, settings: WebhookSettings) -> bool:
    """Whether the pods of ``body`` or the operator's switches ask for anything."""
    if "true" in (settings.metric_aggregation, settings.prometheus_scraping):
        return True
    return any(key.startswith(PREFIXES) for annotations in _annotations(body) for key in annotations)


def _annotations(body: Object) -> Iterator[Mapping[str, Any]]:
    """The annotations of every pod template in ``body``."""
    spec = body["spec"]
    group = spec.get("leaderWorkerTemplate") or {}
    templates = [spec.get("template"), group.get("leaderTemplate"), group.get("workerTemplate")]
    templates += [runner.get("template") for runner in spec.get("runners") or ()]
    for template in templates:
        yield ((template or {}).get("metadata") or {}).get("annotations") or {}
