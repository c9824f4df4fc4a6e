"""The installation on a real API server: applied as the documentation says, and every right that the roles need."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError
from omec.runtime_agent.cluster.resources import (
    CLUSTER_BASE_MODELS,
    CLUSTER_SERVING_RUNTIMES,
    CONFIG_MAPS,
    DAEMON_SETS,
    DEPLOYMENTS,
    NAMESPACES,
    NODES,
    PODS,
    SECRETS,
    Resource,
)
from omec.runtime_agent.coexistence import MANAGER, MODEL_AGENT
from omec.runtime_agent.manifests import Options, install
from omec.runtime_agent.status.role import Settings, StatusRole
from tests.cluster.agent import agent_client, write_kubeconfig
from tests.cluster.applied import assert_kept
from tests.cluster.client import FIELD_MANAGER, ApiServer
from tests.cluster.conftest import require_assets

NAMESPACE = "agent-install"
OPTIONS = Options(namespace=NAMESPACE, secrets={NAMESPACE: ("hf-token",), "team-a": ("team-token",)})


@pytest.fixture(scope="module", autouse=True)
def definitions(full_apiserver: ApiServer) -> None:
    """OME's kinds, and PodMonitors."""


@pytest.fixture(scope="module")
def admin(apiserver: ApiServer, tmp_path_factory: pytest.TempPathFactory) -> Cluster:
    return agent_client(apiserver.endpoint, tmp_path_factory.mktemp("admin"))


@pytest.fixture(scope="module")
def installed(apiserver: ApiServer, admin: Cluster) -> None:
    assert_kept(apiserver, install(OPTIONS))


def account(apiserver: ApiServer, folder: Path, role: str) -> Cluster:
    return agent_client(apiserver.endpoint, folder, acting_as=f"system:serviceaccount:{NAMESPACE}:omec-agent-{role}")


def test_kubectl_takes_what_the_command_prints(apiserver: ApiServer, tmp_path: Path) -> None:
    kubectl = shutil.which("kubectl", path=require_assets())
    if kubectl is None:
        pytest.skip("no kubectl beside the API server")
    printed = subprocess.run(
        [sys.executable, "-m", "omec", "agent", "manifests", "--namespace", NAMESPACE],
        capture_output=True,
        check=True,
    ).stdout
    kubeconfig = write_kubeconfig(apiserver.endpoint, tmp_path / "kubeconfig")
    options = (f"--kubeconfig={kubeconfig}", f"--cache-dir={tmp_path}")
    command = [kubectl, *options, "apply", "--server-side", f"--field-manager={FIELD_MANAGER}", "-f", "-"]
    for _ in range(2):
        applied = subprocess.run(command, input=printed, capture_output=True, check=False)
        assert applied.returncode == 0, applied.stderr.decode()
        assert applied.stderr == b""


@pytest.mark.usefixtures("installed")
def test_every_object_is_taken_and_kept_as_printed(admin: Cluster) -> None:
    assert admin.get(DEPLOYMENTS, "omec-agent-status", NAMESPACE)["spec"]["replicas"] == 2


@pytest.fixture
def as_status(apiserver: ApiServer, installed: None, tmp_path: Path) -> Iterator[StatusRole]:
    role = StatusRole(account(apiserver, tmp_path, "status"), Settings(NAMESPACE, "account", 0, gather_seconds=0.1))
    stop = threading.Event()
    results: list[bool] = []
    thread = threading.Thread(target=lambda: results.append(role.run(stop)), daemon=True)
    thread.start()
    yield role
    stop.set()
    thread.join(timeout=30)
    assert results == [True], "a watch was refused, or the lease was lost"


def wait_for(found: Any, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.usefixtures("as_status")
def test_the_status_role_works_under_its_service_account(admin: Cluster) -> None:
    admin.apply(NODES, {"metadata": {"name": "install-1"}})
    admin.apply(NODES, {"metadata": {"name": "install-2"}})
    meta = {"apiVersion": "ome.io/v1beta1", "metadata": {"name": "installed"}}
    spec = {"storage": {"storageUri": "hf://a/b", "path": "/m"}}
    admin.create(CLUSTER_BASE_MODELS, meta | {"kind": "ClusterBaseModel", "spec": spec})
    admin.create(
        CLUSTER_SERVING_RUNTIMES,
        {
            "apiVersion": "ome.io/v1beta1",
            "kind": "ClusterServingRuntime",
            "metadata": {"name": "installed", "annotations": {"ome.io/inherit-from": "nobody"}},
            "spec": {"supportedModelFormats": [{"modelFormat": {"name": "a"}, "modelFramework": {"name": "b"}}]},
        },
    )
    for node in ("install-1", "install-2"):
        entry = '{"name":"installed","status":"Ready","config":{"modelType":"llama"}}'
        labels = {"models.ome/basemodel-status": "true"}
        admin.apply(
            CONFIG_MAPS,
            {
                "metadata": {"name": node, "namespace": NAMESPACE, "labels": labels},
                "data": {"clusterbasemodel.installed": entry},
            },
        )

    def model() -> dict[str, Any]:
        return admin.get(CLUSTER_BASE_MODELS, "installed")

    wait_for(lambda: (model().get("status") or {}).get("nodesReady") == ["install-1", "install-2"])
    assert model()["spec"]["modelType"] == "llama"
    wait_for(lambda: (admin.get(CLUSTER_SERVING_RUNTIMES, "installed").get("status") or {}).get("conditions"))
    wait_for(
        lambda: any(
            event["regarding"]["name"] == "installed"
            for event in admin.list(Resource("events.k8s.io/v1", "Event", "events"), "default")
        )
    )
    admin.delete(NODES, "install-2")
    wait_for(lambda: admin.find(CONFIG_MAPS, "install-2", NAMESPACE) is None)
    admin.delete(CLUSTER_BASE_MODELS, "installed")
    admin.delete(CONFIG_MAPS, "install-1", NAMESPACE)
    wait_for(lambda: admin.find(CLUSTER_BASE_MODELS, "installed") is None)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("role", ["node", "status"])
def test_no_role_can_do_what_it_need_not(apiserver: ApiServer, tmp_path: Path, role: str) -> None:
    acting = account(apiserver, tmp_path, role)
    refused = [
        lambda: list(acting.list(SECRETS)),
        lambda: acting.get(SECRETS, "any", NAMESPACE),
        lambda: list(acting.list(SECRETS, NAMESPACE)),
        lambda: acting.create(PODS, {"metadata": {"name": "x"}}, NAMESPACE),
        lambda: acting.delete(NODES, "install-1"),
        lambda: list(acting.list(CONFIG_MAPS, "kube-system")),
        lambda: acting.patch(DEPLOYMENTS, "omec-agent-status", {}, NAMESPACE),
        lambda: acting.delete(CLUSTER_BASE_MODELS, "installed"),
        lambda: acting.create(NAMESPACES, {"metadata": {"name": "x"}}),
    ]
    if role == "status":
        refused.append(lambda: acting.patch(NODES, "install-1", {"metadata": {"labels": {"a": "b"}}}))
    for attempt in refused:
        with pytest.raises(ApiError) as raised:
            attempt()
        assert raised.value.status == 403


@pytest.mark.usefixtures("installed")
def test_nodes_read_the_named_secrets_alone(apiserver: ApiServer, admin: Cluster, tmp_path: Path) -> None:
    admin.apply(NAMESPACES, {"metadata": {"name": "team-a"}})
    acting = account(apiserver, tmp_path, "node")
    for namespace, name, other in ((NAMESPACE, "hf-token", "team-token"), ("team-a", "team-token", "hf-token")):
        admin.apply(SECRETS, {"metadata": {"name": name, "namespace": namespace}, "stringData": {"token": "x"}})
        assert acting.get(SECRETS, name, namespace)["data"]
        with pytest.raises(ApiError) as raised:
            acting.get(SECRETS, other, namespace)
        assert raised.value.status == 403


@pytest.mark.usefixtures("installed")
def test_nodes_see_whether_ome_runs_and_no_other_workload(apiserver: ApiServer, tmp_path: Path) -> None:
    acting = account(apiserver, tmp_path, "node")
    for resource, name in ((DEPLOYMENTS, MANAGER), (DAEMON_SETS, MODEL_AGENT)):
        assert list(acting.pages(resource, fields=f"metadata.name={name}"))
        for fields in ("", "metadata.name=other"):
            with pytest.raises(ApiError) as raised:
                list(acting.pages(resource, fields=fields))
            assert raised.value.status == 403
