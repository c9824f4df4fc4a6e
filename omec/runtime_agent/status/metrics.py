"""What the status role counts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


class StatusMetrics:
    """Looks at objects by ``kind`` (``model``, ``node``, ``runtimes``, ``service``): how long, and how many failed."""

    def __init__(self, registry: CollectorRegistry) -> None:
        from prometheus_client import Counter, Histogram  # noqa: PLC0415

        self._seconds = Histogram(
            "omec_status_reconcile_seconds",
            "Time to look at one object and write its status",
            ["kind"],
            registry=registry,
        )
        self._failures = Counter(
            "omec_status_reconcile_failures",
            "Looks at objects that failed and are repeated",
            ["kind"],
            registry=registry,
        )

    @contextmanager
    def timed(self, kind: str) -> Iterator[None]:
        with self._seconds.labels(kind).time():
            yield

    def failed(self, kind: str) -> None:
        self._failures.labels(kind).inc()
