"""The generated definitions are those of OME wherever OME's are at hand, and are what a structural schema must be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from omec.api.checks import CHECKS
from omec.api.crd import custom_resource_definition
from omec.api.crd.cel import CEL_RULES
from omec.api.crd.presentation import COLUMNS, SCALES, SHORT_NAMES
from omec.api.kinds import KINDS
from omec.api.models.status import STATUSES
from omec.api.shapes.kinds import OBJECTS
from tests.api.shape_facts import shape_facts
from tests.api.test_schema_current import CRDS

Node = dict[str, Any]

_BELOW = ("properties", "items", "additionalProperties")

EXPLAINED: dict[str, tuple[str, ...]] = {
    "InferenceService": (
        ".spec",  # has rules since 1.3
        ".status.components{}.traffic[].percent",  # OME's own type since 1.3, Knative's before
        ".status.conditions",  # without a mark, which means the same
        ".status.modelStatus",
        ".status.modelStatus.lastFailureInfo.reason",
        ".status.modelStatus.modelCopies",
        ".status.modelStatus.modelRevisionStates",
        ".status.modelStatus.transitionStatus",
    ),
    "InferenceReplica": (
        ".spec.autoscaler.class",  # says the same enum twice there
        ".status",  # not spelt out there
    ),
}
"""Places where the definition at hand differs for a reason."""

OTHER_COLUMNS = ("InferenceService", "InferenceReplica")
"""Other columns in 1.3; only those of the spec in the definition at hand."""

OPEN = {
    "BaseModel": {".spec.modelConfiguration"},
    "ClusterBaseModel": {".spec.modelConfiguration"},
    "FineTunedWeight": {".spec.hyperParameters", ".spec.configuration"},
    "InferenceService": {
        ".status",
        ".status.placement.candidates[].autoscaling",
        ".status.placement.candidates[].rollout",
    },
}
"""The places that keep unknown fields (reference 06 §1.2)."""


@cache
def definition(kind: str) -> Node:
    return custom_resource_definition(kind)


@cache
def nodes(kind: str) -> dict[str, Node]:
    """Every place of the generated definition's schema."""
    return dict(_flatten(_schema(definition(kind)), ""))


@cache
def published(file: Path) -> Node:
    """The definition in ``file``."""
    found: Node = yaml.load(file.read_bytes(), yaml.CSafeLoader)
    return found


def _schema(crd: Node) -> Node:
    (version,) = crd["spec"]["versions"]
    schema: Node = version["schema"]["openAPIV3Schema"]
    return schema


def _flatten(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    yield path, node
    for name, child in node.get("properties", {}).items():
        yield from _flatten(child, f"{path}.{name}")
    if "items" in node:
        yield from _flatten(node["items"], f"{path}[]")
    if isinstance(node.get("additionalProperties"), dict):
        yield from _flatten(node["additionalProperties"], f"{path}{{}}")


def _facts(node: Node) -> Node:
    """What a place says itself; the order in which it names required fields does not matter."""
    facts = {key: value for key, value in node.items() if key not in (*_BELOW, "description")}
    return facts | ({"required": sorted(facts["required"])} if "required" in facts else {})


@pytest.mark.parametrize("kind", CRDS)
def test_common_places_are_equal(testdata: Path, kind: str) -> None:
    """Fact by fact, defaults, formats and marks of lists and maps included."""
    theirs = dict(_flatten(_schema(published(testdata / CRDS[kind])), ""))
    ours = nodes(kind)
    different = {
        path: (_facts(theirs[path]), _facts(ours[path]))
        for path in theirs.keys() & ours.keys()
        if _facts(theirs[path]) != _facts(ours[path])
    }
    assert different.keys() == set(EXPLAINED.get(kind, ()))


@pytest.mark.parametrize("kind", CRDS)
def test_the_rest_is_equal(testdata: Path, kind: str) -> None:
    theirs, ours = published(testdata / CRDS[kind])["spec"], definition(kind)["spec"]
    assert {**theirs, "versions": None} == {**ours, "versions": None}
    ((their_version,), (our_version,)) = theirs["versions"], ours["versions"]
    assert our_version["subresources"] == {"status": {}} | their_version["subresources"]
    if kind not in OTHER_COLUMNS:
        assert our_version["additionalPrinterColumns"] == their_version["additionalPrinterColumns"]


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_structural(kind: str) -> None:
    """What https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources demands of every place."""
    for path, node in nodes(kind).items():
        assert ("type" in node) is ("x-kubernetes-int-or-string" not in node), path
        assert not {"$ref", "const", "oneOf", "title", "description", "uniqueItems"} & node.keys(), path
        assert ("x-kubernetes-list-type" in node) is (node.get("type") == "array"), path
        for key in node.get("x-kubernetes-list-map-keys", ()):
            item = node["items"]
            assert key in item.get("required", ()) or "default" in item["properties"][key], path
        assert set(node.get("required", ())) <= node.get("properties", {}).keys(), path


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_else_is_open(kind: str) -> None:
    marked = {path for path, node in nodes(kind).items() if "x-kubernetes-preserve-unknown-fields" in node}
    assert marked == OPEN.get(kind, set())
    untyped = {
        path
        for path, node in nodes(kind).items()
        if node.get("type") == "object" and not {"properties", "additionalProperties"} & node.keys()
    }
    assert not {path for path in untyped - marked if not path.endswith((".metadata", ".blueGreen"))}


@pytest.mark.parametrize("kind", KINDS)
def test_defaults_are_the_ones_that_omec_fills_in(kind: str) -> None:
    """:mod:`omec.api.defaults` and the definition know the same defaults at the same places of the spec."""
    spec = {path: node for path, node in nodes(kind).items() if path.startswith(".spec")}
    ours = {path.removeprefix("."): node["default"] for path, node in spec.items() if "default" in node}
    filled_in = {}
    if kind in OBJECTS:
        facts = shape_facts(OBJECTS[kind].fields["spec"].shape)
        filled_in = {path: default for path, (_, default) in facts.items() if default is not None}
    # One shape serves runtimes and services; the ephemeral containers of a service's components are dropped.
    assert ours == {path: default for path, default in filled_in.items() if f".{path}" in spec}
    assert all("ephemeralContainers" in path or "template.metadata" in path for path in filled_in.keys() - ours.keys())


def test_every_check_is_a_rule_of_the_api_server() -> None:
    assert CEL_RULES.keys() == CHECKS.keys()


def test_rules_stand_where_the_reference_says() -> None:
    places = {
        (kind, path): len(node["x-kubernetes-validations"])
        for kind in KINDS
        for path, node in nodes(kind).items()
        if "x-kubernetes-validations" in node and "activeRun" not in path
    }
    canary = ".spec.rollout.groups[].canary.prometheus"
    assert places == {
        ("InferenceService", ".spec"): 2,
        ("InferenceService", ".spec.placement"): 2,
        ("InferenceService", ".spec.placement.replacementTimeout"): 1,
        ("InferenceService", ".spec.placement.clusterAffinity[]"): 1,
        ("InferenceService", ".spec.rollout.groups[]"): 2,
        ("InferenceService", canary): 1,
        ("InferenceService", ".spec.routing.probe"): 6,
        ("InferenceService", ".spec.routing.capacity"): 7,
        ("InferenceService", ".spec.routing.publisher.options"): 1,
        ("AutoscalerPolicy", ".spec"): 1,
        ("AutoscalerPolicy", ".spec.keda.fallback.replicas"): 1,
        ("RolloutPolicy", ".spec"): 1,
        ("RolloutPolicy", ".spec.canary.prometheus"): 1,
        ("AcceleratorQuota", ""): 1,
        ("AcceleratorQuota", ".spec"): 6,
        ("WorkloadCluster", ".spec.clusterSource"): 1,
        ("InferenceReplica", ".status"): 2,
        ("InferenceReplica", ".status.instanceStatusColumns.entries[]"): 1,
        ("InferenceReplica", ".status.instanceStatusColumns.incarnations[]"): 1,
    }


def test_presentation_is_complete() -> None:
    assert COLUMNS.keys() == STATUSES.keys() == KINDS.keys()
    assert SHORT_NAMES.keys() | SCALES.keys() <= KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_columns_show_fields_that_exist(kind: str) -> None:
    places = {path.replace("[]", "") for path in nodes(kind)}
    for column in COLUMNS[kind]:
        path = re.sub(r"\[[^]]*\]+(?=\.|$)", "", column["jsonPath"])
        assert path in places or path == ".metadata.creationTimestamp"


def test_definitions_share_nothing() -> None:
    first = custom_resource_definition("BenchmarkJob")
    first["spec"]["versions"][0]["additionalPrinterColumns"].clear()
    first["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"].clear()
    assert custom_resource_definition("BenchmarkJob") == definition("BenchmarkJob")


def test_an_unknown_kind() -> None:
    with pytest.raises(KeyError):
        custom_resource_definition("TrainingJob")
