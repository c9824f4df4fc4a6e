"""The quota tree of a repository in the output of each platform."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omec.catalog.build import build_catalog
from omec.compile.kueue.quotas import CompiledQuotas, compile_quotas
from omec.compile.kueue.written import flavor_names, local_queues, written_objects
from omec.finding import Severity
from omec.repo.document import Document
from omec.repo.read import read
from omec.resolve.quota.repository import RepositoryQuotas
from omec.resolve.quota.settings import quota_settings
from omec.session import from_objects
from tests.resolve.quota_notation import Manifest, manifests

TREE = "[org<root:8], team<org:8"
ENROLLED = {"enrolled-namespaces": ["ml"]}


def queue(kind: str, name: str, namespace: str | None = None, **labels: str) -> Manifest:
    metadata: Manifest = {"name": name, "labels": {f"ome.io/{key.replace('_', '-')}": v for key, v in labels.items()}}
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": kind,
        "metadata": metadata | ({"namespace": namespace} if namespace else {}),
        "spec": {},
    }


def compiled(
    text: str,
    *others: Manifest,
    platform: str = "kubernetes",
    kueue: bool = True,
    broken: bool = False,
    metadata: bool = False,
    context: str = "",
    table: dict[str, Any] | None = None,
) -> CompiledQuotas:
    bodies = [*(manifests(text) if text else []), *others]
    own = [Document(f"objects[{index}]", 0, body) for index, body in enumerate(bodies)]
    elsewhere = [
        Document(f"context[{index}]", 0, body) for index, body in enumerate(manifests(context) if context else [])
    ]
    indexed = build_catalog(own, context=elsewhere)
    quotas = RepositoryQuotas.of(indexed.catalog, quota_settings(ENROLLED if table is None else table))
    return compile_quotas(
        quotas, written_objects(indexed.others), platform=platform, kueue=kueue, broken=broken, metadata=metadata
    )


def told(result: CompiledQuotas) -> list[tuple[str, str]]:
    return [(finding.rule.code, finding.message) for finding in result.findings]


FLAVOR = queue("ResourceFlavor", "a100")


def test_kubernetes_with_kueue() -> None:
    result = compiled(TREE, FLAVOR)
    assert result.findings == ()
    assert [(item.body["kind"], item.body["metadata"]["name"], item.owner.name) for item in result.outputs] == [
        ("Cohort", "org", "org"),
        ("Cohort", "root", "org"),  # nobody wrote root: it goes with the first node
        ("ClusterQueue", "team", "team"),
        ("LocalQueue", "team", "team"),
    ]
    labels = {"ome.io/accelerator-quota": "team", "ome.io/quota-managed-by": "omec"}
    assert result.outputs[-1].body["metadata"] == {"name": "team", "namespace": "ml", "labels": labels}


def test_omecs_mark_is_metadata() -> None:
    marked = compiled(TREE, FLAVOR, metadata=True).outputs[0].body["metadata"]["labels"]
    assert marked["app.kubernetes.io/managed-by"] == "omec"


@pytest.mark.parametrize(("platform", "kueue"), [("ome", True), ("ome", False), ("kubernetes", False)])
def test_where_nothing_is_rendered(platform: str, kueue: bool) -> None:
    assert compiled(TREE, FLAVOR, platform=platform, kueue=kueue) == CompiledQuotas()


def test_a_broken_tree_renders_nothing_and_keeps_all() -> None:
    """A partial set would let Argo CD prune a team's queue."""
    result = compiled("[org<root:8], team<org:9, free<root:1", FLAVOR, broken=True)
    assert result.outputs == ()
    assert [resource.name for resource in result.kept] == ["free", "org", "team"]


def test_without_namespaces_nothing_is_rendered_and_said() -> None:
    ((code, message),) = told(compiled(TREE, FLAVOR, table={}))
    assert (code, message) == (
        "OME671",
        "no namespace is enrolled, so org and the rest of the quota tree become no Kueue objects",
    )


def test_without_quotas_nothing_is_said() -> None:
    assert compiled("", FLAVOR, table={}) == CompiledQuotas()


def test_without_flavors_all_are_taken_to_exist() -> None:
    result = compiled(TREE)
    assert [(finding.rule.code, finding.severity) for finding in result.findings] == [("OME674", Severity.INFO)]
    (group,) = next(item.body["spec"] for item in result.outputs if item.body["kind"] == "ClusterQueue")[
        "resourceGroups"
    ]
    assert [flavor["name"] for flavor in group["flavors"]] == ["a100"]


def test_a_queue_by_hand_is_a_conflict() -> None:
    result = compiled(TREE, FLAVOR, queue("ClusterQueue", "team"))
    assert told(result) == [
        (
            "OME670",
            "team: ClusterQueue team already exists and is not managed by omec; refusing to adopt it (ObjectConflict)",
        )
    ]
    assert result.outputs == ()
    assert [resource.name for resource in result.kept] == ["org", "team"]


def test_nodes_of_other_catalogs_are_written_elsewhere() -> None:
    result = compiled("team<org:8", FLAVOR, context="R, [org<root:8]")
    assert [(item.body["kind"], item.body["metadata"]["name"]) for item in result.outputs] == [
        ("ClusterQueue", "team"),
        ("LocalQueue", "team"),
    ]


def test_beside_omes_manager_conflicts_and_swept_objects_are_warned_of() -> None:
    by_ome = {"quota_managed_by": "ome-quota-manager"}
    result = compiled(
        TREE,
        queue("Cohort", "org"),
        queue("ClusterQueue", "gone", **by_ome, accelerator_quota="gone"),
        queue("ClusterQueue", "team", **by_ome, accelerator_quota="team"),
        platform="ome",
    )
    assert told(result) == [
        (
            "OME670",
            "org: Cohort org already exists and is not managed by ome-quota-manager; refusing to adopt it "
            "(ObjectConflict)",
        ),
        (
            "OME673",
            "ClusterQueue gone says that ome-quota-manager manages it, but no AcceleratorQuota stands for it",
        ),
    ]
    assert {finding.severity for finding in result.findings} == {Severity.WARNING}


def test_what_kueue_would_refuse_is_never_written() -> None:
    """The tree's own findings say it first; this is the last look before writing."""
    leaf = manifests("team<root:8")[0]
    leaf["spec"]["budgets"][0]["lendingLimit"] = 9
    ((code, message),) = told(compiled("R", FLAVOR, leaf))
    assert code == "OME672"
    assert message.startswith("team: cannot apply ClusterQueue team: spec.resourceGroups[0].flavors[0].resources[3].")
    assert message.endswith("(MaterializationFailed)")


def test_kueue_objects_of_a_repository(tmp_path: Path) -> None:
    text = """
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: by-hand, namespace: ml}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: a100}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: x}
"""
    (tmp_path / "queues.yaml").write_text(text, encoding="utf-8")
    found = written_objects(read([tmp_path]).documents)
    assert [str(item) for item in found] == ["LocalQueue ml/by-hand", "ResourceFlavor a100"]
    assert flavor_names(found) == {"a100"}
    assert local_queues(found) == {("ml", "by-hand")}


@pytest.mark.parametrize(
    ("groups", "messages"),
    [
        (None, []),
        ([{"name": "big", "count": 1, "labels": {"gpu": "a100"}, "capacity": {"nvidia.com/gpu": 8}}], []),
        (
            [{"name": "small", "count": 3, "labels": {"gpu": "a100"}, "capacity": {"nvidia.com/gpu": 2}}],
            ["budget nvidia.com/gpu on a100 is 8 but the cluster's peak capacity is 6"],
        ),
        (
            [{"name": "other", "labels": {"gpu": "h100"}, "capacity": {"nvidia.com/gpu": 99}}],
            ["budget nvidia.com/gpu on a100 is 8 but no capacity is measured for that pair"],
        ),
    ],
)
def test_budgets_above_the_inventory(groups: Any, messages: list[str]) -> None:
    flavor = {**FLAVOR, "spec": {"nodeLabels": {"gpu": "a100"}}}
    config = {} if groups is None else {"nodes": groups}
    findings = from_objects([*manifests(TREE), flavor], config=config).lint().findings
    found = [finding.message for finding in findings if finding.rule.slug == "quota-capacity"]
    # The organisation and the team have the same budget.
    assert [text for text in messages for message in found if text in message] == messages * 2
    assert len(found) == 2 * len(messages)


def test_budgets_of_flavors_that_the_repository_does_not_hold_are_not_judged() -> None:
    config = {"nodes": [{"name": "small", "capacity": {"nvidia.com/gpu": 1}}]}
    findings = from_objects(manifests(TREE), config=config).lint().findings
    assert not [finding for finding in findings if finding.rule.slug == "quota-capacity"]
