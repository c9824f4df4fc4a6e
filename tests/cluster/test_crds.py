"""The definitions of ome.io kinds on a real API server: it takes them, and answers by them as the reference says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import omec
from omec.api.conditions import FailedCheck, violations
from omec.api.crd.presentation import SHORT_NAMES
from omec.api.defaults import admitted
from omec.api.kinds import API_VERSION, KINDS
from omec.api.structure import structural_findings
from omec.finding import Finding
from omec.repo.document import Document
from omec.repo.read import read
from omec.session import open_repo
from tests.api.manifests import body
from tests.api.test_model_vectors import STORED, VECTORS, Vector
from tests.cluster.applied import assert_kept
from tests.cluster.client import Answer, ApiServer, Object
from tests.conftest import EXAMPLES, ROOT

NAMESPACE = "crds"

ACCEPTED_BY_THE_SCHEMA = {"3", "13", "18", "61b"}
"""Vectors that OME's webhook refuses, or omec; the schema accepts them."""


@pytest.fixture(scope="module")
def ome(ome_apiserver: ApiServer) -> ApiServer:
    """An API server with the definitions of all kinds of ome.io."""
    ome_apiserver.ensure_namespaces([{"metadata": {"namespace": NAMESPACE}}])
    return ome_apiserver


def placed(obj: Object) -> Object:
    """``obj`` in the namespace of these tests, or in none where its kind has none; what the server adds left out."""
    metadata = {key: value for key, value in obj["metadata"].items() if key in ("annotations", "labels", "name")}
    return obj | {"metadata": metadata | ({"namespace": NAMESPACE} if KINDS[obj["kind"]].namespaced else {})}


def test_all_kinds_are_served(ome: ApiServer) -> None:
    served = ome.request("GET", f"/apis/{API_VERSION}").body["resources"]
    kinds = {entry["kind"]: entry for entry in served if "/" not in entry["name"]}
    assert kinds.keys() == KINDS.keys()
    for name, entry in kinds.items():
        assert entry["namespaced"] is KINDS[name].namespaced
        assert tuple(entry.get("shortNames", ())) == SHORT_NAMES.get(name, ())
    subresources = {entry["name"] for entry in served if "/" in entry["name"]}
    assert subresources == {f"{kind.plural}/status" for kind in KINDS.values()} | {"inferencereplicas/scale"}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.number)
def test_vectors(ome: ApiServer, vector: Vector) -> None:
    """Each is refused or accepted; a refusal has the texts of the broken rules, what is accepted omec's defaults."""
    obj = placed(body(vector.kind, vector.spec, vector.metadata))
    answer = ome.create(obj, dry_run=True)
    assert answer.accepted is (not vector.expect or vector.number in ACCEPTED_BY_THE_SCHEMA), answer.message
    for violation in violations(vector.kind, obj):
        if isinstance(violation, FailedCheck):
            assert violation.check.message in answer.message
    if answer.accepted:
        assert answer.body.get("spec") == admitted(vector.kind, obj).get("spec")


@pytest.mark.parametrize(("number", "kind", "spec", "path", "value"), STORED, ids=[row[0] for row in STORED])
def test_stored_values(
    ome: ApiServer, number: str, kind: str, spec: str, path: tuple[str | int, ...], value: object
) -> None:
    answer = ome.create(placed(body(kind, spec)), dry_run=True)
    assert answer.accepted, answer.message
    stored = answer.body["spec"]
    for step in path:
        stored = stored[step]
    assert stored == value


def test_the_corpus_is_judged_alike(ome: ApiServer, testdata: Path) -> None:
    """The API server refuses what omec has a finding for, and accepts the rest with the defaults that omec knows.

    The corpus is of an older OME; its samples have fields that OME 1.3 dropped.
    """
    different, refused, accepted = [], 0, 0
    for obj in corpus_objects(testdata):
        answer = ome.create(placed(obj | {"metadata": {"name": "x"}}), dry_run=True)  # its own name may be taken
        refused += not answer.accepted
        accepted += answer.accepted
        if answer.accepted is bool(schema_findings(obj)):
            different.append((obj["kind"], obj["metadata"]["name"], answer.message, schema_findings(obj)))
        elif answer.accepted and answer.body.get("spec") != admitted(obj["kind"], obj).get("spec"):
            different.append((obj["kind"], obj["metadata"]["name"], "other defaults", []))
    assert different == []
    assert refused == 2
    assert accepted > 500


def corpus_objects(testdata: Path) -> list[Object]:
    config = testdata / "corpus" / "ome-v0.1.5" / "config"
    documents = read([config / name for name in ("models", "runtimes", "samples")]).documents
    return [document.value for document in documents if document.value.get("apiVersion") == API_VERSION]


def schema_findings(obj: Object) -> list[Finding]:
    """What omec finds in ``obj`` of which the API server knows, too."""
    found = structural_findings(obj["kind"], Document("corpus.yaml", 0, placed(obj)))
    return [finding for finding in found if finding.rule.code < "OME140"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_sources_of_examples_are_kept(ome: ApiServer, example: str) -> None:
    """Their models, runtimes and services can be applied themselves."""
    folder = ROOT / "examples" / example
    for env in omec.environments(folder) or [None]:
        resources = [resource for resource in open_repo(folder, env=env).catalog if resource.kind in KINDS]
        assert resources
        assert_kept(ome, [resource.body for resource in resources])


def replica_cases(testdata: Path) -> list[dict[str, Any]]:
    lines = (testdata / "oracle" / "ir-admission.jsonl").read_text(encoding="utf-8").splitlines()
    return [case for case in map(json.loads, lines) if case["op"] == "CREATE"]


def test_replicas_as_with_the_definition_of_ome(ome: ApiServer, testdata: Path) -> None:
    """Every answer about an InferenceReplica is the one that OME's own definition gives, up to the text."""
    cases = replica_cases(testdata)
    different = [(case["id"], answer.message) for case in cases if (answer := unlike_the_oracle(ome, case)) is not None]
    assert different == []
    assert len(cases) > 200


def unlike_the_oracle(ome: ApiServer, case: dict[str, Any]) -> Answer | None:
    """The answer to the object of ``case``; ``None`` where it is the oracle's."""
    expected = case["expected"]
    obj = case["object"]
    namespace = obj["metadata"].get("namespace", "default")
    ome.ensure_namespaces([obj])
    query = urlencode({"dryRun": "All", "fieldValidation": "Warn"})
    url = f"/apis/{API_VERSION}/namespaces/{namespace}/inferencereplicas?{query}"
    answer = ome.request("POST", url, obj)
    if expected.get("stage") == "schema":
        same = not answer.accepted and causes(answer.body["details"]) == causes(expected)
    else:
        stored = expected.get("stored", admitted("InferenceReplica", obj)).get("spec")
        warned = [warning.partition('"')[2].removesuffix('"') for warning in answer.warnings]
        named = [warning.replace('"', '\\"') for warning in expected.get("warnings", ())]
        same = answer.accepted and answer.body.get("spec") == stored and warned == named
    return None if same else answer


def causes(details: dict[str, Any]) -> list[tuple[str, str]]:
    """Field and text of each cause, but for the remark that rules about the status were not looked at.

    The definition of the oracle has none of these rules, and says the classes of an autoscaler twice.
    """
    found = ((cause["field"], cause["message"]) for cause in details["causes"])
    return [(field, text) for field, text in found if "<nil>" not in field and "must validate all the" not in text]


def test_a_placement_by_affinity_stays(ome: ApiServer) -> None:
    affine = placed(body("InferenceService", "{placement: {policy: ClusterAffinity, mode: All}}", "{name: stays}"))
    assert ome.apply(affine).accepted
    answer = ome.apply(placed(body("InferenceService", "{model: {name: m}}", "{name: stays}")), dry_run=True)
    assert "ClusterAffinity placement policy cannot be removed" in answer.message
    changed = placed(body("InferenceService", "{placement: {policy: ClusterAffinity, mode: Split}}", "{name: stays}"))
    assert ome.apply(changed, dry_run=True).accepted


COLUMNS = {"members": "0-1", "phases": [{"value": "Ready", "indexes": "0-1"}]}
STATUSES: list[tuple[str, str, dict[str, Any], str]] = [
    ("InferenceReplica", "{component: engine}", {"replicas": 2, "readyReplicas": 1}, ""),
    ("InferenceReplica", "{component: engine}", {"unheardOf": 1}, 'unknown field "status.unheardOf"'),
    (
        "InferenceReplica",
        "{component: engine}",
        {"instanceStatusEncoding": "ColumnarV2", "instanceStatusColumns": COLUMNS},
        "",
    ),
    (
        "InferenceReplica",
        "{component: engine}",
        {"instanceStatusColumns": COLUMNS},
        "instanceStatusColumns requires instanceStatusEncoding",
    ),
    (
        "InferenceReplica",
        "{component: engine}",
        {"instanceStatusEncoding": "ColumnarV2"},
        "instanceStatusEncoding: ColumnarV2 requires instanceStatusColumns",
    ),
    (
        "InferenceReplica",
        "{component: engine}",
        {
            "instanceStatusEncoding": "ColumnarV2",
            "instanceStatusColumns": {**COLUMNS, "entries": [{"index": 0}]},
        },
        "an entry must carry at least one of",
    ),
    (
        "InferenceReplica",
        "{component: engine}",
        {
            "instanceStatusEncoding": "ColumnarV2",
            "instanceStatusColumns": {**COLUMNS, "incarnations": [{"value": 0, "indexes": "0"}]},
        },
        "an incarnation group value must be nonzero",
    ),
    (
        "InferenceReplica",
        "{component: engine}",
        {"instanceStatusEncoding": "ColumnarV2", "instanceStatusColumns": {**COLUMNS, "members": "1-0-3"}},
        "should match",
    ),
    ("InferenceService", "{model: {name: m}}", {"unheardOf": 1, "url": "http://x"}, ""),
    ("ServingRuntime", "{}", {"inheritanceChain": ["base", "x"]}, ""),
    ("BaseModel", "{storage: {storageUri: 'hf://a/b'}}", {"state": "Ready", "nodesReady": ["n"]}, ""),
    ("BaseModel", "{storage: {storageUri: 'hf://a/b'}}", {"state": "ready"}, "Unsupported value"),
]


@pytest.mark.parametrize(("kind", "spec", "status", "complaint"), STATUSES)
def test_statuses(ome: ApiServer, kind: str, spec: str, status: dict[str, Any], complaint: str) -> None:
    obj = placed(body(kind, spec, "{name: reporting}"))
    assert ome.apply(obj).accepted
    live = ome.get(obj)
    url = f"/apis/{API_VERSION}/namespaces/{NAMESPACE}/{KINDS[kind].plural}/reporting/status"
    answer = ome.request("PUT", f"{url}?dryRun=All&fieldValidation=Strict", live | {"status": status})
    if complaint:
        assert complaint in answer.message
    else:
        assert answer.accepted, answer.message
        assert answer.body["status"] == status


def test_replicas_can_be_scaled(ome: ApiServer) -> None:
    replica = placed(body("InferenceReplica", "{component: engine, replicas: 3}", "{name: scaled}"))
    assert ome.apply(replica).accepted
    url = f"/apis/{API_VERSION}/namespaces/{NAMESPACE}/inferencereplicas/scaled"
    scale = ome.request("GET", f"{url}/scale").body
    assert scale["spec"]["replicas"] == 3
    assert ome.request("PUT", f"{url}/scale", scale | {"spec": {"replicas": 5}}).accepted
    assert ome.get(replica)["spec"]["replicas"] == 5
