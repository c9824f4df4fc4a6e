"""The Deployment of a component (reference 04 §12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.inputs import Object
from omec.compile.metadata import APP_LABEL, described


def deployment(
    name: str,
    namespace: str,
    *,
    labels: Mapping[str, str],
    annotations: Mapping[str, str],
    pod: Object,
    strategy: Mapping[str, Any] | None,
    replicas: int | None,
) -> Object:
    """The Deployment of pods with these labels and annotations; ``replicas`` is given where no autoscaler decides."""
    spec: Object = {} if replicas is None else {"replicas": replicas}
    spec |= {
        "selector": {"matchLabels": {APP_LABEL: labels[APP_LABEL]}},
        "template": {"metadata": described(labels, annotations), "spec": pod},
        "strategy": update_strategy(strategy),
        "revisionHistoryLimit": 10,
        "progressDeadlineSeconds": 600,
    }
    metadata = {"name": name, "namespace": namespace, **described(labels, annotations)}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


def update_strategy(merged: Mapping[str, Any] | None) -> Object:
    """How pods are replaced: what the component says, else a new pod first and never one less than wanted."""
    strategy = dict(merged or {})
    if not strategy.get("type"):
        strategy["type"] = "RollingUpdate"
    if strategy["type"] == "RollingUpdate" and strategy.get("rollingUpdate") is None:
        strategy["rollingUpdate"] = {"maxUnavailable": 0, "maxSurge": 1}
    return strategy
