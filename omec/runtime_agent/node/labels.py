"""The labels by which a node tells which models it has (reference 07 §10)."""

from __future__ import annotations

from omec.runtime_agent.cluster.resources import Object


def label_patch(key: str, value: str | None) -> list[Object]:
    """The JSON patch that sets a node label, or removes it (``None``)."""
    path = f"/metadata/labels/{key.replace('~', '~0').replace('/', '~1')}"
    return [{"op": "remove", "path": path}] if value is None else [{"op": "add", "path": path, "value": value}]
