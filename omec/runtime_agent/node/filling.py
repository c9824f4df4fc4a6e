"""Writing facts into a model's spec, where it leaves them open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.facts.filling import fill_as_agent
from omec.runtime_agent.cluster.client import Cluster, modify
from omec.runtime_agent.node.model import NodeModel


def fill_spec(cluster: Cluster, model: NodeModel, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Fill the unset fields of the model as it is now; what was written.

    All nodes do so at the same time: the resource version makes the later ones look again, and find nothing to do.
    Raises :class:`omec.runtime_agent.cluster.errors.ApiError`.
    """

    def change() -> dict[str, Any]:
        name, namespace = model.key.name, model.key.namespace
        current = cluster.find(model.resource, name, namespace)
        if current is None or current["metadata"].get("deletionTimestamp"):
            return {}
        spec = current.get("spec") or {}
        filled = fill_as_agent(spec, facts)
        added = {field: value for field, value in filled.items() if spec.get(field) != value}
        if added:
            version = {"resourceVersion": current["metadata"]["resourceVersion"]}
            cluster.patch(model.resource, name, {"metadata": version, "spec": added}, namespace)
        return added

    written: dict[str, Any] = modify(change)
    return written
