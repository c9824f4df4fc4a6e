"""The time as Kubernetes writes it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """The time in seconds, RFC 3339, as in ``lastTransitionTime``."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
