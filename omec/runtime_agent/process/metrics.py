"""Prometheus metrics of one process, in a registry of its own, so that tests can have several."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


class Metrics:
    """The registry of a role; give :attr:`registry` to the metrics that belong to it."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, ProcessCollector  # noqa: PLC0415

        self.registry: CollectorRegistry = CollectorRegistry()
        ProcessCollector(registry=self.registry)

    def page(self) -> tuple[str, bytes]:
        """All metrics in the text format."""
        from prometheus_client import generate_latest  # noqa: PLC0415
        from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4  # noqa: PLC0415

        return CONTENT_TYPE_PLAIN_0_0_4, generate_latest(self.registry)
