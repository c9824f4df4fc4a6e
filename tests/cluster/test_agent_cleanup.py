"""``omec agent cleanup`` on a real API server: what the agent wrote goes, everything else stays."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.resources import (
    BASE_MODELS,
    CLUSTER_BASE_MODELS,
    CONFIG_MAPS,
    DAEMON_SETS,
    LEASES,
    NAMESPACES,
    NODES,
)
from omec.runtime_agent.status.leader import LEASE, Leadership
from tests.cluster.agent import agent_client, write_kubeconfig
from tests.cluster.client import ApiServer

NAMESPACE = "agent-cleanup"
LABEL, OTHER_LABEL = "models.ome.io/clusterbasemodel.ours", "models.ome.io/clusterbasemodel.omes"


@pytest.fixture(scope="module")
def ours(ome_apiserver: ApiServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = agent_client(ome_apiserver.endpoint, tmp_path_factory.mktemp("cleanup"))
    cluster.apply(NAMESPACES, {"metadata": {"name": NAMESPACE}})
    yield cluster
    for resource, namespace in ((CLUSTER_BASE_MODELS, None), (BASE_MODELS, NAMESPACE)):
        for name in ("cleanup-ours", "cleanup-omes"):  # which select every node of later tests
            if cluster.find(resource, name, namespace):
                cluster.patch(resource, name, {"metadata": {"finalizers": None}}, namespace)
                cluster.delete(resource, name, namespace)


def omec(kubeconfig: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "omec",
        "agent",
        "cleanup",
        f"--namespace={NAMESPACE}",
        f"--kubeconfig={kubeconfig}",
    ]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)


def own(text: str) -> str:
    """The lines about what this module made: the cluster holds what other tests have left, too."""
    return "".join(line for line in text.splitlines(keepends=True) if "cleanup" in line)


def test_what_the_agent_wrote_goes_and_nothing_else(apiserver: ApiServer, ours: Cluster, tmp_path: Path) -> None:
    omes = Cluster(ours._pool, ours._host, ours._headers, "manager")
    omes.apply(NODES, {"metadata": {"name": "cleanup-1", "labels": {OTHER_LABEL: "Ready", "zone": "a"}}})
    ours.patch(
        NODES, "cleanup-1", [{"op": "add", "path": f"/metadata/labels/{LABEL.replace('/', '~1')}", "value": "Ready"}]
    )
    for writer, name in ((ours, "cleanup-1"), (omes, "cleanup-2")):
        labels = {"models.ome/basemodel-status": "true"}
        config_map = {"metadata": {"name": name, "namespace": NAMESPACE, "labels": labels}, "data": {"a": "{}"}}
        writer.apply(CONFIG_MAPS, config_map)
    for resource, finalizer, namespace in (
        (CLUSTER_BASE_MODELS, "clusterbasemodels.ome.io/finalizer", None),
        (BASE_MODELS, "basemodels.ome.io/finalizer", NAMESPACE),
    ):
        for writer, name in ((ours, "cleanup-ours"), (omes, "cleanup-omes")):
            metadata = {"name": name, "finalizers": ["example.com/kept"]} | (
                {"namespace": namespace} if namespace else {}
            )
            kind = {"apiVersion": resource.api_version, "kind": resource.kind}
            omes.create(
                resource, {**kind, "metadata": metadata, "spec": {"storage": {"storageUri": "hf://a/b"}}}, namespace
            )
            patch = {"metadata": {"finalizers": ["example.com/kept", finalizer]}}
            writer.patch(resource, name, patch, namespace)
    assert Leadership(ours, NAMESPACE, LEASE, "x").attempt()

    kubeconfig = write_kubeconfig(apiserver.endpoint, tmp_path / "kubeconfig")
    planned = omec(kubeconfig, "--dry-run")
    assert planned.returncode == 0
    assert own(planned.stdout) == (
        f"would remove node cleanup-1: label {LABEL}\n"
        f"would remove ConfigMap {NAMESPACE}/cleanup-1\n"
        "would remove ClusterBaseModel cleanup-ours: the finalizer\n"
        f"would remove BaseModel {NAMESPACE}/cleanup-ours: the finalizer\n"
        f"would remove Lease {NAMESPACE}/{LEASE}\n"
    )
    assert LABEL in ours.get(NODES, "cleanup-1")["metadata"]["labels"]

    done = omec(kubeconfig)
    assert done.returncode == 0
    assert done.stdout == planned.stdout.replace("would remove", "removed")
    assert ours.get(NODES, "cleanup-1")["metadata"]["labels"] == {OTHER_LABEL: "Ready", "zone": "a"}
    assert ours.find(CONFIG_MAPS, "cleanup-1", NAMESPACE) is None
    assert ours.find(CONFIG_MAPS, "cleanup-2", NAMESPACE) is not None
    assert ours.find(LEASES, LEASE, NAMESPACE) is None
    assert ours.get(CLUSTER_BASE_MODELS, "cleanup-ours")["metadata"]["finalizers"] == ["example.com/kept"]
    assert len(ours.get(BASE_MODELS, "cleanup-omes", NAMESPACE)["metadata"]["finalizers"]) == 2
    assert omec(kubeconfig).stderr == "0 things removed\n"


def test_while_the_agent_runs_nothing_is_removed(apiserver: ApiServer, ours: Cluster, tmp_path: Path) -> None:
    labels = {"app": "x"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
    metadata = {"name": "omec-agent-node", "namespace": NAMESPACE}
    ours.apply(DAEMON_SETS, {"metadata": metadata, "spec": {"selector": {"matchLabels": labels}, "template": template}})
    counts = dict.fromkeys(("currentNumberScheduled", "desiredNumberScheduled", "numberReady", "numberAvailable"), 1)
    status = {"status": {**counts, "numberMisscheduled": 0}}
    ours.patch(DAEMON_SETS, "omec-agent-node", status, NAMESPACE, subresource="status")
    done = omec(write_kubeconfig(apiserver.endpoint, tmp_path / "kubeconfig"))
    ours.delete(DAEMON_SETS, "omec-agent-node", NAMESPACE)
    assert done.returncode == 2
    assert done.stderr.startswith(
        f"omec: error: the agent still runs: DaemonSet {NAMESPACE}/omec-agent-node [OME761]\n"
    )
