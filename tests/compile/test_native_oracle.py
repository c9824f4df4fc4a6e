"""Replicas as OME's own code judges and makes them (INFERENCEREPLICA.md), and the form that omec writes instead."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from omec.compile.native.admission import Write, refusal
from omec.compile.native.instances import pods
from omec.compile.native.replica import inference_replica
from tests.compile.crd_schemas import crd_errors
from tests.compile.rendering import Object
from tests.oracle.comparison import comparable
from tests.oracle.ir_projection import projections
from tests.oracle.run import judge_rows, read_rows

RENAMED_LABELS = ("ome.io/inferenceservice", "scheduling.x-k8s.io/pod-group")
RENAMED_VARIABLES = ("OME_INFERENCESERVICE_NAME", "OME_INSTANCE_SUBDOMAIN", "OME_LEADER_ADDRESS")


@pytest.mark.parametrize("name", ["ir-admission", "ir-names", "ir-projection", "ir-replica-refs"])
def test_rows(testdata: Path, name: str) -> None:
    report = judge_rows(read_rows(testdata / "oracle" / f"{name}.jsonl"), testdata)
    assert report.rows
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    assert not report.skipped


def test_standalone_form(testdata: Path) -> None:
    """It differs from OME's replicas in what INFERENCEREPLICA.md names, is admitted, and makes the same pods."""
    compared = 0
    for row in read_rows(testdata / "oracle" / "ir-projection.jsonl"):
        if row["expected"].get("error"):
            continue
        expected = {obj["metadata"]["name"]: obj for obj in row["expected"]["objects"] if is_replica(obj)}
        for projection in projections(row, testdata):
            found = inference_replica(projection, marked=False)
            theirs = expected[found["metadata"]["name"]]
            scaled = projection.autoscaler["class"] != "None"
            assert found == standalone(theirs, scaled=scaled), row["id"]
            refused = row["expected"].get("replicaRefused") or {}
            assert (refusal(Write(found)) is not None) is (found["metadata"]["name"] in refused)
            assert crd_errors(found, testdata) == []
            assert [without_names(pod) for pod in pods(counted(found, theirs))] == [
                without_names(pod) for pod in pods(theirs)
            ]
            compared += 1
    assert compared > 100


def is_replica(obj: Object) -> bool:
    return bool(obj["kind"] == "InferenceReplica")


def standalone(projected: Object, *, scaled: bool) -> Object:
    """OME's replica by the last paragraph of INFERENCEREPLICA.md; a count that a scaler owns is not stated."""
    body: Object = comparable(projected)
    body["metadata"] = {key: body["metadata"][key] for key in ("name", "namespace", "labels")}
    spec = body["spec"]
    del spec["parentRef"]
    (spec.get("lifecycle") or {}).pop("minReadySeconds", None)
    if not spec.get("lifecycle"):
        spec.pop("lifecycle", None)
    if spec.get("autoscaler", {}).get("class") in ("HPA", "KEDA"):
        del spec["autoscaler"]
    if scaled:
        del spec["replicas"]
    return body


def counted(found: Object, projected: Object) -> Object:
    return {**found, "spec": {**found["spec"], "replicas": projected["spec"]["replicas"]}}


def without_names(pod: Object) -> Object:
    """``pod`` without what follows the name of the replica."""
    body: Object = copy.deepcopy(pod)
    del body["metadata"]["name"], body["spec"]["hostname"], body["spec"]["subdomain"]
    for label in RENAMED_LABELS:
        body["metadata"]["labels"].pop(label, None)
    for container in body["spec"]["containers"]:
        container["env"] = [
            item for item in container["env"] if item["name"] not in RENAMED_VARIABLES and "TPU_" not in item["name"]
        ]
    for term in selectors(body["spec"]):
        term["matchLabels"].pop("ome.io/inferenceservice", None)
    return body


def selectors(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [found for item in value for found in selectors(item)]
    if not isinstance(value, dict):
        return []
    own = [value["labelSelector"]] if "matchLabels" in (value.get("labelSelector") or {}) else []
    return own + [found for item in value.values() for found in selectors(item)]
