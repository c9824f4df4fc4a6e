"""The Kueue objects of a quota tree, by the vectors of the reference (reference 15 §3, §4, §8, §9)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omec.compile.kueue.objects import queue_objects
from omec.compile.kueue.refusals import queue_refusals, schema_refusal
from omec.compile.kueue.written import WrittenObject, conflict_text, conflicts, swept
from omec.repo.yaml import load
from omec.resolve.quota.amount import amount_of
from omec.resolve.quota.judgement import judge
from omec.resolve.quota.materialisation import CHART_COVER, Materialisation, cover_of
from omec.resolve.quota.node import QuotaNode
from tests.compile.crd_schemas import FILES, crd_errors
from tests.resolve.quota_notation import Manifest, budget, nodes, quota

FILES.update({kind: f"kueue-{kind.lower()}s.yaml" for kind in ("ClusterQueue", "Cohort", "LocalQueue")})

EXAMPLE = Path(__file__).resolve().parent / "kueue_example"
COVER = {"cpu": "1k", "memory": "1Ti"}


def materialisation(cover: dict[str, str] | None = None, *namespaces: str, manager: str = "omec") -> Materialisation:
    return Materialisation(manager, cover_of(CHART_COVER if cover is None else cover), namespaces or ("ml",))


def documents(name: str) -> list[Manifest]:
    return [load(text) for text in (EXAMPLE / name).read_text(encoding="utf-8").split("\n---\n")]


def group(budgets: list[Manifest], flavors: list[str], cover: dict[str, str] | None = None) -> Any:
    """The resource group of a leaf with ``budgets``, in the short form of the vectors."""
    leaf = QuotaNode.of(quota("t", "ClusterQueue", "root", budgets=budgets))
    objects = queue_objects(judge([*nodes("R"), leaf]), materialisation(cover or COVER), flavors)
    (queue,) = (item.body for item in objects if item.body["kind"] == "ClusterQueue")
    groups = queue["spec"].get("resourceGroups")
    if groups is None:
        return None
    assert [quotas["name"] for flavor in groups[0]["flavors"] for quotas in flavor["resources"]] == (
        groups[0]["coveredResources"] * len(groups[0]["flavors"])
    )
    return {
        flavor["name"]: {
            quotas["name"]: tuple(quotas.get(key) for key in ("nominalQuota", "borrowingLimit", "lendingLimit"))
            for quotas in flavor["resources"]
        }
        for flavor in groups[0]["flavors"]
    }


def test_the_worked_example() -> None:
    """Reference 15 §8, byte for value, in writing order."""
    tree = judge(QuotaNode.of(body) for body in documents("input.yaml") if body["kind"] == "AcceleratorQuota")
    flavors = [body["metadata"]["name"] for body in documents("input.yaml") if body["kind"] == "ResourceFlavor"]
    found = queue_objects(tree, materialisation(None, "ml-serving", "ml-batch", manager="ome-quota-manager"), flavors)
    assert [item.body for item in found] == documents("output.yaml")


TPU = "google.com/tpu"
GPU = "nvidia.com/gpu"
CPU_AND_MEMORY = {"cpu": ("1k", None, None), "memory": ("1Ti", None, None)}

# fmt: off
VECTORS = [
    # Reference 15 §9: the budgets of a leaf, the flavors of the cluster, the group
    (20, [budget(8)], ["a100"], {"a100": {**CPU_AND_MEMORY, GPU: ("8", "0", None)}}),
    (21, [budget(8), budget(16, "tpu7x", TPU)], ["a100", "tpu7x"], {
        "a100": {**CPU_AND_MEMORY, TPU: ("0", "0", None), GPU: ("8", "0", None)},
        "tpu7x": {**CPU_AND_MEMORY, TPU: ("16", "0", None), GPU: ("0", "0", None)},
    }),
    (22, [budget(8), budget(16, "typo", TPU)], ["a100"], {"a100": {**CPU_AND_MEMORY, GPU: ("8", "0", None)}}),
    (23, [budget(8, "typo")], ["a100"], None),
    (24, [budget(8, "typo")], [], {"typo": {**CPU_AND_MEMORY, GPU: ("8", "0", None)}}),
    (25, [budget(8), budget(100, resource="cpu")], ["a100"], {"a100": {**CPU_AND_MEMORY, GPU: ("8", "0", None)}}),
    (26, [budget(8, borrowingLimit=4, lendingLimit=2)], ["a100"], {"a100": {**CPU_AND_MEMORY, GPU: ("8", "4", "2")}}),
    (27, [budget("1000m", borrowingLimit="500m")], ["a100"], {"a100": {**CPU_AND_MEMORY, GPU: ("1", "500m", None)}}),
]
# fmt: on


@pytest.mark.parametrize(
    ("budgets", "flavors", "expected"), [pytest.param(*row[1:], id=str(row[0])) for row in VECTORS]
)
def test_vectors_of_the_group(budgets: list[Manifest], flavors: list[str], expected: Any) -> None:
    assert group(budgets, flavors) == expected


@pytest.mark.parametrize(
    "missing",
    [
        Materialisation("", cover_of(COVER), ("a",)),
        Materialisation("m", {}, ("a",)),
        Materialisation("m", cover_of(COVER)),
    ],
)
def test_nothing_is_written_while_a_setting_is_missing(missing: Materialisation) -> None:
    assert queue_objects(judge(nodes("R, t<root:1")), missing) == []


def test_frozen_nodes_have_no_objects_and_others_go_on() -> None:
    objects = queue_objects(judge(nodes("R, t<root:4, u<t:500")), materialisation())
    assert [(item.body["kind"], item.node) for item in objects] == [
        ("Cohort", "root"),
        ("ClusterQueue", "t"),
        ("LocalQueue", "t"),
    ]


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({"nominal": 8, "lendingLimit": 8}, []),
        (
            {"nominal": 8, "lendingLimit": 9},
            [
                'spec.resourceGroups[0].flavors[0].resources[2].lendingLimit: Invalid value: "9": '
                "must be less than or equal to the nominalQuota"
            ],
        ),
        (
            {"nominal": -1},
            [
                'spec.resourceGroups[0].flavors[0].resources[2].nominalQuota: Invalid value: "-1": '
                "must be greater than or equal to 0"
            ],
        ),
        (
            {"nominal": 1, "borrowingLimit": "-500m"},
            [
                'spec.resourceGroups[0].flavors[0].resources[2].borrowingLimit: Invalid value: "-500m": '
                "must be greater than or equal to 0"
            ],
        ),
    ],
)
def test_what_kueue_refuses(fields: Manifest, texts: list[str]) -> None:
    leaf = QuotaNode.of(quota("t", "ClusterQueue", "root", budgets=[budget(**fields)]))
    queue = queue_objects(judge([*nodes("R"), leaf]), materialisation(COVER))[1].body
    assert [refusal.message for refusal in queue_refusals(queue)] == texts
    assert schema_refusal(queue) is None


def test_a_root_that_is_a_queue_has_no_cohort_to_borrow_from() -> None:
    root = QuotaNode.of(quota("root", "ClusterQueue", budgets=[budget(8)]))
    queue = queue_objects(judge([root]), materialisation(COVER))[0].body
    (refusal,) = queue_refusals(queue)
    assert refusal.detail == "must be nil when cohort is empty"
    assert schema_refusal(queue) == (
        'ClusterQueue.kueue.x-k8s.io "root" is invalid: '
        "spec: Invalid value: borrowingLimit must be nil when cohort is empty"
    )


def written(kind: str, name: str, namespace: str | None = None, **labels: str) -> WrittenObject:
    names = {"by": "ome.io/quota-managed-by", "node": "ome.io/accelerator-quota"}
    return WrittenObject(kind, name, namespace, {names[key]: value for key, value in labels.items()})


def test_conflicts_and_sweeping() -> None:
    """Reference 15 §3.4."""
    objects = queue_objects(judge(nodes("R, t<root:1")), materialisation())
    existing = [
        written("ClusterQueue", "t"),
        written("LocalQueue", "t", "ml", by="other"),
        written("LocalQueue", "t", "elsewhere"),
        written("Cohort", "root", by="omec", node="root"),
        written("Cohort", "gone", by="omec", node="gone"),
        written("ClusterQueue", "unlabelled", by="omec"),
        written("LocalQueue", "gone", "ml", by="omec", node="gone"),
        written("ResourceFlavor", "a100", by="omec"),
        written("Cohort", "others", by="other", node="others"),
        written("ClusterQueue", "root", by="omec", node="root"),
    ]
    clashing = [conflict_text(item, "omec") for _, item in conflicts(objects, existing, "omec")]
    assert clashing == [
        "ClusterQueue t already exists and is not managed by omec; refusing to adopt it",
        "LocalQueue ml/t already exists and is not managed by omec; refusing to adopt it",
    ]
    doomed = swept(existing, {"root", "t"}, "omec")
    assert [str(item) for item in doomed] == ["LocalQueue ml/gone", "ClusterQueue unlabelled", "Cohort gone"]


BUDGETS = st.lists(
    st.builds(
        budget,
        st.integers(0, 100),
        st.sampled_from(["a100", "h100"]),
        st.sampled_from([GPU, TPU, "cpu"]),
        borrowingLimit=st.integers(0, 9),
        lendingLimit=st.just(0),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda item: (item["resourceName"], item["resourceFlavor"]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(BUDGETS, st.sampled_from([[], ["a100"], ["a100", "h100"], ["other"]]))
def test_every_object_is_valid(testdata: Path, budgets: list[Manifest], flavors: list[str]) -> None:
    """Against Kueue's own CRDs, unknown fields refused."""
    leaf = QuotaNode.of(quota("team.alpha", "ClusterQueue", "org", budgets=budgets))
    judgement = judge([*nodes("R, [org<root]"), leaf])
    for item in queue_objects(judgement, materialisation(None, "a", "b"), flavors):
        assert crd_errors(item.body, testdata) == []
        if item.body["kind"] == "ClusterQueue":
            assert list(queue_refusals(item.body)) == []


def test_the_worked_example_is_valid(testdata: Path) -> None:
    for body in documents("output.yaml"):
        assert crd_errors(body, testdata) == []


def test_amounts_stay_what_they_are() -> None:
    quotas = group([budget("12345678901", borrowingLimit="1E")], ["a100"])["a100"][GPU]
    assert [amount_of(text) for text in quotas[:2]] == [amount_of("12345678901"), amount_of("1E")]
