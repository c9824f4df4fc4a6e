"""Which nodes a class stands for, by the inventory of the configuration (reference 03 §3).

OME's controller asks the cluster. No choice of a class depends on the answer, but whether its pods are ever scheduled
does: without an inventory that is assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from omec.api import quantity
from omec.repo.settings_nodes import NodeGroup


def matching_nodes(
    spec: Mapping[str, Any], nodes: Iterable[NodeGroup], *, ome_version: str = "1.3"
) -> tuple[NodeGroup, ...]:
    """The groups of ``nodes`` that a class with this stored ``spec`` matches.

    A node must have every label of the class's selector, be its value empty or not, and some of each of its resources:
    how much does not count. OME before 1.3 compares ``memoryGB`` with the memory of the node instead.
    """
    selector = (spec.get("discovery") or {}).get("nodeSelector") or {}
    suits = _has_resources if ome_version != "1.2" else _has_memory
    return tuple(node for node in nodes if selector.items() <= node.labels.items() and suits(spec, node))


def roomy_nodes(spec: Mapping[str, Any], nodes: Iterable[NodeGroup]) -> tuple[NodeGroup, ...]:
    """Those of ``nodes`` on which one pod of the class fits: as much of each resource as the class gives a pod."""
    return tuple(
        node
        for node in nodes
        if all(_amount(node, resource["name"]) >= _asked(resource) for resource in spec.get("resources") or ())
    )


def _has_resources(spec: Mapping[str, Any], node: NodeGroup) -> bool:
    return all(_amount(node, resource["name"]) > 0 for resource in spec.get("resources") or ())


def _has_memory(spec: Mapping[str, Any], node: NodeGroup) -> bool:
    wanted = (spec.get("capabilities") or {}).get("memoryGB")
    return wanted is None or _amount(node, "memory") >= quantity.parse(str(wanted)).units


def _amount(node: NodeGroup, resource: str) -> int:
    return quantity.parse(node.capacity.get(resource, "0")).units


def _asked(resource: Mapping[str, Any]) -> int:
    return quantity.parse(str(resource.get("quantity", "1"))).units
