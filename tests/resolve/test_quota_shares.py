"""Budgets split over a fleet, and the copies of its members (reference 15 §6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.resolve.quota.amount import amount_of
from omec.resolve.quota.judgement import judge
from omec.resolve.quota.node import Pair, QuotaNode
from omec.resolve.quota.projection import projections
from omec.resolve.quota.shares import Fleet, Split, largest_remainder, split_fleet
from tests.resolve.quota_notation import Manifest, budget, nodes, quota

GPU = Pair("nvidia.com/gpu", "a100")


def fleet(silent: tuple[str, ...] = (), parked: tuple[str, ...] = (), **allocatable: object) -> Fleet:
    amounts = {name: amount_of(value) for name, value in allocatable.items()}
    marks = {name: amount_of(8) if name in parked else amount for name, amount in amounts.items()}
    return Fleet(silent, {GPU: amounts} if amounts else {}, {GPU: marks} if marks else {})


def split(leaf: Manifest, members: Fleet, default: str = "") -> Split:
    return split_fleet(judge([*nodes("R"), QuotaNode.of(leaf)]).tree, members, default)


def team(nominal: object, **fields: object) -> Manifest:
    return quota("team", "ClusterQueue", "root", budgets=[budget(nominal, **fields)])


@pytest.mark.parametrize(
    ("nominal", "allocatable", "shares"),
    [
        ("4", {"a": 8, "b": 8, "c": 8}, {"a": "2", "b": "1", "c": "1"}),
        ("10", {"a": 5, "b": 3, "c": 1}, {"a": "6", "b": "3", "c": "1"}),
        ("4000m", {"a": 1, "b": 1, "c": 1}, {"a": "1334m", "b": "1333m", "c": "1333m"}),
        ("1k", {"a": 2, "b": 1}, {"a": "1k"}),
        ("1Gi", {"a": 1, "b": 1}, {"a": "512Mi", "b": "512Mi"}),
        ("5", {"a": "1500m", "b": "500m"}, {"a": "4", "b": "1"}),
        ("1.5", {"a": 1, "b": 1}, {"a": "800m", "b": "700m"}),
    ],
)
def test_proportional(nominal: str, allocatable: dict[str, object], shares: dict[str, str]) -> None:
    """The whole 1k goes to one cluster, and the other gets no copy of a leaf without hardware there."""
    found = split(
        team(nominal, policy="Proportional"), Fleet((), {GPU: {k: amount_of(v) for k, v in allocatable.items()}})
    )
    assert {cluster: given[GPU].text for cluster, given in found.shares["team"].items()} == shares


def test_a_parked_cluster_keeps_its_copy() -> None:
    found = split(team(8, policy="Proportional"), fleet(a=8, b=0, parked=("b",)))
    assert {cluster: given[GPU].text for cluster, given in found.shares["team"].items()} == {"a": "8", "b": "0"}


@pytest.mark.parametrize(
    ("leaf", "members", "reason"),
    [
        (
            team(8),
            fleet(a=8),
            "budget nvidia.com/gpu/a100 has no distribution policy, and none is configured fleet-wide",
        ),
        (
            team(8, policy="Explicit"),
            fleet(),
            "budget nvidia.com/gpu/a100 is Explicit but names no per-cluster shares",
        ),
        (
            team(2, policy="Explicit", perCluster=[{"cluster": "a", "nominal": 1}, {"cluster": "a", "nominal": 1}]),
            fleet(),
            "budget nvidia.com/gpu/a100 names cluster a twice",
        ),
        (
            team(8, policy="Explicit", perCluster=[{"cluster": "a", "nominal": 5}, {"cluster": "b", "nominal": 2}]),
            fleet(),
            "budget nvidia.com/gpu/a100 is 8 but its per-cluster shares sum to 7",
        ),
        (
            team(8, policy="Proportional"),
            fleet(("c", "b"), a=8),
            "holding nvidia.com/gpu/a100: [b c] has not reported capacity, and splitting without it would over-grant "
            "the fleet",
        ),
        (
            team(8, policy="Proportional"),
            fleet(),
            "no cluster has reported capacity for nvidia.com/gpu/a100 yet, so a proportional split has nothing to "
            "divide by",
        ),
        (
            team(8, policy="Proportional"),
            fleet(a=0),
            "splitting nvidia.com/gpu/a100: every cluster reports zero capacity, so there is nothing to be "
            "proportional to",
        ),
        (team(-8, policy="Proportional"), fleet(a=8), "splitting nvidia.com/gpu/a100: total -8 is negative"),
    ],
)
def test_what_cannot_be_split(leaf: Manifest, members: Fleet, reason: str) -> None:
    found = split(leaf, members)
    assert str(found.unresolved["team"]) == reason
    assert found.shares == {}


def test_the_budgets_policy_comes_before_the_leafs_and_that_before_the_fleets() -> None:
    leaf = team(8, policy="Proportional")
    leaf["spec"]["distribution"] = {"policy": "Explicit"}
    assert split(leaf, fleet(a=8)).unresolved == {}
    assert split(team(8), fleet(a=8), "Proportional").unresolved == {}


def test_the_copies_of_a_member() -> None:
    root = quota("root", "Cohort", budgets=[budget(64)])
    org = quota("org", "Cohort", "root", budgets=[budget(32)])
    leaf = quota(
        "team",
        "ClusterQueue",
        "org",
        priorityTier="gold",
        budgets=[budget(8, policy="Explicit", perCluster=[{"cluster": "east", "nominal": 8}], lendingLimit=2)],
    )
    for manifest, generation in ((org, 2), (leaf, 7)):
        manifest["metadata"] |= {"uid": f"u-{manifest['metadata']['name']}", "generation": generation}
    judgement = judge(map(QuotaNode.of, (root, org, leaf)))
    copies = projections(judgement, split_fleet(judgement.tree, fleet()), origin="hub")
    assert [copy["metadata"]["name"] for copy in copies["east"]] == ["org", "team"]
    assert copies["east"][0]["spec"] == {"role": "Cohort", "parentRef": {"name": "root"}}
    assert copies["east"][1] == {
        "apiVersion": "ome.io/v1beta1",
        "kind": "AcceleratorQuota",
        "metadata": {
            "name": "team",
            "labels": {"ome.io/quota-origin": "hub"},
            "annotations": {
                "ome.io/quota-origin-uid": "u-team",
                "ome.io/quota-source-generation": "7",
                "ome.io/quota-cluster": "east",
            },
        },
        "spec": {
            "role": "ClusterQueue",
            "parentRef": {"name": "org"},
            "priorityTier": "gold",
            "budgets": [
                {"resourceName": "nvidia.com/gpu", "resourceFlavor": "a100", "nominal": "8", "lendingLimit": "2"}
            ],
        },
    }


def test_a_frozen_leaf_keeps_the_copies_that_it_has() -> None:
    shares = {"policy": "Explicit", "perCluster": [{"cluster": "east", "nominal": 8}]}
    leaf = quota("team", "ClusterQueue", "org", budgets=[budget(8, **shares)])
    judgement = judge([*nodes("R, [org<root:4]"), QuotaNode.of(leaf)])
    assert projections(judgement, split_fleet(judgement.tree, fleet()), origin="hub") == {"east": []}


@given(
    st.integers(0, 10**6),
    st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.integers(0, 10**4), min_size=1).filter(
        lambda weights: any(weights.values())
    ),
)
def test_shares_sum_to_the_whole_and_differ_from_the_quota_by_less_than_one(
    units: int, weights: dict[str, int]
) -> None:
    shares = largest_remainder(units, weights)
    basis = sum(weights.values())
    assert sum(shares.values()) == units
    assert all(abs(share * basis - units * weights[name]) < basis for name, share in shares.items())
    assert list(shares) == sorted(weights)
