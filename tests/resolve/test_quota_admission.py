"""What the webhook of the quota manager answers (reference 15 §1.5)."""

from __future__ import annotations

import pytest

from omec.resolve.quota.admission import refusal_of_deletion, refusal_of_write
from omec.resolve.quota.node import QuotaNode
from tests.resolve.quota_notation import Manifest, budget, nodes, quota

DOCS = "R, [ml-research<root:24], team-alpha<ml-research:16, team-beta<ml-research:8"
RAISED = "ml-research: budget nvidia.com/gpu on a100 is 24 but its children total 28"


def write(live: str, manifest: Manifest) -> str | None:
    return refusal_of_write(nodes(live), QuotaNode.of(manifest))


def leaf(name: str, nominal: object, parent: str = "ml-research", **limits: object) -> Manifest:
    return quota(name, "ClusterQueue", parent, budgets=[budget(nominal, **limits)])


def test_raise_a_team_above_its_group() -> None:
    assert write(DOCS, leaf("team-alpha", 20)) == RAISED


def test_the_same_when_the_group_is_exceeded_already() -> None:
    live = "R, [ml-research<root:24], team-alpha<ml-research:20, team-beta<ml-research:8"
    assert write(live, leaf("team-alpha", 20)) is None
    assert write(live, leaf("team-alpha", 200)) is None


def test_create_a_leaf_before_its_parent() -> None:
    refusal = 'new: parentRef "later" does not resolve to an existing AcceleratorQuota'
    assert write(DOCS, leaf("new", 1, "later")) == refusal


def test_delete_a_group_with_children() -> None:
    assert refusal_of_deletion(nodes(DOCS), "ml-research") == (
        '2 invariants violated: team-alpha: parentRef "ml-research" does not resolve to an existing AcceleratorQuota; '
        'team-beta: parentRef "ml-research" does not resolve to an existing AcceleratorQuota'
    )


def test_delete_root() -> None:
    assert (refusal_of_deletion(nodes(DOCS), "root") or "").startswith("3 invariants violated: ml-research: parentRef")
    assert refusal_of_deletion(nodes("R"), "root") is None


def test_a_leaf_becomes_a_cohort() -> None:
    assert write(DOCS, quota("team-alpha", "Cohort", "ml-research", budgets=[budget(16)])) is None
    limited = quota("team-alpha", "Cohort", "ml-research", budgets=[budget(16, borrowingLimit=1)])
    assert "carries leaf-only fields" in (write(DOCS, limited) or "")


@pytest.mark.parametrize(
    "manifest",
    [
        leaf("new", "-1", "root"),
        leaf("new", 1, "root", lendingLimit=2),
        leaf("new", 10**6, "root"),
        quota("new", "ClusterQueue", "root", budgets=[budget(1, flavor="unknown")]),
        leaf("new", 8, "root", policy="Explicit", perCluster=[{"cluster": "a", "nominal": 1}]),
    ],
)
def test_what_the_webhook_does_not_look_at(manifest: Manifest) -> None:
    assert write(DOCS, manifest) is None


def test_a_broken_tree_can_be_repaired_step_by_step() -> None:
    assert write("R, a<x:1", quota("x", "Cohort", "root")) is None
    assert write("R, a<x:1", leaf("a", 1, "y")) == 'a: parentRef "y" does not resolve to an existing AcceleratorQuota'
