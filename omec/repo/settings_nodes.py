"""The inventory of nodes in ``omec.toml``: what a compiler cannot see of the cluster.

::

    [[nodes]]
    name = "h100"
    count = 4
    labels = {"nvidia.com/gpu.product" = "NVIDIA-H100-80GB-HBM3"}
    capacity = {"nvidia.com/gpu" = 8, memory = "2Ti"}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from omec.api.quantity import QuantityError, canonical
from omec.repo.settings import Check, Place, table, text, type_name


class NodeGroup(msgspec.Struct, frozen=True):
    """Nodes that are alike: ``capacity`` holds quantities by resource, as a node's ``status.capacity`` does."""

    name: str
    count: int = 1
    labels: Mapping[str, str] = msgspec.field(default_factory=dict)
    capacity: Mapping[str, str] = msgspec.field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "count": self.count,
            "labels": dict(self.labels),
            "capacity": dict(self.capacity),
        }


def nodes(value: Any, place: Place) -> tuple[NodeGroup, ...]:
    """The groups of ``[[nodes]]``; raises :class:`omec.errors.OmecError` at what is wrong."""
    if not isinstance(value, list | tuple):
        raise place.error(f"must be a list of tables, not {type_name(value)}", hint="write it as [[nodes]]")
    groups = tuple(_group(item, place.child(index)) for index, item in enumerate(value))
    for index, group in enumerate(groups):
        if any(group.name == other.name for other in groups[:index]):
            raise place.child(index).child("name").error(f"is {group.name!r} for a second group of nodes")
    return groups


def _group(value: Any, place: Place) -> NodeGroup:
    checks: dict[str, Check] = {"name": text, "count": _count, "labels": _labels, "capacity": _capacity}
    given = table(value, place)
    for key in given:
        if key not in checks:
            raise place.unknown(key, checks)
    if "name" not in given:
        raise place.error("has no name", hint="name the pool of nodes; messages call it by that name")
    return NodeGroup(**{key: check(given[key], place.child(key)) for key, check in checks.items() if key in given})


def _count(value: Any, place: Place) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise place.error(f"must be a number, not {type_name(value)}")
    if value < 1:
        raise place.error(f"is {value}", hint="leave out groups without nodes")
    return value


def _labels(value: Any, place: Place) -> dict[str, str]:
    labels = {}
    for key, label in table(value, place).items():
        if not isinstance(label, str):
            raise place.child(key).error(f"must be a text, not {type_name(label)}", hint="write it in quotes")
        labels[key] = label
    return labels


def _capacity(value: Any, place: Place) -> dict[str, str]:
    capacity = {}
    for resource, amount in table(value, place).items():
        here = place.child(resource)
        if isinstance(amount, bool) or not isinstance(amount, int | float | str):
            raise here.error(f"must be a quantity, not {type_name(amount)}", hint='write 8, or "80Gi"')
        try:
            capacity[resource] = canonical(str(amount))
        except QuantityError as error:
            raise here.error(f"is {amount!r}", hint=str(error)) from None
    return capacity
