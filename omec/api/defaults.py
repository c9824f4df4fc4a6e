"""What the API server does to an ome.io object before OME sees it: nulls pruned, schema defaults filled in."""

from __future__ import annotations

from typing import Any


def admitted(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """A copy of ``body`` as the API server stores it (placeholder until the shapes land)."""
    raise NotImplementedError(kind, body)
