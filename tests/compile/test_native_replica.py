"""The standalone form of a replica, with the traps that reference 05 §7 names."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given as hypothesis_given

from omec.compile.native.admission import Write, refusal
from omec.compile.native.replica import inference_replica
from tests.compile.native_cases import ENGINES, LEADER_AND_WORKER, native, projected, workload
from tests.compile.rendering import RUNNER, Object


def replica(engine: Object, runtime: Object | None = None, *, marked: bool = False, **more: Any) -> Object:
    return inference_replica(projected(native({"engine": engine}, runtime, **more)), marked=marked)


@pytest.mark.parametrize(
    ("autoscaler", "replicas", "block"),
    [
        ({"class": "None"}, 2, {"class": "None"}),
        ({"class": "External"}, None, {"class": "External"}),
        ({"class": "HPA"}, None, None),
        (None, None, None),
    ],
)
def test_count_belongs_to_whoever_scales(autoscaler: Object | None, replicas: int | None, block: Object | None) -> None:
    engine = {"minReplicas": 2} | ({} if autoscaler is None else {"autoscaler": autoscaler})
    spec = replica(engine)["spec"]
    assert spec.get("replicas") == replicas
    assert spec.get("autoscaler") == block


def test_ready_seconds_have_a_field_of_their_own() -> None:
    spec = replica({"lifecycle": {"minReadySeconds": 10, "readyPolicy": "AllPodReady"}})["spec"]
    assert spec["minReadySeconds"] == 10
    assert spec["lifecycle"] == {"readyPolicy": "AllPodReady"}
    assert "lifecycle" not in replica({"lifecycle": {"minReadySeconds": 10}})["spec"]


def test_nothing_that_the_controller_overwrites() -> None:
    runner = {**RUNNER, "env": [{"name": "A", "value": "1"}]}
    config = {
        "runner": runner,
        "hostname": "mine",
        "subdomain": "mine",
        "readinessGates": [{"conditionType": "ome.io/serving"}, {"conditionType": "mine"}],
        "labels": {"ome.io/runner": "mine", "ome.io/managed-by": "mine", "team": "a"},
    }
    template = replica({}, {"engineConfig": config})["spec"]["runners"][0]["template"]
    assert template["spec"].keys() == {"containers", "readinessGates"}
    assert template["spec"]["readinessGates"] == [{"conditionType": "mine"}]
    assert template["metadata"]["labels"].keys() == {
        "ome.io/inferenceservice",
        "component",
        "serving-runtime",
        "fine-tuned-serving",
        "team",
    }


def test_metadata() -> None:
    found = replica({}, marked=True)
    assert found["metadata"].keys() == {"name", "namespace", "labels"}
    assert found["metadata"]["labels"]["omec.io/inferenceservice"] == "chat"
    assert found["spec"]["runners"][0]["template"]["metadata"]["labels"]["omec.io/inferenceservice"] == "chat"
    assert "omec.io/inferenceservice" not in replica({})["metadata"]["labels"]


def test_topology_is_the_controllers_to_apply() -> None:
    engine = {"topologyKey": "clique", "topologySpread": "Required", "topologySpreadKey": "zone"}
    spec = replica(engine, LEADER_AND_WORKER)["spec"]
    assert {field: spec[field] for field in engine} == engine
    for runner in spec["runners"]:
        assert "affinity" not in runner["template"]["spec"]
        assert "topologySpreadConstraints" not in runner["template"]["spec"]


@pytest.mark.parametrize(("own", "leaders"), [({"leader": {}, "worker": {}}, True), ({}, False)])
def test_service_of_several_pods(own: Object, leaders: bool) -> None:
    """As OME's, it is kept to leaders only where the service itself speaks of workers; requests from outside always."""
    found = workload(native({"engine": own}, LEADER_AND_WORKER))
    everyone = {
        "ome.io/inferenceservice": "chat-engine",
        "component": "engine",
        "ome.io/managed-by": "OMENative",
    }
    only_leaders = {"ome.io/runner": "leader", "ome.io/pod-ordinal": "0"}
    assert found.service["spec"]["selector"] == {**everyone, **(only_leaders if leaders else {})}
    assert found.selector == everyone
    assert found.external_selector == {**everyone, "ome.io/runner": "leader"}
    assert found.pods_per_replica == 3
    assert (
        "multi-pod-advice" in [p.rule.slug for p in found.problems if "selects the workers" in p.message]
    ) is not leaders


def test_router_gets_its_access() -> None:
    runtime = {f"{name}Config": {"runner": RUNNER} for name in ("engine", "router")}
    found = workload(native({"engine": {}, "router": {}}, runtime), "router")
    assert [obj["kind"] for obj in found.access] == ["ServiceAccount", "Role", "RoleBinding"]
    assert found.body["spec"]["runners"][0]["template"]["spec"]["serviceAccountName"] == "chat-router"


def test_refused_replica() -> None:
    runner = {**RUNNER, "volumeMounts": [{"name": "dshm", "mountPath": "/dev/shm"}]}
    found = workload(native(runtime={"engineConfig": {"runner": runner}}))
    (problem,) = (problem for problem in found.problems if problem.rule.slug == "replica-refused")
    assert problem.message == (
        'InferenceReplica prod/chat-engine: runner "default" container "ome-container": volumeMount "dshm" has no '
        "matching volume in the pod (for a multi-node runtime declare it under engineConfig.leader.volumes / "
        "engineConfig.worker.volumes)"
    )


@hypothesis_given(ENGINES)
def test_every_replica_is_admitted(engine: Object) -> None:
    pair = {"leader": {"runner": RUNNER}, "worker": {"runner": RUNNER}}
    shaped = "leader" in engine and "worker" in engine
    if not shaped:
        engine = {key: value for key, value in engine.items() if key not in pair}
    found = replica(engine, {"engineConfig": pair if shaped else {"runner": RUNNER}})
    assert refusal(Write(found)) is None
    assert found == replica(engine, {"engineConfig": pair if shaped else {"runner": RUNNER}})
