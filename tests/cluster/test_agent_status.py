"""The status role against a real API server: models, nodes that go, runtimes, services, and OME beside it."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.resources import (
    CLUSTER_BASE_MODELS,
    CLUSTER_SERVING_RUNTIMES,
    CONFIG_MAPS,
    DEPLOYMENTS,
    EVENTS,
    INFERENCE_SERVICES,
    LEASES,
    NAMESPACES,
    NODES,
)
from omec.runtime_agent.status.leader import LEASE
from omec.runtime_agent.status.role import Settings, StatusRole
from tests.cluster.agent import agent_client
from tests.cluster.client import ApiServer

NAMESPACE, TEAM = "ome", "agent-status"


@pytest.fixture(scope="module")
def cluster(ome_apiserver: ApiServer, tmp_path_factory: pytest.TempPathFactory) -> Cluster:
    client = agent_client(ome_apiserver.endpoint, tmp_path_factory.mktemp("status"))
    for name in (NAMESPACE, TEAM):
        client.apply(NAMESPACES, {"metadata": {"name": name}})
    for name in ("status-1", "status-2"):
        client.apply(NODES, {"metadata": {"name": name}})
    return client


@contextmanager
def running(cluster: Cluster, **settings: Any) -> Iterator[StatusRole]:
    role = StatusRole(cluster, Settings(NAMESPACE, "test", 0, gather_seconds=0.1, **settings))
    stop = threading.Event()
    thread = threading.Thread(target=role.run, args=(stop,), daemon=True)
    thread.start()
    try:
        yield role
    finally:
        stop.set()
        thread.join(timeout=30)
    assert not thread.is_alive()


@pytest.fixture
def role(cluster: Cluster) -> Iterator[StatusRole]:
    with running(cluster) as started:
        yield started


def eventually(check: Callable[[], Any], expected: Any = True, seconds: float = 30) -> None:
    """Wait until ``check`` answers ``expected``."""
    deadline = time.monotonic() + seconds
    while (found := check()) != expected:
        assert time.monotonic() < deadline, f"{found!r} is not {expected!r}"
        time.sleep(0.05)


def add_model(cluster: Cluster, name: str) -> None:
    storage = {"storageUri": "hf://meta/llama", "path": "/models/llama"}
    cluster.create(
        CLUSTER_BASE_MODELS,
        {
            "kind": "ClusterBaseModel",
            "apiVersion": "ome.io/v1beta1",
            "metadata": {"name": name},
            "spec": {"storage": storage},
        },
    )


def report(cluster: Cluster, node: str, entries: dict[str, Any]) -> None:
    labels = {"models.ome/basemodel-status": "true", "node": node}
    data = {
        f"clusterbasemodel.{name}": entry if isinstance(entry, str) else json.dumps({"name": name, **entry})
        for name, entry in entries.items()
    }
    cluster.apply(CONFIG_MAPS, {"metadata": {"name": node, "namespace": NAMESPACE, "labels": labels}, "data": data})


def model_status(cluster: Cluster, name: str) -> tuple[Any, ...]:
    model = cluster.find(CLUSTER_BASE_MODELS, name)
    status = (model or {}).get("status") or {}
    return status.get("state"), status.get("nodesReady"), status.get("nodesFailed")


def answer(role: StatusRole, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{role.health.port}{path}", timeout=5) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def events_of(cluster: Cluster, namespace: str, name: str) -> list[tuple[str, str, str]]:
    found = [each for each in cluster.list(EVENTS, namespace) if each["regarding"]["name"] == name]
    return sorted((each["type"], each["reason"], each["note"]) for each in found)


def test_a_model_from_first_report_to_the_end(cluster: Cluster, role: StatusRole) -> None:
    add_model(cluster, "whole-life")
    eventually(lambda: model_status(cluster, "whole-life"), ("In_Transit", [], []))
    facts = {"modelArchitecture": "LlamaForCausalLM", "maxTokens": 4096, "modelParameterSize": "3.21B"}
    report(cluster, "status-1", {"whole-life": {"status": "Ready", "config": facts}})
    report(cluster, "status-2", {"whole-life": {"status": "Failed"}})
    eventually(lambda: model_status(cluster, "whole-life"), ("Ready", ["status-1"], ["status-2"]))
    model = cluster.get(CLUSTER_BASE_MODELS, "whole-life")
    assert facts.items() <= model["spec"].items()
    assert model["metadata"]["finalizers"] == ["clusterbasemodels.ome.io/finalizer"]
    assert model["status"]["observedGeneration"] == model["metadata"]["generation"]
    report(cluster, "status-1", {"whole-life": {"status": "Updating"}})
    eventually(lambda: model_status(cluster, "whole-life"), ("Failed", [], ["status-2"]))

    cluster.delete(CLUSTER_BASE_MODELS, "whole-life")
    report(cluster, "status-1", {})
    time.sleep(2)
    assert cluster.get(CLUSTER_BASE_MODELS, "whole-life")["metadata"]["deletionTimestamp"]
    report(cluster, "status-2", {"whole-life": {"status": "Deleted"}})
    eventually(lambda: cluster.find(CLUSTER_BASE_MODELS, "whole-life"), None)


def test_a_node_that_goes_takes_its_reports_with_it(cluster: Cluster, role: StatusRole) -> None:
    cluster.apply(NODES, {"metadata": {"name": "status-3"}})
    add_model(cluster, "node-gone")
    report(cluster, "status-3", {"node-gone": {"status": "Ready"}})
    eventually(lambda: model_status(cluster, "node-gone"), ("Ready", ["status-3"], []))
    cluster.delete(NODES, "status-3")
    eventually(lambda: model_status(cluster, "node-gone"), ("In_Transit", [], []))
    eventually(lambda: cluster.find(CONFIG_MAPS, "status-3", NAMESPACE), None)
    cluster.delete(CLUSTER_BASE_MODELS, "node-gone")
    eventually(lambda: cluster.find(CLUSTER_BASE_MODELS, "node-gone"), None)


def test_what_happened_while_the_role_was_down_is_made_good(cluster: Cluster) -> None:
    add_model(cluster, "down")
    cluster.apply(NODES, {"metadata": {"name": "status-4"}})
    report(cluster, "status-4", {"down": {"status": "Ready"}})
    with running(cluster):
        eventually(lambda: model_status(cluster, "down"), ("Ready", ["status-4"], []))
    cluster.delete(CLUSTER_BASE_MODELS, "down")
    cluster.delete(NODES, "status-4")
    with running(cluster):
        eventually(lambda: cluster.find(CLUSTER_BASE_MODELS, "down"), None)
        eventually(lambda: cluster.find(CONFIG_MAPS, "status-4", NAMESPACE), None)


def add_runtime(cluster: Cluster, name: str, parent: str | None = None) -> None:
    annotations = {"ome.io/inherit-from": parent} if parent else {}
    entry = {"modelFormat": {"name": "safetensors"}, "modelFramework": {"name": "transformers"}}
    cluster.create(
        CLUSTER_SERVING_RUNTIMES,
        {
            "kind": "ClusterServingRuntime",
            "apiVersion": "ome.io/v1beta1",
            "metadata": {"name": name, "annotations": annotations},
            "spec": {"supportedModelFormats": [entry]},
        },
    )


def chain(cluster: Cluster, name: str) -> tuple[Any, Any]:
    status = cluster.get(CLUSTER_SERVING_RUNTIMES, name).get("status") or {}
    ready = [(each["status"], each["reason"]) for each in status.get("conditions") or ()]
    return status.get("inheritanceChain"), ready


def test_chains_of_runtimes(cluster: Cluster, role: StatusRole) -> None:
    add_runtime(cluster, "chain-child", "chain-root")
    eventually(lambda: chain(cluster, "chain-child"), (None, [("False", "ParentNotFound")]))
    add_runtime(cluster, "chain-root")
    eventually(lambda: chain(cluster, "chain-child"), (["chain-root", "chain-child"], [("True", "Resolved")]))
    cluster.delete(CLUSTER_SERVING_RUNTIMES, "chain-root")
    eventually(lambda: chain(cluster, "chain-child"), (["chain-root", "chain-child"], [("False", "ParentNotFound")]))
    text = 'inherit-from parent "chain-root" not found (chain so far: [chain-child])'
    eventually(lambda: events_of(cluster, "default", "chain-child"), [("Warning", "ParentNotFound", text)] * 2)


def add_deployment(cluster: Cluster, service: str) -> None:
    labels = {"app": f"{service}-engine", "component": "engine", "ome.io/inferenceservice": service}
    container = {"name": "ome-container", "image": "registry.example.com/engine:1"}
    cluster.create(
        DEPLOYMENTS,
        {
            "metadata": {"name": f"{service}-engine", "namespace": TEAM, "labels": labels},
            "spec": {
                "selector": {"matchLabels": {"app": f"{service}-engine"}},
                "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
            },
        },
        TEAM,
    )


def set_available(cluster: Cluster, name: str, status: str) -> None:
    condition = {"type": "Available", "status": status, "reason": "Test", "message": "m"}
    times = {"lastTransitionTime": "2026-01-01T00:00:00Z", "lastUpdateTime": "2026-01-01T00:00:00Z"}
    patch = {"status": {"conditions": [condition | times]}}
    cluster.patch(DEPLOYMENTS, name, patch, TEAM, subresource="status")


def ready_of(cluster: Cluster, service: str) -> Any:
    conditions = (cluster.get(INFERENCE_SERVICES, service, TEAM).get("status") or {}).get("conditions") or ()
    return {each["type"]: each["status"] for each in conditions}


def reason_of(cluster: Cluster, service: str) -> Any:
    conditions = cluster.get(INFERENCE_SERVICES, service, TEAM)["status"]["conditions"]
    return next(each.get("reason") for each in conditions if each["type"] == "Ready")


def test_the_state_of_workloads_is_that_of_the_inference_service(cluster: Cluster, role: StatusRole) -> None:
    service = {"metadata": {"name": "chat", "namespace": TEAM}, "spec": {"engine": {}, "model": {"name": "m"}}}
    cluster.create(INFERENCE_SERVICES, {"kind": "InferenceService", "apiVersion": "ome.io/v1beta1", **service}, TEAM)
    time.sleep(1.5)
    assert "status" not in cluster.get(INFERENCE_SERVICES, "chat", TEAM)
    add_deployment(cluster, "chat")
    eventually(
        lambda: ready_of(cluster, "chat"), {"EngineReady": "Unknown", "IngressReady": "True", "Ready": "Unknown"}
    )
    set_available(cluster, "chat-engine", "True")
    eventually(lambda: ready_of(cluster, "chat").get("Ready"), "True")
    set_available(cluster, "chat-engine", "False")
    eventually(lambda: ready_of(cluster, "chat").get("Ready"), "False")
    cluster.delete(DEPLOYMENTS, "chat-engine", TEAM)
    eventually(lambda: reason_of(cluster, "chat"), "NoDeployments")
    assert "components" not in cluster.get(INFERENCE_SERVICES, "chat", TEAM)["status"]
    expected = [
        ("Normal", "InferenceServiceReady", "InferenceService [chat] is Ready"),
        ("Warning", "InferenceServiceNotReady", "InferenceService [chat] is no longer Ready"),
    ]
    eventually(lambda: events_of(cluster, TEAM, "chat"), expected)
    assert cluster.get(INFERENCE_SERVICES, "chat", TEAM)["status"]["observedGeneration"] == 1


def test_without_an_object_the_page_and_events_tell(cluster: Cluster, role: StatusRole) -> None:
    add_deployment(cluster, "lone")

    def shown() -> Any:
        page = json.loads(answer(role, "/status")[1])
        services = [each for each in page["inferenceServices"] if each["namespace"] == TEAM]
        return [(each["name"], each["ready"]) for each in services]

    eventually(shown, [("lone", "Unknown")])
    set_available(cluster, "lone-engine", "True")
    eventually(shown, [("lone", "True")])
    set_available(cluster, "lone-engine", "False")
    expected = [
        ("Normal", "InferenceServiceReady", "InferenceService [lone] is Ready"),
        ("Warning", "InferenceServiceNotReady", "InferenceService [lone] is no longer Ready"),
    ]
    eventually(lambda: events_of(cluster, TEAM, "lone-engine"), expected)
    cluster.delete(DEPLOYMENTS, "lone-engine", TEAM)
    eventually(shown, [])


def ome_manager(cluster: Cluster, available: int) -> None:
    container = {"name": "manager", "image": "registry.example.com/ome-manager:v1.3.0"}
    labels = {"control-plane": "ome-controller-manager"}
    cluster.apply(
        DEPLOYMENTS,
        {
            "metadata": {"name": "ome-controller-manager", "namespace": NAMESPACE, "labels": labels},
            "spec": {
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
            },
        },
    )
    status = {"replicas": available, "readyReplicas": available, "availableReplicas": available}
    cluster.patch(DEPLOYMENTS, "ome-controller-manager", {"status": status}, NAMESPACE, subresource="status")


def test_beside_ome_s_manager_nothing_is_written(cluster: Cluster) -> None:
    ome_manager(cluster, 2)
    add_model(cluster, "beside")
    try:
        with running(cluster) as role:
            reason = (
                "OME's manager runs (Deployment ome/ome-controller-manager, 2 available) and writes the same labels "
                "and status; remove it, or start the agent with --takeover"
            )
            eventually(lambda: reason in answer(role, "/readyz")[1])
            assert answer(role, "/readyz")[0] == 503
            assert answer(role, "/healthz")[0] == 200
            time.sleep(2)
            assert model_status(cluster, "beside") == (None, None, None)
            ome_manager(cluster, 0)
            eventually(lambda: model_status(cluster, "beside"), ("In_Transit", [], []))
            eventually(lambda: answer(role, "/readyz")[0], 200)
        ome_manager(cluster, 1)
        report(cluster, "status-1", {"beside": {"status": "Ready"}})
        with running(cluster, takeover=True):
            eventually(lambda: model_status(cluster, "beside"), ("Ready", ["status-1"], []))
    finally:
        cluster.delete(DEPLOYMENTS, "ome-controller-manager", NAMESPACE)


def test_one_of_two_leads_and_the_other_takes_over(cluster: Cluster) -> None:
    with running(cluster) as first:
        eventually(lambda: json.loads(answer(first, "/status")[1])["leading"])
        second = StatusRole(cluster, Settings(NAMESPACE, "second", 0))
        stop = threading.Event()
        thread = threading.Thread(target=second.run, args=(stop,), daemon=True)
        thread.start()
        eventually(lambda: answer(second, "/readyz")[0], 200)
        assert not json.loads(answer(second, "/status")[1])["leading"]
    try:
        eventually(lambda: json.loads(answer(second, "/status")[1])["leading"])
        lease = cluster.get(LEASES, LEASE, NAMESPACE)["spec"]
        assert lease["holderIdentity"] == "second"
    finally:
        stop.set()
        thread.join(timeout=30)


def test_a_lost_lease_ends_the_process(cluster: Cluster) -> None:
    role = StatusRole(cluster, Settings(NAMESPACE, "loser", 0))
    results: list[bool] = []
    stop = threading.Event()
    thread = threading.Thread(target=lambda: results.append(role.run(stop)), daemon=True)
    thread.start()
    eventually(lambda: json.loads(answer(role, "/status")[1])["leading"])
    patch = {"spec": {"holderIdentity": "thief", "renewTime": "2030-01-01T00:00:00.000000Z"}}
    cluster.patch(LEASES, LEASE, patch, NAMESPACE)
    thread.join(timeout=30)
    assert results == [False]
    cluster.delete(LEASES, LEASE, NAMESPACE)


def test_a_config_map_deleted_by_hand_counts_as_no_report(cluster: Cluster, role: StatusRole) -> None:
    add_model(cluster, "by-hand")
    report(cluster, "status-1", {"by-hand": {"status": "Ready"}})
    eventually(lambda: model_status(cluster, "by-hand"), ("Ready", ["status-1"], []))
    cluster.delete(CONFIG_MAPS, "status-1", NAMESPACE)
    eventually(lambda: model_status(cluster, "by-hand"), ("In_Transit", [], []))
    report(cluster, "status-1", {"by-hand": {"status": "Ready"}, "unknown": {"status": "Ready"}, "broken": "{"})
    eventually(lambda: model_status(cluster, "by-hand"), ("Ready", ["status-1"], []))


def test_others_who_write_the_same_model_all_the_time_delay_nothing_for_good(
    cluster: Cluster, role: StatusRole
) -> None:
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.wait(0.01):
            number += 1
            patch = {"metadata": {"annotations": {"example.com/n": str(number)}}}
            cluster.patch(CLUSTER_BASE_MODELS, "storm", patch)

    add_model(cluster, "storm")
    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    try:
        report(cluster, "status-1", {"storm": {"status": "Ready", "config": {"modelType": "llama"}}})
        eventually(lambda: model_status(cluster, "storm"), ("Ready", ["status-1"], []))
    finally:
        stop.set()
        writer.join()
    eventually(lambda: cluster.get(CLUSTER_BASE_MODELS, "storm")["spec"].get("modelType"), "llama")
    finalizers = cluster.get(CLUSTER_BASE_MODELS, "storm")["metadata"]["finalizers"]
    assert finalizers == ["clusterbasemodels.ome.io/finalizer"]


def test_a_restart_of_the_api_server_loses_nothing(cluster: Cluster, apiserver: ApiServer, role: StatusRole) -> None:
    add_model(cluster, "restart")
    eventually(lambda: model_status(cluster, "restart"), ("In_Transit", [], []))
    apiserver.restart()
    report(cluster, "status-1", {"restart": {"status": "Ready"}})
    eventually(lambda: model_status(cluster, "restart"), ("Ready", ["status-1"], []), seconds=60)
