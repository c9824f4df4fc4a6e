"""The node role against a real API server and a local hub, with the rights of its service account."""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError
from omec.runtime_agent.cluster.resources import CLUSTER_BASE_MODELS, CONFIG_MAPS, NODES, Object
from omec.runtime_agent.contract.names import ModelKey
from omec.runtime_agent.download.marker import Marker
from omec.runtime_agent.download.runner import Supervision
from omec.runtime_agent.manifests.options import NODE_ACCOUNT, Options
from omec.runtime_agent.manifests.rbac import accounts, permissions
from omec.runtime_agent.node.role import NodeRole
from omec.runtime_agent.node.settings import Settings
from tests.cluster.agent import agent_client
from tests.cluster.client import ApiServer
from tests.facts.conftest import local_hub
from tests.facts.hub_server import COMMIT, HubServer, Repository
from tests.runtime_agent.download.conftest import CONFIG, FILES, content_of, expected

OME = "omec-node-tests"
NUMBERS = itertools.count(1)
TOKEN = "hf_" + "good" * 5


@pytest.fixture(scope="module")
def cluster(ome_apiserver: ApiServer, tmp_path_factory: pytest.TempPathFactory) -> ApiServer:
    """The API server with OME's kinds and the role's own rights; the agent acts as its service account."""
    pytest.importorskip("kubernetes", reason="the extra omec[agent] is not installed")
    ome_apiserver.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": OME}})
    options = Options(namespace=OME, secrets={OME: ("hub-token",)})
    for obj in (*accounts(options), *permissions(options)):
        answer = ome_apiserver.apply(obj)
        assert answer.accepted, answer.message
    return ome_apiserver


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    for server in local_hub(monkeypatch):
        server.repository("org/model", FILES)
        yield server


class Node:
    """A Node of the cluster, and agents on it."""

    def __init__(self, apiserver: ApiServer, hub: HubServer, folder: Path, **labels: str) -> None:
        self.name = f"node-{next(NUMBERS)}"
        self.apiserver = apiserver
        self.hub = hub
        self.folder = folder
        self.root = folder / "models"
        self.root.mkdir(exist_ok=True)
        self.models: list[Object] = []
        self._running: list[tuple[threading.Event, threading.Thread, NodeRole]] = []
        metadata = {"name": self.name, "labels": {"own": self.name, **labels}}
        assert apiserver.create({"apiVersion": "v1", "kind": "Node", "metadata": metadata}).accepted

    def agent(self, client: Cluster | None = None, **more: Any) -> NodeRole:
        """Start an agent, as a pod that just came up."""
        account = f"system:serviceaccount:{OME}:{NODE_ACCOUNT}"
        cluster = client or agent_client(self.apiserver.endpoint, self.folder, acting_as=account)
        supervision = Supervision(stall_seconds=20, attempts=3, first_wait=0.05, longest_wait=0.2)
        settings = {"reserve": 0, "port": 0, "endpoint": self.hub.endpoint, "supervision": supervision, **more}
        role = NodeRole(cluster, Settings(self.name, OME, str(self.root), **settings))
        stop = threading.Event()
        thread = threading.Thread(target=role.run, args=(stop,), daemon=True)
        thread.start()
        self._running.append((stop, thread, role))
        return role

    def stop(self) -> None:
        for stop, thread, _ in self._running:
            stop.set()
            thread.join(timeout=30)
        self._running.clear()

    def leave(self) -> None:
        """Stop the agents, and leave nothing behind in the cluster."""
        self.stop()
        for model in self.models:
            self.apiserver.request("DELETE", f"/apis/ome.io/v1beta1/clusterbasemodels/{model['metadata']['name']}")
        self.apiserver.request("DELETE", f"/api/v1/nodes/{self.name}")
        self.apiserver.request("DELETE", f"/api/v1/namespaces/{OME}/configmaps/{self.name}")

    def model(self, name: str = "", uri: str = "hf://org/model", path: str = "model", **storage: Any) -> Object:
        """Create a ClusterBaseModel that selects this node alone."""
        metadata = {"name": name or f"{self.name}-model", **storage.pop("metadata", {})}
        place = {"path": f"{self.root}/{path}"} if path else {}
        storage = {"storageUri": uri, **place, "nodeSelector": {"own": self.name}, **storage}
        model = {
            "apiVersion": "ome.io/v1beta1",
            "kind": "ClusterBaseModel",
            "metadata": metadata,
            "spec": {"storage": storage, "modelFormat": {"name": ""}},
        }
        answer = self.apiserver.create(model)
        assert answer.accepted, answer.message
        self.models.append(model)
        return model

    def label(self, model: Object) -> str | None:
        found: str | None = self.labels().get(f"models.ome.io/clusterbasemodel.{model['metadata']['name']}")
        return found

    def labels(self) -> dict[str, str]:
        labels: dict[str, str] = self.apiserver.get(self._object("Node"))["metadata"].get("labels") or {}
        return labels

    def entries(self) -> dict[str, Any]:
        answer = self.apiserver.request("GET", f"/api/v1/namespaces/{OME}/configmaps/{self.name}")
        data = answer.body.get("data") or {}
        return {key: json.loads(text) for key, text in data.items() if text.startswith("{")}

    def entries_text(self) -> dict[str, str]:
        answer = self.apiserver.request("GET", f"/api/v1/namespaces/{OME}/configmaps/{self.name}")
        return answer.body.get("data") or {}

    def entry(self, model: Object) -> Any:
        return self.entries().get(f"clusterbasemodel.{model['metadata']['name']}")

    def wait(self, model: Object, status: str | None, seconds: float = 30) -> None:
        def reached() -> bool:
            entry = self.entry(model)
            return self.label(model) == status and (entry["status"] if entry else None) == status

        until(reached, f"{model['metadata']['name']} to be {status}", seconds)

    def patch(self, model: Object, patch: Object) -> None:
        url = f"/apis/ome.io/v1beta1/clusterbasemodels/{model['metadata']['name']}"
        answer = self.apiserver.request("PATCH", url, patch, "application/merge-patch+json")
        assert answer.accepted, answer.message

    def delete(self, model: Object) -> None:
        url = f"/apis/ome.io/v1beta1/clusterbasemodels/{model['metadata']['name']}"
        assert self.apiserver.request("DELETE", url).accepted

    def relabel(self, **labels: str | None) -> None:
        patch = {"metadata": {"labels": labels}}
        url = f"/api/v1/nodes/{self.name}"
        assert self.apiserver.request("PATCH", url, patch, "application/merge-patch+json").accepted

    def events(self) -> list[str]:
        items = self.apiserver.request("GET", "/apis/events.k8s.io/v1/namespaces/default/events").body["items"]
        return [f"{each['reason']}: {each['note']}" for each in items if each["reportingInstance"] == self.name]

    def _object(self, kind: str) -> Object:
        return {"apiVersion": "v1", "kind": kind, "metadata": {"name": self.name}}


def until(reached: Callable[[], bool], what: str, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.05)


@pytest.fixture
def node(cluster: ApiServer, hub: HubServer, tmp_path: Path) -> Iterator[Node]:
    made = Node(cluster, hub, tmp_path)
    yield made
    made.leave()


def test_a_model_arrives_is_told_and_goes(node: Node) -> None:
    node.agent()
    model = node.model()
    node.wait(model, "Ready")
    assert content_of(node.root / "model") != {}
    entry = node.entry(model)
    assert entry["config"]["modelArchitecture"] == "LlamaForCausalLM"
    assert entry["config"]["artifact"] == {"sha": "", "parentPath": None, "childrenPaths": None}
    config_map = node.apiserver.request("GET", f"/api/v1/namespaces/{OME}/configmaps/{node.name}").body["metadata"]
    assert config_map["labels"] == {"models.ome/basemodel-status": "true", "node": node.name}
    assert config_map["annotations"]["models.ome.io/managed-by"] == "model-agent"
    until(lambda: node.apiserver.get(model)["spec"].get("modelType") == "llama", "the spec to be filled")
    assert node.apiserver.get(model)["spec"]["modelFormat"]["name"] == "safetensors"
    assert any(event.startswith("ModelReady: hf://org/model at ") for event in node.events())
    node.delete(model)
    node.wait(model, None)
    assert not (node.root / "model").exists()


def test_what_fails_is_told(node: Node) -> None:
    node.agent()
    missing = node.model(uri="hf://org/missing")
    node.wait(missing, "Failed")
    assert any("has no model org/missing" in event for event in node.events())
    elsewhere = node.model(f"{node.name}-out", path="../out")
    node.wait(elsewhere, "Failed")
    nowhere = node.model(f"{node.name}-s3", uri="s3://bucket/prefix")
    node.wait(nowhere, "Updating")
    until(lambda: any("downloads nothing from there" in each for each in node.events()), "the event")


def test_a_model_is_processed_again_when_asked(node: Node, hub: HubServer) -> None:
    node.agent()
    model = node.model(uri="hf://org/missing")
    node.wait(model, "Failed")
    node.patch(model, {"spec": {"storage": {"storageUri": "hf://org/model"}}})
    node.wait(model, "Ready")
    (node.root / "model" / "config.json").write_text("{}")
    node.patch(model, {"metadata": {"annotations": {"example.com/recheck": "1"}}})
    until(lambda: (node.root / "model" / "config.json").read_text() == json.dumps(CONFIG), "the repair")
    node.wait(model, "Ready")


def test_a_download_stops_when_its_model_goes(node: Node, hub: HubServer) -> None:
    hub.rate = 100_000
    node.agent()
    model = node.model()
    node.wait(model, "Updating")
    until(lambda: any(node.root.rglob("parts/*")), "the first bytes")
    node.delete(model)
    node.wait(model, None)
    assert not [path for path in node.root.rglob("*") if path.is_file() and "lock" not in path.name]


def test_the_token_is_that_of_the_secret(node: Node, hub: HubServer) -> None:
    hub.repositories["org/model"].gated = True
    data = {"token": base64.b64encode(TOKEN.encode()).decode()}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "hub-token", "namespace": OME}, "data": data}
    assert node.apiserver.apply(secret).accepted
    node.agent()
    refused = node.model(f"{node.name}-refused", path="refused", key="another")
    node.wait(refused, "Failed")
    model = node.model(key="hub-token")
    node.wait(model, "Ready")


def test_reserved_and_shared_paths_stay(node: Node) -> None:
    node.agent()
    reserved = node.model(metadata={"labels": {"models.ome/reserve-model-artifact": "True"}})
    node.wait(reserved, "Ready")
    node.delete(reserved)
    node.wait(reserved, None)
    first = node.model(f"{node.name}-first", path="both")
    second = node.model(f"{node.name}-second", path="both")
    node.wait(first, "Ready")
    node.wait(second, "Ready")
    node.delete(first)
    node.wait(first, None)
    assert (node.root / "model" / "config.json").exists()
    assert (node.root / "both" / "config.json").exists()
    assert node.label(second) == "Ready"


def test_other_files_never_take_the_place_of_a_model_that_is_ready(node: Node, hub: HubServer) -> None:
    """Two models on one path, spelled in two ways: the second one fails, and waits for the first one to go."""
    hub.repository("org/other", {"config.json": json.dumps(CONFIG), "other.bin": b"other"})
    (node.folder / "link").symlink_to(node.root)
    node.agent(extra_roots=(str(node.folder / "link"),))
    first = node.model(f"{node.name}-first", path="both")
    node.wait(first, "Ready")
    second = node.model(f"{node.name}-second", uri="hf://org/other", path="./both/")
    third = node.model(f"{node.name}-third", uri="hf://org/other", path="../link/both")
    same = node.model(f"{node.name}-same", path="both")
    for refused in (second, third):
        node.wait(refused, "Failed")
    node.wait(same, "Ready")
    assert any(f"has the files of ClusterBaseModel {first['metadata']['name']}" in each for each in node.events())
    assert content_of(node.root / "both") == expected(hub)
    node.delete(first)
    node.delete(third)
    for gone in (first, third):
        node.wait(gone, None)
    assert content_of(node.root / "both") == expected(hub)
    assert node.label(same) == "Ready"
    node.delete(same)
    node.wait(same, None)
    node.patch(second, {"metadata": {"annotations": {"example.com/again": "1"}}})
    node.wait(second, "Ready")
    assert content_of(node.root / "both") == expected(hub, "org/other")


def test_paths_that_cannot_be_disturb_no_other_model(node: Node) -> None:
    """They fail, go again, and keep neither garbage from being collected nor the agent from going on."""
    role = node.agent(collect="delete", collect_grace=0.0, collect_every=0.2)
    names = {"nul": "a\0b", "long": "x" * 300, "deep": "x/" * 3000 + "x", "out": "../../out", "unicode": "größe" * 20}
    models = {key: node.model(f"{node.name}-{key}", path=name) for key, name in names.items()}
    for key, model in models.items():
        node.wait(model, "Ready" if key == "unicode" else "Failed")
    garbage = node.root / "garbage"
    garbage.mkdir()
    Marker("hf://a/b", "c").write(garbage)
    until(lambda: not garbage.exists(), "the garbage to be collected")
    for key in ("nul", "long", "deep", "out"):
        node.delete(models[key])
        node.wait(models[key], None)
    assert (node.root / names["unicode"] / "config.json").exists()
    assert probe(role, "/readyz").endswith("readyz check passed\n")


@pytest.mark.parametrize("name", ["x" * 253, "x" * 199 + "-" + ".".join(["y" * 10] * 4)], ids=["letters", "signs"])
def test_a_name_as_long_as_names_can_be(node: Node, cluster: ApiServer, name: str) -> None:
    """Labels and entries shorten it; a restart finds both again, and the model's end removes them."""
    key = ModelKey(None, name)
    node.agent()
    model = node.model(name)

    def status() -> tuple[str | None, str | None]:
        entry = node.entries().get(key.entry)
        return node.labels().get(key.label), entry["status"] if entry else None

    until(lambda: status() == ("Ready", "Ready"), "the long name to be Ready")
    assert node.entries()[key.entry]["name"] == name
    until(lambda: any(event.startswith("ModelReady") for event in node.events()), "the event")
    node.stop()
    seen = []
    node.agent()
    until(lambda: len(node.hub.paths()) > 0 and not seen.append(status()[0]) and len(seen) > 5, "the restart")
    assert set(seen) == {"Ready"}
    node.delete(model)
    until(lambda: status() == (None, None), "the long name to go")
    assert not (node.root / "model").exists()


def test_a_snapshot_is_shared(node: Node, hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two models ask for it at the same moment: one waits for the other, and neither fails."""
    monkeypatch.setattr("omec.runtime_agent.node.processor._LOCKED_SECONDS", 0.5)
    hub.rate = 2_000_000
    node.agent()
    models = [node.model(f"{node.name}-{each}", path=each, downloadPolicy="ReuseIfExists") for each in ("a", "b")]
    for model in models:
        node.wait(model, "Ready")
    assert len([path for path in hub.paths() if path.endswith("resolve/" + COMMIT + "/config.json")]) == 1
    failed = [event for event in node.events() if event.startswith("ModelFailed")]
    # Models of other tests may still be in the cluster, and those have no place for files.
    assert not [event for event in failed if "storage.path is missing" not in event]
    assert (node.root / "a").is_symlink()
    assert node.entry(models[0])["config"]["artifact"]["childrenPaths"] == [f"{node.root}/a"]
    node.delete(models[0])
    node.wait(models[0], None)
    assert (node.root / "b" / "config.json").exists()
    node.delete(models[1])
    node.wait(models[1], None)
    assert not list((node.root / "_artifacts").rglob("config.json"))


def test_a_restart_looks_at_everything_and_withdraws_what_is_gone(node: Node) -> None:
    node.agent()
    kept, gone, damaged = (node.model(f"{node.name}-{each}", path=each) for each in ("kept", "gone", "damaged"))
    for model in (kept, gone, damaged):
        node.wait(model, "Ready")
    node.stop()
    node.delete(gone)
    (node.root / "damaged" / "model-2.bin").write_bytes(b"short")
    statuses: list[str | None] = []
    node.agent()
    node.wait(gone, None)
    statuses.append(node.label(kept))
    until(lambda: (node.root / "damaged" / "model-2.bin").stat().st_size > 5, "the repair")
    node.wait(damaged, "Ready")
    assert statuses == ["Ready"]


def test_files_of_another_uri_are_not_ready_after_a_restart(node: Node, hub: HubServer) -> None:
    """The model was changed while the agent was away: what is there is whole, but another model's."""
    hub.repository("org/other", FILES | {"other.bin": b"other" * 100_000})
    node.agent()
    model = node.model()
    node.wait(model, "Ready")
    node.stop()
    node.patch(model, {"spec": {"storage": {"storageUri": "hf://org/other"}}})
    hub.rate = 400_000
    node.agent()
    node.wait(model, "Updating")
    assert not (node.root / "model" / "other.bin").exists()
    hub.rate = 0
    node.wait(model, "Ready")
    assert content_of(node.root / "model") == expected(hub, "org/other")


@pytest.mark.parametrize("obstacle", ["space", "right"])
def test_a_whole_copy_stays_ready_while_a_newer_one_cannot_be_had(node: Node, hub: HubServer, obstacle: str) -> None:
    node.agent()
    model = node.model()
    node.wait(model, "Ready")
    node.stop()
    newer = {**hub.repositories["org/model"].files, "more.bin": b"more"}
    hub.repositories["org/model"] = Repository(newer, revisions={"main": COMMIT[::-1]}, private=obstacle == "right")
    node.agent(reserve=1 << 60)
    until(lambda: any(event.startswith("ModelNotUpdated") for event in node.events()), "the event")
    node.wait(model, "Ready")
    assert not (node.root / "model" / "more.bin").exists()


def test_entries_and_labels_come_back(node: Node, cluster: ApiServer) -> None:
    """A ConfigMap that was deleted by hand, and labels that were removed or changed."""
    node.agent()
    model = node.model()
    node.wait(model, "Ready")
    before = node.entries()
    assert cluster.request("DELETE", f"/api/v1/namespaces/{OME}/configmaps/{node.name}").accepted
    until(lambda: node.entries() == before, "the ConfigMap")
    key = f"models.ome.io/clusterbasemodel.{model['metadata']['name']}"
    node.relabel(**{key: None})
    node.wait(model, "Ready")
    node.relabel(**{key: "Failed"})
    node.wait(model, "Ready")


def test_entries_of_another_agent_are_taken_over(node: Node, cluster: ApiServer) -> None:
    """What OME's agent has reported: known models keep their facts, unknown ones go, foreign keys stay."""
    name = f"{node.name}-model"
    data = {
        f"clusterbasemodel.{name}": json.dumps({"name": name, "status": "Ready", "config": {"modelType": "old"}}),
        "clusterbasemodel.gone": '{"name":"gone","status":"Ready"}',
        "ns.basemodel.gone": "not JSON",
        "note": "of somebody else",
    }
    metadata = {"name": node.name, "namespace": OME, "labels": {"models.ome/basemodel-status": "true"}}
    assert cluster.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}).accepted
    node.relabel(**{"models.ome.io/clusterbasemodel.gone": "Ready", "models.ome.io/category": "x"})
    node.hub.repositories["org/model"].files = {"weights.bin": b"no configuration"}
    model = node.model(name)
    node.agent()
    node.wait(model, "Ready")
    until(lambda: "clusterbasemodel.gone" not in node.entries_text(), "the withdrawal")
    # Models of other tests may still be in the cluster, and this node reports them, too.
    assert {f"clusterbasemodel.{name}", "note"} <= set(node.entries_text())
    assert not {"clusterbasemodel.gone", "ns.basemodel.gone"} & set(node.entries_text())
    assert node.entry(model)["config"]["modelType"] == "old"
    until(lambda: "models.ome.io/clusterbasemodel.gone" not in node.labels(), "the label to go")
    assert node.labels()["models.ome.io/category"] == "x"


def test_a_node_is_relabelled(node: Node) -> None:
    """A node that is selected now gets the model; one that is not any more keeps what it has, also over a restart."""
    node.agent()
    model = node.model(nodeSelector={"own": node.name, "pool": "gpu"})
    time.sleep(1)
    assert node.label(model) is None
    node.relabel(pool="gpu")
    node.wait(model, "Ready")
    node.relabel(pool="cpu")
    time.sleep(1)
    assert node.label(model) == "Ready"
    node.stop()
    node.agent()
    time.sleep(2)
    assert node.label(model) == "Ready"
    assert (node.root / "model" / "config.json").exists()
    shutil.rmtree(node.root / "model")
    node.stop()
    node.agent()
    node.wait(model, None)


def test_a_model_that_deselects_the_node_goes(node: Node) -> None:
    node.agent()
    model = node.model()
    node.wait(model, "Ready")
    node.patch(model, {"spec": {"storage": {"nodeSelector": {"own": "another"}}}})
    node.wait(model, None)
    assert not (node.root / "model").exists()


def test_two_agents_on_one_node(node: Node) -> None:
    """The second one waits, and says why; it goes on where the first one ends."""
    first = node.agent()
    model = node.model()
    node.wait(model, "Ready")
    second = node.agent()
    until(lambda: "another agent" in probe(second, "/readyz/lock"), "the second to be not ready")
    assert "ok" in probe(first, "/readyz/lock")
    node._running[0][0].set()
    node._running[0][1].join()
    until(lambda: "ok" in probe(second, "/readyz"), "the second to be ready")


def test_an_agent_of_ome_holds_the_role_back(node: Node, cluster: ApiServer) -> None:
    labels = {"app": "model-agent"}
    daemon_set = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "ome-model-agent-daemonset", "namespace": OME},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "x", "image": "example.com/x:1"}]},
            },
        },
    }
    assert cluster.apply(daemon_set).accepted
    url = f"/apis/apps/v1/namespaces/{OME}/daemonsets/ome-model-agent-daemonset"
    counts = {"currentNumberScheduled": 1, "numberMisscheduled": 0, "desiredNumberScheduled": 1, "numberReady": 1}
    status = {"status": {**counts, "numberAvailable": 1}}
    assert cluster.request("PATCH", f"{url}/status", status, "application/merge-patch+json").accepted
    try:
        role = node.agent()
        until(lambda: "OME's model agent runs" in probe(role, "/readyz"), "the reason")
        model = node.model()
        time.sleep(1.5)
        assert node.label(model) is None
        assert not (node.root / "model").exists()
    finally:
        assert cluster.request("DELETE", url).accepted
    node.wait(model, "Ready")


def test_conflict_storms(node: Node, cluster: ApiServer) -> None:
    """Others write the Node, the ConfigMap and the model all the time."""
    node.agent()
    stop = threading.Event()
    other = agent_client(cluster.endpoint, node.folder)
    model = node.model()

    def disturb() -> None:
        for number in itertools.count():
            if stop.is_set():
                return
            if other.find(CONFIG_MAPS, node.name, OME):
                other.patch(CONFIG_MAPS, node.name, {"data": {"storm": str(number)}}, OME)
            other.patch(NODES, node.name, {"metadata": {"labels": {"storm": str(number)}}})
            with contextlib.suppress(ApiError):  # it is gone in the end
                name = model["metadata"]["name"]
                other.patch(CLUSTER_BASE_MODELS, name, {"spec": {"displayName": str(number)}})

    thread = threading.Thread(target=disturb, daemon=True)
    thread.start()
    try:
        node.wait(model, "Ready")
        until(lambda: node.apiserver.get(model)["spec"].get("modelType") == "llama", "the spec")
        node.delete(model)
        node.wait(model, None)
    finally:
        stop.set()
        thread.join()


def test_an_agent_without_rights_ends(node: Node, cluster: ApiServer, tmp_path: Path) -> None:
    """So that Kubernetes starts it anew, and everybody sees that something is wrong."""
    nobody = agent_client(cluster.endpoint, tmp_path, acting_as="system:serviceaccount:default:nobody")
    settings = Settings(node.name, OME, str(node.root), port=0)
    assert NodeRole(nobody, settings).run(threading.Event()) is False


def test_a_node_that_does_not_exist_yet_is_waited_for(node: Node, cluster: ApiServer) -> None:
    node.name = f"{node.name}-later"
    role = node.agent()
    until(lambda: f'nodes "{node.name}" not found' in probe(role, "/readyz/started"), "the reason")
    node.stop()


def probe(role: NodeRole, path: str) -> str:
    return role.health.answer(path)[2].decode()


def test_the_api_server_restarts(node: Node, hub: HubServer) -> None:
    """During a download and during a watch: nothing is lost, and what happened meanwhile is noticed."""
    # As an administrator: until an API server that starts has read its roles, it refuses everybody else.
    node.agent(agent_client(node.apiserver.endpoint, node.folder))
    first = node.model()
    node.wait(first, "Ready")
    hub.rate = 1_000_000
    second = node.model(f"{node.name}-second", path="second")
    node.wait(second, "Updating")
    node.apiserver.restart()
    node.delete(first)
    node.wait(second, "Ready", 60)
    node.wait(first, None, 60)
