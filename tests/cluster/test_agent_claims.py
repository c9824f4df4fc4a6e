"""Models on claims against a real API server, under the rights that ``omec agent manifests`` prints.

There is no kubelet: the tests do what the container of the Job does, under its service account.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from omec.runtime_agent.claims.contract import ACCOUNT, LAST_ERROR
from omec.runtime_agent.cleanup import removals
from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError
from omec.runtime_agent.cluster.resources import (
    BASE_MODELS,
    CLAIMS,
    CLUSTER_BASE_MODELS,
    CONFIG_MAPS,
    JOBS,
    NAMESPACES,
    Object,
    Resource,
)
from omec.runtime_agent.contract.names import ModelKey, metadata_config_map
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.fetch.metadata import MetadataTask, extract
from omec.runtime_agent.manifests import Options
from omec.runtime_agent.manifests.claims import claim_objects
from omec.runtime_agent.manifests.options import STATUS_ACCOUNT
from omec.runtime_agent.manifests.rbac import accounts, permissions
from omec.runtime_agent.status.role import Settings, StatusRole
from tests.cluster.agent import agent_client
from tests.cluster.client import ApiServer
from tests.runtime_agent.download.conftest import CONFIG
from tests.runtime_agent.fetch.test_rendered import command_of

NAMESPACE, TEAM, ELSEWHERE = "claims-agent", "claims-team", "claims-elsewhere"
NAMES = ("whole", "broken", "moved", "given-up")
IMAGE = "registry.example.com/omec-agent:1"


@pytest.fixture(scope="module")
def admin(ome_apiserver: ApiServer, tmp_path_factory: pytest.TempPathFactory) -> Cluster:
    client = agent_client(ome_apiserver.endpoint, tmp_path_factory.mktemp("claims"))
    for name in (NAMESPACE, TEAM, ELSEWHERE):
        client.apply(NAMESPACES, {"metadata": {"name": name}})
    results = tuple(metadata_config_map(ModelKey(None, name)) for name in NAMES)
    options = Options(NAMESPACE, IMAGE, claims={TEAM: results})
    for obj in (*accounts(options), *permissions(options), *claim_objects(options)):
        answer = ome_apiserver.apply(obj)
        assert answer.accepted, answer.message
    return client


@contextmanager
def running(cluster: Cluster, image: str = IMAGE) -> Iterator[None]:
    settings = Settings(NAMESPACE, "claims", 0, gather_seconds=0.05, metadata_image=image)
    role, stop, results = StatusRole(cluster, settings), threading.Event(), list[bool]()
    thread = threading.Thread(target=lambda: results.append(role.run(stop)), daemon=True)
    thread.start()
    yield
    stop.set()
    thread.join(timeout=30)
    assert results == [True], "a watch was refused"


@pytest.fixture
def role(admin: Cluster, apiserver: ApiServer, tmp_path: Path) -> Iterator[None]:
    account = f"system:serviceaccount:{NAMESPACE}:{STATUS_ACCOUNT}"
    with running(agent_client(apiserver.endpoint, tmp_path, acting_as=account)):
        yield


@pytest.fixture
def job(apiserver: ApiServer, tmp_path: Path, admin: Cluster) -> Callable[..., str]:
    """What a Job's container does, with ``files`` in the claim."""
    folder = tmp_path / "job"
    folder.mkdir()
    client = agent_client(apiserver.endpoint, folder, acting_as=f"system:serviceaccount:{TEAM}:{ACCOUNT}")

    def run(name: str, uri: str, **files: Any) -> str:
        directory = tmp_path / f"claim-{name}"
        directory.mkdir(exist_ok=True)
        for file, content in files.items():
            (directory / f"{file}.json").write_text(content if isinstance(content, str) else json.dumps(content))
        return extract(client, MetadataTask(ModelKey(None, name), directory, NAMESPACE, uri))

    return run


def eventually(check: Callable[[], Any], expected: Any, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while (found := check()) != expected:
        assert time.monotonic() < deadline, f"{found!r} is not {expected!r}"
        time.sleep(0.05)


def add_model(cluster: Cluster, name: str, uri: str, namespace: str = "") -> None:
    resource = BASE_MODELS if namespace else CLUSTER_BASE_MODELS
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    spec = {"storage": {"storageUri": uri}}
    body = {"apiVersion": "ome.io/v1beta1", "kind": resource.kind, "metadata": metadata, "spec": spec}
    cluster.create(resource, body, namespace or None)


def add_claim(cluster: Cluster, name: str, phase: str, namespace: str = TEAM) -> None:
    spec = {"accessModes": ["ReadOnlyMany"], "resources": {"requests": {"storage": "1Gi"}}}
    if cluster.find(CLAIMS, name, namespace) is None:
        cluster.create(CLAIMS, {"metadata": {"name": name, "namespace": namespace}, "spec": spec}, namespace)
    cluster.patch(CLAIMS, name, {"status": {"phase": phase}}, namespace, subresource="status")


def status_of(cluster: Cluster, name: str, namespace: str = "") -> tuple[Any, Any, str]:
    """State, reason of ``Ready``, and which conditions hold."""
    resource: Resource = BASE_MODELS if namespace else CLUSTER_BASE_MODELS
    status = cluster.get(resource, name, namespace or None).get("status") or {}
    conditions = {each["type"]: each for each in status.get("conditions") or ()}
    holding = ",".join(sorted(name for name, each in conditions.items() if each["status"] == "True"))
    return status.get("state"), conditions.get("Ready", {}).get("reason"), holding


def message_of(cluster: Cluster, name: str) -> str:
    (ready,) = (
        each for each in cluster.get(CLUSTER_BASE_MODELS, name)["status"]["conditions"] if each["type"] == "Ready"
    )
    text: str = ready["message"]
    return text


def jobs_of(cluster: Cluster, name: str, namespace: str = TEAM) -> list[Object]:
    return list(cluster.list(JOBS, namespace, labels=f"models.ome/model-name={name}"))


@pytest.mark.usefixtures("role")
def test_a_model_on_a_claim_from_the_beginning_to_the_end(admin: Cluster, job: Callable[..., str]) -> None:
    uri = f"pvc://{TEAM}:store/models/whole"
    add_model(admin, "whole", uri)
    eventually(lambda: status_of(admin, "whole"), ("Failed", "PVCNotFound", ""))
    assert message_of(admin, "whole") == f"PVC {TEAM}/store not found"
    add_claim(admin, "store", "Pending")
    eventually(lambda: status_of(admin, "whole"), ("In_Transit", "PVCNotBound", "SourceReachable"))
    assert message_of(admin, "whole") == f"PVC {TEAM}/store is not Bound (phase: Pending)"
    assert not jobs_of(admin, "whole")
    add_claim(admin, "store", "Bound")
    eventually(lambda: status_of(admin, "whole"), ("In_Transit", "PVCMetadataExtracting", "SourceReachable"))
    (started,) = jobs_of(admin, "whole")
    (container,) = started["spec"]["template"]["spec"]["containers"]
    assert container["image"] == IMAGE
    assert container["volumeMounts"][0]["subPath"] == "models/whole"
    assert command_of([*container["command"], *container["args"]]).name == "model-metadata"
    assert started["metadata"]["ownerReferences"][0]["name"] == "whole"

    job("whole", uri, config=CONFIG)
    eventually(lambda: status_of(admin, "whole"), ("Ready", "PVCMetadataReady", "Ready,SourceReachable"))
    model = admin.get(CLUSTER_BASE_MODELS, "whole")
    assert model["spec"]["modelArchitecture"] == "LlamaForCausalLM"
    assert "nodesReady" not in model["status"]

    admin.delete(JOBS, started["metadata"]["name"], TEAM, options={"propagationPolicy": "Background"})
    time.sleep(1)
    assert not jobs_of(admin, "whole"), "a model that was read is not read again"
    admin.delete(CLUSTER_BASE_MODELS, "whole")
    eventually(lambda: admin.find(CONFIG_MAPS, metadata_config_map(ModelKey(None, "whole")), NAMESPACE), None)


@pytest.mark.usefixtures("role")
def test_a_model_that_cannot_be_read(admin: Cluster, job: Callable[..., str]) -> None:
    uri = f"pvc://{TEAM}:broken/x"
    add_claim(admin, "broken", "Bound")
    add_model(admin, "broken", uri)
    eventually(lambda: status_of(admin, "broken")[1], "PVCMetadataExtracting")
    with pytest.raises(DownloadError) as raised:
        job("broken", uri, config="{")
    assert raised.value.kind is Kind.UNSAFE
    eventually(lambda: status_of(admin, "broken"), ("Failed", "PVCMetadataExtractionFailed", "SourceReachable"))
    assert message_of(admin, "broken") == str(raised.value)
    job("broken", uri, config=CONFIG)
    eventually(lambda: status_of(admin, "broken")[0], "Ready")
    result = admin.get(CONFIG_MAPS, metadata_config_map(ModelKey(None, "broken")), NAMESPACE)
    assert LAST_ERROR not in result["metadata"]["annotations"]
    admin.delete(CLUSTER_BASE_MODELS, "broken")
    eventually(lambda: jobs_of(admin, "broken"), [])


@pytest.mark.usefixtures("role")
def test_a_model_that_moves_is_read_again(admin: Cluster, job: Callable[..., str]) -> None:
    first = f"pvc://{TEAM}:moved/first"
    add_claim(admin, "moved", "Bound")
    add_model(admin, "moved", first)
    eventually(lambda: status_of(admin, "moved")[1], "PVCMetadataExtracting")
    job("moved", first, config=CONFIG)
    eventually(lambda: status_of(admin, "moved")[0], "Ready")
    before = jobs_of(admin, "moved")[0]["metadata"]["name"]
    second = f"pvc://{TEAM}:moved/second"
    admin.patch(CLUSTER_BASE_MODELS, "moved", {"spec": {"storage": {"storageUri": second}}})
    eventually(lambda: [each["metadata"]["name"] == before for each in jobs_of(admin, "moved")], [False])
    eventually(lambda: status_of(admin, "moved")[:2], ("In_Transit", "PVCMetadataExtracting"))
    admin.patch(CLUSTER_BASE_MODELS, "moved", {"spec": {"storage": {"storageUri": "hf://a/b", "path": "/m"}}})
    eventually(lambda: jobs_of(admin, "moved"), [])
    eventually(lambda: admin.find(CONFIG_MAPS, metadata_config_map(ModelKey(None, "moved")), NAMESPACE), None)
    admin.delete(CLUSTER_BASE_MODELS, "moved")


@pytest.mark.usefixtures("role")
def test_a_job_that_gave_up(admin: Cluster) -> None:
    add_claim(admin, "given-up", "Bound")
    add_model(admin, "given-up", f"pvc://{TEAM}:given-up/x")
    eventually(lambda: len(jobs_of(admin, "given-up")), 1)
    name = jobs_of(admin, "given-up")[0]["metadata"]["name"]
    told = {"reason": "BackoffLimitExceeded", "message": "Job has reached the specified backoff limit"}
    failed = [{"type": type_, "status": "True", **told} for type_ in ("FailureTarget", "Failed")]
    patch = {"status": {"conditions": failed, "failed": 3, "startTime": "2026-01-01T00:00:00Z"}}
    admin.patch(JOBS, name, patch, TEAM, subresource="status")
    eventually(lambda: status_of(admin, "given-up")[:2], ("Failed", "PVCMetadataExtractionFailed"))
    assert message_of(admin, "given-up") == f"{told['reason']}: {told['message']}"
    admin.delete(CLUSTER_BASE_MODELS, "given-up")


@pytest.mark.usefixtures("role")
def test_where_the_role_may_start_nothing(admin: Cluster) -> None:
    add_claim(admin, "store", "Bound", ELSEWHERE)
    add_model(admin, "elsewhere", f"pvc://{ELSEWHERE}:store/x")
    eventually(lambda: status_of(admin, "elsewhere"), ("Failed", "PVCConfigMissing", ""))
    assert "omec agent manifests SRC" in message_of(admin, "elsewhere")
    admin.delete(CLUSTER_BASE_MODELS, "elsewhere")


@pytest.mark.usefixtures("role")
@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("pvc://store/x", "ClusterBaseModel PVC URI must specify a namespace"),
        ("pvc://store", 'invalid PVC storage URI "pvc://store": invalid PVC storage URI format: missing subpath'),
    ],
)
def test_uris_that_name_no_claim(admin: Cluster, uri: str, words: str) -> None:
    add_model(admin, "invalid", uri)
    eventually(lambda: status_of(admin, "invalid"), ("Failed", "PVCInvalid", ""))
    assert message_of(admin, "invalid").startswith(words)
    admin.delete(CLUSTER_BASE_MODELS, "invalid")


def test_without_an_image(admin: Cluster) -> None:
    add_claim(admin, "imageless", "Bound")
    with running(admin, image=""):
        add_model(admin, "imageless", "pvc://imageless/x", TEAM)
        eventually(lambda: status_of(admin, "imageless", TEAM), ("Failed", "PVCConfigMissing", ""))
    admin.delete(BASE_MODELS, "imageless", TEAM)


def test_a_job_may_write_its_own_results_and_nothing_else(admin: Cluster, apiserver: ApiServer, tmp_path: Path) -> None:
    client = agent_client(apiserver.endpoint, tmp_path, acting_as=f"system:serviceaccount:{TEAM}:{ACCOUNT}")
    own = {"metadata": {"name": "of-somebody", "namespace": NAMESPACE}, "data": {"a": "b"}}
    if admin.find(CONFIG_MAPS, "of-somebody", NAMESPACE) is None:
        admin.create(CONFIG_MAPS, own, NAMESPACE)
    for attempt in (
        lambda: client.get(CONFIG_MAPS, "of-somebody", NAMESPACE),
        lambda: client.patch(CONFIG_MAPS, "of-somebody", {"data": {"a": "c"}}, NAMESPACE),
        lambda: client.create(CONFIG_MAPS, {"metadata": {"name": "new", "namespace": NAMESPACE}}, NAMESPACE),
    ):
        with pytest.raises(ApiError) as raised:
            attempt()
        assert raised.value.forbidden
    with pytest.raises(DownloadError, match="the API server refuses ConfigMap") as refused:
        extract(client, MetadataTask(ModelKey(None, "not-mine"), tmp_path, NAMESPACE))
    assert refused.value.kind is Kind.REFUSED


def test_cleanup_removes_results(admin: Cluster) -> None:
    name = metadata_config_map(ModelKey(None, "cleaned"))
    labels = {"models.ome/pvc-status": "true"}
    admin.create(CONFIG_MAPS, {"metadata": {"name": name, "namespace": NAMESPACE, "labels": labels}}, NAMESPACE)
    (found,) = [each for each in removals(admin, NAMESPACE) if name in each.text]
    found.remove()
    assert admin.find(CONFIG_MAPS, name, NAMESPACE) is None
