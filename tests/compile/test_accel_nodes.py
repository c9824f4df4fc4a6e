"""Which nodes a class stands for (reference 03 §3), and the inventory that says so."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.accel.nodes import matching_nodes, roomy_nodes
from omec.errors import OmecError
from omec.repo.settings import Place
from omec.repo.settings_nodes import NodeGroup, nodes

Object = dict[str, Any]

PRODUCT = "nvidia.com/gpu.product"
GPU = "nvidia.com/gpu"
ROOT = Place(("nodes",), lambda _: "omec.toml:1:1: ")


def of_class(selector: Object | None = None, resources: Object | None = None) -> Object:
    listed = [{"name": name, "quantity": quantity} for name, quantity in (resources or {}).items()]
    return {"discovery": {"nodeSelector": selector or {}}, "resources": listed}


@pytest.mark.parametrize(
    ("selector", "resources", "labels", "capacity", "matches"),
    [
        ({PRODUCT: "H100"}, {GPU: "8"}, {PRODUCT: "H100"}, {GPU: "8"}, True),
        ({PRODUCT: "H100"}, {GPU: "8"}, {PRODUCT: "H100"}, {GPU: "1"}, True),
        ({PRODUCT: "H100"}, {GPU: "8"}, {PRODUCT: "H100"}, {}, False),
        ({PRODUCT: "H100"}, {GPU: "8"}, {PRODUCT: "H100"}, {GPU: "0"}, False),
        ({PRODUCT: "H100"}, {}, {PRODUCT: "H100"}, {}, True),
        ({PRODUCT: "H100"}, {GPU: "8"}, {PRODUCT: "H100-PCIe"}, {GPU: "8"}, False),
        ({}, {}, {"any": "label"}, {}, True),
        ({}, {GPU: "1", "rdma/hca": "1"}, {}, {GPU: "8"}, False),
        ({"a": "1", "b": "2"}, {}, {"a": "1"}, {}, False),
        # Decided: a node without the label does not match a selector with an empty value.
        ({"a": ""}, {}, {}, {}, False),
    ],
)
def test_matching(selector: Object, resources: Object, labels: Object, capacity: Object, matches: bool) -> None:
    node = NodeGroup("pool", labels=labels, capacity=capacity)
    assert matching_nodes(of_class(selector, resources), [node]) == ((node,) if matches else ())


@pytest.mark.parametrize(("memory", "matches"), [("80Gi", True), ("79Gi", False), (None, False)])
def test_ome_1_2_compares_memory(memory: str | None, matches: bool) -> None:
    node = NodeGroup("pool", capacity={} if memory is None else {"memory": memory})
    spec = {"capabilities": {"memoryGB": "80Gi"}, "resources": [{"name": GPU}]}
    assert bool(matching_nodes(spec, [node], ome_version="1.2")) is matches


def test_room_for_a_pod() -> None:
    small, large = NodeGroup("small", capacity={GPU: "1"}), NodeGroup("large", capacity={GPU: "8"})
    assert roomy_nodes(of_class(resources={GPU: "8"}), [small, large]) == (large,)


def test_inventory() -> None:
    given = [
        {"name": "h100", "count": 4, "labels": {PRODUCT: "H100"}, "capacity": {GPU: 8, "memory": "2048Gi"}},
        {"name": "cpu"},
    ]
    assert [group.to_dict() for group in nodes(given, ROOT)] == [
        {"name": "h100", "count": 4, "labels": {PRODUCT: "H100"}, "capacity": {GPU: "8", "memory": "2Ti"}},
        {"name": "cpu", "count": 1, "labels": {}, "capacity": {}},
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"name": "x"}, "omec.toml:1:1: nodes must be a list of tables, not a table"),
        ([{}], "nodes[0] has no name"),
        ([{"name": "x"}, {"name": "x"}], "nodes[1].name is 'x' for a second group of nodes"),
        ([{"name": "x", "lables": {}}], "unknown key 'lables' in [nodes[0]]"),
        ([{"name": "x", "count": 0}], "nodes[0].count is 0"),
        ([{"name": "x", "count": "4"}], "nodes[0].count must be a number, not a text"),
        ([{"name": "x", "labels": {"a": True}}], "nodes[0].labels.a must be a text, not true or false"),
        ([{"name": "x", "capacity": {"cpu": []}}], "nodes[0].capacity.cpu must be a quantity, not a list"),
        ([{"name": "x", "capacity": {"cpu": "many"}}], "nodes[0].capacity.cpu is 'many'"),
    ],
)
def test_inventory_with_mistakes(value: Any, message: str) -> None:
    with pytest.raises(OmecError) as caught:
        nodes(value, ROOT)
    assert message in str(caught.value)
    assert caught.value.code in ("OME012", "OME013")
