"""``omec status`` and ``omec doctor`` as they are typed: a cluster, one without OME, no cluster, no rights."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.resources import BASE_MODELS, CONFIG_MAPS, DEPLOYMENTS, NAMESPACES, NODES
from tests.cluster.agent import agent_client, write_kubeconfig
from tests.cluster.client import ApiServer

NAMESPACE, REPORTS = "agent-questions", "agent-question-reports"


@pytest.fixture(scope="module")
def kubeconfig(ome_apiserver: ApiServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions")
    fill(agent_client(ome_apiserver.endpoint, folder))
    return write_kubeconfig(ome_apiserver.endpoint, folder / "kubeconfig")


def fill(cluster: Cluster) -> None:
    for name in (NAMESPACE, REPORTS):
        cluster.apply(NAMESPACES, {"metadata": {"name": name}})
    cluster.apply(NODES, {"metadata": {"name": "question-1", "labels": {"question": "yes"}}})
    storage = {"storageUri": "hf://a/b", "path": "/m", "nodeSelector": {"question": "yes"}}
    kind = {"apiVersion": BASE_MODELS.api_version, "kind": BASE_MODELS.kind}
    metadata = {"name": "llama", "namespace": NAMESPACE}
    cluster.create(BASE_MODELS, {**kind, "metadata": metadata, "spec": {"storage": storage}}, NAMESPACE)
    progress = {"phase": "downloading", "totalBytes": 100, "completedBytes": 43}
    entry = json.dumps({"name": "llama", "status": "Updating", "progress": progress})
    labels = {"models.ome/basemodel-status": "true"}
    metadata = {"name": "question-1", "namespace": REPORTS, "labels": labels}
    cluster.apply(CONFIG_MAPS, {"metadata": metadata, "data": {f"{NAMESPACE}.basemodel.llama": entry}})
    labels = {"app": "x", "ome.io/inferenceservice": "chat", "component": "engine", "base-model-name": "llama"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
    spec = {"selector": {"matchLabels": {"app": "x"}}, "template": template}
    cluster.apply(
        DEPLOYMENTS, {"metadata": {"name": "chat-engine", "namespace": NAMESPACE, "labels": labels}, "spec": spec}
    )


def omec(kubeconfig: Path | str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "omec", *arguments, f"--kubeconfig={kubeconfig}"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_status_says_what_waits_for_what(kubeconfig: Path) -> None:
    done = omec(kubeconfig, "status", "-n", NAMESPACE, "--agent-namespace", REPORTS)
    assert (done.returncode, done.stderr) == (0, "")
    model = f"BaseModel {NAMESPACE}/llama"
    rows = [line.split() for line in done.stdout.splitlines()]
    download = ["the", "download", "on", "question-1", "(43%)"]
    assert [*model.split(), "In_Transit", "0/1", "43%", *download] in rows
    assert [f"{NAMESPACE}/chat", "Unknown", "0/1", *model.split(), *f"{model}:".split(), *download] in rows


def test_status_as_json(kubeconfig: Path) -> None:
    done = omec(kubeconfig, "status", "-n", NAMESPACE, "--agent-namespace", REPORTS, "-o", "json")
    found = json.loads(done.stdout)
    (service,) = found["inferenceServices"]
    assert service["components"] == {"engine": {"ready": 0, "wanted": 1}}
    assert found["notAllowed"] == []


def test_doctor(kubeconfig: Path) -> None:
    done = omec(kubeconfig, "doctor", "-o", "json")
    lines = {line["message"]: line["level"] for line in json.loads(done.stdout)["lines"]}
    assert "ok" in {level for text, level in lines.items() if text.startswith("definitions: ")}
    assert lines["OME's model agent: not installed"] == "absent"
    text = omec(kubeconfig, "doctor")
    assert text.returncode == done.returncode
    assert text.stdout.startswith("ok       Kubernetes v1.")


@pytest.mark.parametrize("command", ["status", "doctor"])
def test_without_rights(kubeconfig: Path, command: str) -> None:
    done = omec(kubeconfig, command, "--as", "nobody")
    if command == "status":
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("omec: error: the API server refuses: clusterbasemodels.ome.io is forbidden")
        assert "OME732" in done.stderr
    else:
        assert "warning  not allowed to list basemodels, clusterbasemodels, " in done.stdout


@pytest.mark.parametrize("command", [("status",), ("doctor",), ("agent", "cleanup"), ("agent", "status")])
def test_without_a_cluster(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = omec(tmp_path / "nowhere", *command)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("omec: error: no cluster is configured: ")
    assert "help: name a kubeconfig" in done.stderr


@pytest.mark.parametrize("command", ["status", "doctor"])
def test_without_an_answer(apiserver: ApiServer, tmp_path: Path, command: str) -> None:
    text = write_kubeconfig(apiserver.endpoint, tmp_path / "kubeconfig").read_text(encoding="utf-8")
    (tmp_path / "kubeconfig").write_text(text.replace(f":{apiserver.endpoint.port}", ":1"), encoding="utf-8")
    done = omec(tmp_path / "kubeconfig", command)
    assert (done.returncode, done.stdout) == (2, "")
    assert "does not answer" in done.stderr
    assert "Traceback" not in done.stderr
