"""The KEDA triggers that InferenceServices declare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from omec.catalog import Resource
from omec.compile.names import COMPONENTS, ComponentName
from omec.finding import FieldPath
from omec.lint.context import Context

MATCHER = re.compile(r"\b(namespace|inferenceservice|component)\s*(=~|=)\s*\"([^\"]*)\"")
"""A matcher of a PromQL selector for one of the labels that OME's pods carry."""


class Scaled(NamedTuple):
    """A component that KEDA scales on ``triggers``; ``path`` leads to their list."""

    service: Resource
    component: ComponentName
    spec: Mapping[str, Any]
    triggers: list[Mapping[str, Any]]
    path: FieldPath


def scaled_components(context: Context) -> Iterator[Scaled]:
    """The components whose own autoscaler block is of class KEDA."""
    for service in context.services:
        for name in COMPONENTS:
            spec = service.spec.get(name)
            block = spec.get("autoscaler") if isinstance(spec, dict) else None
            if isinstance(spec, dict) and isinstance(block, dict) and block.get("class") == "KEDA":
                triggers = (block.get("keda") or {}).get("triggers") or []
                path: FieldPath = ("spec", name, "autoscaler", "keda", "triggers")
                yield Scaled(service, name, spec, triggers, path)


def query_of(trigger: Mapping[str, Any]) -> str:
    """The query of a Prometheus trigger, ``""`` for another trigger."""
    query = (trigger.get("metadata") or {}).get("query") if trigger.get("type") == "prometheus" else None
    return query if isinstance(query, str) else ""
