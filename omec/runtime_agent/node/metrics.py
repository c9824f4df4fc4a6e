"""Metrics of the node role, under OME's names where OME has them (reference 07 §13.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from omec.runtime_agent.contract.names import ModelKey

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

_MODEL = ("model_type", "namespace", "name")


class NodeMetrics:
    """Counts what happens to models; ``queued`` and ``ready`` are asked when somebody scrapes."""

    def __init__(self, registry: CollectorRegistry, queued: Callable[[], float]) -> None:
        from prometheus_client import Counter, Gauge, Histogram  # noqa: PLC0415

        def counter(name: str, text: str, labels: tuple[str, ...] = _MODEL) -> Counter:
            return Counter(f"model_agent_{name}", text, labels, registry=registry)

        self._succeeded = counter("downloads_success", "Downloads that ended with a verified model.")
        self._failed = counter("downloads_failed", "Downloads that failed.")
        self._bytes = counter("download_bytes", "Bytes received.")
        self._verified = counter("verifications", "Verifications of models.", (*_MODEL, "result"))
        self._mismatches = counter("md5_checksum_failed", "Files whose content had another digest.")
        self._limited = counter("rate_limit", "Downloads that a source refused because of too many requests.")
        buckets = tuple(0.1 * 2**power for power in range(10))
        self._seconds = Histogram(
            "model_agent_download_duration_seconds", "Time of a download.", _MODEL, buckets=buckets, registry=registry
        )
        self.garbage = Gauge("omec_agent_garbage_bytes", "Bytes of directories that no model names.", registry=registry)
        Gauge("omec_agent_queued_models", "Models that wait or are worked on.", registry=registry).set_function(queued)

    def succeeded(self, key: ModelKey, seconds: float, transferred: int) -> None:
        labels = _labels(key)
        self._succeeded.labels(*labels).inc()
        self._verified.labels(*labels, "success").inc()
        self._seconds.labels(*labels).observe(seconds)
        self._bytes.labels(*labels).inc(transferred)

    def failed(self, key: ModelKey, *, checksum: bool, limited: bool) -> None:
        labels = _labels(key)
        self._failed.labels(*labels).inc()
        if checksum:
            self._verified.labels(*labels, "failure").inc()
            self._mismatches.labels(*labels).inc()
        if limited:
            self._limited.labels(*labels).inc()

    def forget(self, key: ModelKey) -> None:
        """Remove the series of a model that is gone."""
        labels = _labels(key)
        for metric in (self._succeeded, self._failed, self._bytes, self._mismatches, self._limited, self._seconds):
            if labels in metric._metrics:
                metric.remove(*labels)


def _labels(key: ModelKey) -> tuple[str, str, str]:
    return key.kind, key.namespace or "", key.name
