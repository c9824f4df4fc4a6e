"""How hardware is counted and remembered (reference 15 §2)."""

from __future__ import annotations

import pytest

from omec.resolve.quota.amount import amount_of
from omec.resolve.quota.hardware import Flavor, Mark, Node, marks, survey
from omec.resolve.quota.node import Pair

GPU = Pair("nvidia.com/gpu", "a100")
A100 = Flavor("a100", {"gpu": "a100"})


def node(
    chips: object = 8, *, labels: dict[str, str] | None = None, ready: str | None = "True", cordoned: bool = False
) -> Node:
    return Node.of(
        {
            "metadata": {"name": "n", "labels": {"gpu": "a100"} if labels is None else labels},
            "spec": {"unschedulable": cordoned},
            "status": {
                "capacity": {"nvidia.com/gpu": 99},
                "allocatable": {"nvidia.com/gpu": chips, "cpu": "64"},
                "conditions": [] if ready is None else [{"type": "Ready", "status": ready}],
            },
        }
    )


@pytest.mark.parametrize(
    ("mark", "installed", "band", "new"),
    [
        (32, 24, 10, 24),
        (32, 30, 10, 32),
        (100, 90, 10, 100),
        (100, 89, 10, 89),
        (32, 30, 0, 30),
        (100, 1, 100, 100),
        (32, 40, 10, 40),
        (32, 40, 0, 40),
        (32, 40, 100, 40),
    ],
)
def test_the_high_water_mark(mark: int, installed: int, band: int, new: int) -> None:
    previous = {GPU: Mark(amount_of(mark), amount_of(mark))}
    found = marks(survey([node(installed)], [A100]), previous, [GPU], band=band)
    assert found[GPU].high_water == amount_of(new)


def test_installed_counts_what_cannot_be_scheduled() -> None:
    nodes = [node(), node(cordoned=True), node(ready="False"), node(ready="Unknown"), node(ready=None)]
    found = survey(nodes, [A100])
    assert (found.installed[GPU].nodes, found.installed[GPU].unavailable_nodes) == (1, 4)
    new = marks(found, {}, [GPU])[GPU]
    assert (str(new.allocatable), str(new.high_water)) == ("8", "40")


@pytest.mark.parametrize(
    ("labels", "flavors", "outcome"),
    [
        ({"gpu": "a100"}, [A100], "a100"),
        ({}, [A100], "NoMatchingFlavor"),
        ({"gpu": "a100"}, [], "NoMatchingFlavor"),
        ({"gpu": "a100", "zone": "z"}, [A100, Flavor("zone", {"zone": "z"})], "AmbiguousFlavor"),
        ({"gpu": "a100", "zone": "z"}, [A100, Flavor("both", {"gpu": "a100", "zone": "z"})], "both"),
        ({"gpu": "a100"}, [Flavor("any", {}), A100], "a100"),
        ({}, [Flavor("any", {}), A100], "any"),
        ({}, [Flavor("empty", {"gpu": ""})], "empty"),
    ],
)
def test_the_flavor_of_a_node(labels: dict[str, str], flavors: list[Flavor], outcome: str) -> None:
    found = survey([node(labels=labels)], flavors)
    told = [pair.flavor for pair in found.installed] + [lost.reason for lost in found.unattributed]
    assert told == [outcome]


def test_other_resources_and_none_of_one_do_not_count() -> None:
    assert survey([node(0)], [A100]).installed == {}
    assert survey([node()], [A100], ["amd.com/gpu"]).installed == {}


def test_a_pair_that_is_seen_no_more_keeps_its_mark_until_it_is_zero() -> None:
    gone, forgotten = Pair("nvidia.com/gpu", "h100"), Pair("nvidia.com/gpu", "h200")
    previous = {gone: Mark(amount_of(4), amount_of(4)), forgotten: Mark(amount_of(0), amount_of(0))}
    found = marks(survey([node()], [A100]), previous, [GPU])
    assert {pair.flavor: (str(mark.allocatable), str(mark.high_water)) for pair, mark in found.items()} == {
        "a100": ("8", "8"),
        "h100": ("0", "4"),
    }
