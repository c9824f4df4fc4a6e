"""The overview as text."""

from __future__ import annotations

from collections.abc import Sequence

from omec.resolve.table import format_table
from omec.runtime_agent.overview.models import ModelRow
from omec.runtime_agent.overview.services import ServiceRow
from omec.runtime_agent.status.workloads import COMPONENTS

_MOST_COLUMNS = 6
"""Of more nodes than this a matrix cannot be read; the count and what is missing are told instead."""


def model_table(rows: Sequence[ModelRow], width: int) -> str:
    """Models by nodes."""
    nodes = sorted({node for row in rows for node in row.nodes})
    columns = nodes if len(nodes) <= _MOST_COLUMNS else []
    headers = ["MODEL", "STATE", "READY", *(node.upper() for node in columns), "WAITS FOR"]
    return format_table(headers, [_model_cells(row, columns) for row in rows], width)


def service_table(rows: Sequence[ServiceRow], width: int) -> str:
    """InferenceServices by components; ready of wanted replicas."""
    components = [name for name in COMPONENTS if any(name in row.components for row in rows)]
    headers = ["INFERENCESERVICE", "READY", *(name.upper() for name in components), "MODEL", "WAITS FOR"]
    return format_table(headers, [_service_cells(row, components) for row in rows], width)


def _model_cells(row: ModelRow, columns: Sequence[str]) -> list[str]:
    count = f"{row.ready_count}/{len(row.nodes)}"
    return [row.title, row.state, count, *(row.nodes.get(node, "") for node in columns), row.waits_for or "-"]


def _service_cells(row: ServiceRow, components: Sequence[str]) -> list[str]:
    counts = ["/".join(map(str, row.components[name])) if name in row.components else "-" for name in components]
    return [row.title, row.ready, *counts, row.model or "-", row.waits_for or "-"]
