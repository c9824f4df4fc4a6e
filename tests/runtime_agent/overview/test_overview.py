"""The tables of ``omec status``."""

from __future__ import annotations

import json
from typing import Any

import pytest

from omec.runtime_agent.overview.models import model_rows
from omec.runtime_agent.overview.services import service_rows
from omec.runtime_agent.overview.snapshot import Snapshot
from omec.runtime_agent.overview.tables import model_table, service_table

NOW = "2026-01-02T03:04:05Z"


def model(
    name: str = "llama",
    uri: str = "hf://a/b",
    state: str | None = "In_Transit",
    namespace: str | None = None,
    *,
    deleted: bool = False,
    conditions: list[dict[str, str]] | None = None,
    **spec: Any,
) -> dict[str, Any]:
    storage = {"storageUri": uri, "path": "/m", **spec.pop("storage", {})}
    metadata: dict[str, Any] = {"name": name}
    metadata |= {"namespace": namespace} if namespace else {}
    metadata |= {"deletionTimestamp": NOW} if deleted else {}
    status = {"state": state, "conditions": conditions or []} if state else {}
    kind = "BaseModel" if namespace else "ClusterBaseModel"
    return {"kind": kind, "metadata": metadata, "spec": {"storage": storage, **spec}, "status": status}


def entry(status: str, done: int = 0, total: int = 0) -> str:
    progress = {"progress": {"phase": "downloading", "completedBytes": done, "totalBytes": total}} if total else {}
    return json.dumps({"name": "llama", "status": status, **progress})


def snapshot(models: list[dict[str, Any]], entries: dict[str, str | None] | None = None, **more: Any) -> Snapshot:
    """Nodes with their entry of ClusterBaseModel llama; ``None`` is a node without an agent."""
    given = entries or {}
    reports = {
        node: {"clusterbasemodel.llama": text} if text else {} for node, text in given.items() if text is not None
    }
    return Snapshot(models=models, reports=reports, nodes={node: {"gpu": node} for node in given}, **more)


@pytest.mark.parametrize(
    ("given", "entries", "state", "nodes", "waits_for"),
    [
        (model(state="Ready"), {"n1": entry("Ready")}, "Ready", {"n1": "ready"}, ""),
        (
            model(),
            {"n1": entry("Updating", 43, 100)},
            "In_Transit",
            {"n1": "43%"},
            "the download on n1 (43%)",
        ),
        (model(), {"n1": entry("Updating")}, "In_Transit", {"n1": "updating"}, "the download on n1"),
        (model(state=None), {"n1": None}, "In_Transit", {"n1": "-"}, "an agent on n1"),
        (model(), {"n1": ""}, "In_Transit", {"n1": "-"}, "its turn on n1"),
        (
            model(state="Ready"),
            {"n1": entry("Ready"), "n2": entry("Failed"), "n3": "broken"},
            "Ready",
            {"n1": "ready", "n2": "failed", "n3": "unreadable"},
            "a repair: failed on n2, n3",
        ),
        (
            model(state=None),
            {f"n{number}": None for number in range(5)},
            "In_Transit",
            {f"n{number}": "-" for number in range(5)},
            "an agent on 5 nodes (n0, …)",
        ),
        (
            model(storage={"nodeSelector": {"gpu": "n2"}}),
            {"n1": "", "n2": entry("Updating")},
            "In_Transit",
            {"n2": "updating"},
            "the download on n2",
        ),
        (model(storage={"nodeSelector": {"gpu": "x"}}), {"n1": ""}, "In_Transit", {}, "a node that it selects"),
        (
            model(uri="s3://bucket/x"),
            {"n1": ""},
            "In_Transit",
            {"n1": "-"},
            "somebody who downloads s3:// (no agent does)",
        ),
        (model(disabled=True), {"n1": ""}, "In_Transit", {"n1": "-"}, "nothing: it is disabled"),
        (model(deleted=True), {"n1": entry("Ready")}, "Deleting", {"n1": "ready"}, "the files on n1"),
        (
            model(
                uri="pvc://ns:claim/x",
                conditions=[{"type": "Ready", "status": "False", "message": "PVC ns/claim not found"}],
            ),
            {"n1": ""},
            "In_Transit",
            {},
            "PVC ns/claim not found",
        ),
    ],
)
def test_models(
    given: dict[str, Any], entries: dict[str, str | None], state: str, nodes: dict[str, str], waits_for: str
) -> None:
    (row,) = model_rows(snapshot([given], entries))
    assert (row.state, row.nodes, row.waits_for) == (state, nodes, waits_for)


def test_models_without_the_right_to_see_nodes() -> None:
    """The reports are what is known then."""
    (row,) = model_rows(
        Snapshot(models=[model()], reports={"n1": {"clusterbasemodel.llama": entry("Ready")}}, unread={"nodes": "no"})
    )
    assert row.nodes == {"n1": "ready"}


def workload(component: str = "engine", status: str | None = "True", ready: int = 1) -> dict[str, Any]:
    labels = {"ome.io/inferenceservice": "chat", "component": component, "base-model-name": "llama"}
    condition = {"type": "Available", "status": status, "message": "too few replicas"}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": f"chat-{component}", "namespace": "demo", "labels": labels},
        "spec": {"replicas": 1},
        "status": {"readyReplicas": ready, "conditions": [condition] if status else []},
    }


def pod(**status: Any) -> dict[str, Any]:
    labels = {"ome.io/inferenceservice": "chat", "component": "engine"}
    return {"kind": "Pod", "metadata": {"name": "chat-0", "namespace": "demo", "labels": labels}, "status": status}


def container(reason: str, exit_code: int | None = None) -> list[dict[str, Any]]:
    last = {} if exit_code is None else {"lastState": {"terminated": {"exitCode": exit_code}}}
    return [{"name": "ome-container", "state": {"waiting": {"reason": reason}}, **last}]


UNSCHEDULABLE = [{"type": "PodScheduled", "status": "False", "message": "0/3 nodes are available: 3 Insufficient gpu."}]
SERVICE = {
    "kind": "InferenceService",
    "metadata": {"name": "chat", "namespace": "demo"},
    "spec": {"model": {"name": "llama"}},
}
READY_MODEL = model(state="Ready")


@pytest.mark.parametrize(
    ("more", "models", "ready", "waits_for"),
    [
        ({"workloads": [workload()]}, [READY_MODEL], "True", ""),
        ({"workloads": [workload()], "services": [SERVICE]}, [READY_MODEL], "True", ""),
        (
            {"workloads": [workload(status="False", ready=0)]},
            [model()],
            "False",
            "ClusterBaseModel llama: a node that it selects",
        ),
        ({"workloads": [workload(status="False")]}, [], "False", "a model llama: there is none"),
        ({"services": [SERVICE]}, [READY_MODEL], "Unknown", "a workload: nothing is rendered from it"),
        (
            {"workloads": [workload(status="False")], "pods": [pod(conditions=UNSCHEDULABLE)]},
            [READY_MODEL],
            "False",
            "pod chat-0: 0/3 nodes are available: 3 Insufficient gpu.",
        ),
        (
            {
                "workloads": [workload(status="False")],
                "pods": [pod(containerStatuses=container("CrashLoopBackOff", 1))],
            },
            [READY_MODEL],
            "False",
            "pod chat-0: ome-container is in CrashLoopBackOff (exit code 1)",
        ),
        (
            {"workloads": [workload(status="False")], "pods": [pod(containerStatuses=container("ContainerCreating"))]},
            [READY_MODEL],
            "False",
            "too few replicas",
        ),
    ],
)
def test_services(more: dict[str, Any], models: list[dict[str, Any]], ready: str, waits_for: str) -> None:
    given = snapshot(models, {"n1": entry("Ready")} if models == [READY_MODEL] else {}, **more)
    if models and models[0] is not READY_MODEL:
        given.nodes = {"n9": {}}
        models[0]["spec"]["storage"]["nodeSelector"] = {"gpu": "none"}
    (row,) = service_rows(given, model_rows(given))
    assert (row.title, row.ready, row.waits_for) == ("demo/chat", ready, waits_for)


def test_the_tables() -> None:
    given = snapshot(
        [model(state="Ready"), model("qwen", namespace="team-a", uri="s3://b/q")],
        {"gpu-1": entry("Ready"), "gpu-2": entry("Updating", 1, 2)},
        workloads=[workload(), workload("router", "False", 0)],
    )
    models = model_rows(given)
    assert model_table(models, 200) == (
        "MODEL                    STATE        READY   GPU-1   GPU-2   WAITS FOR\n"
        "ClusterBaseModel llama   Ready        1/2     ready   50%     the download on gpu-2 (50%)\n"
        "BaseModel team-a/qwen    In_Transit   0/2     -       -       somebody who downloads s3:// (no agent does)\n"
    )
    assert service_table(service_rows(given, models), 200) == (
        "INFERENCESERVICE   READY   ENGINE   ROUTER   MODEL                    WAITS FOR\n"
        "demo/chat          True    1/1      0/1      ClusterBaseModel llama   -\n"
    )


def test_many_nodes_are_counted() -> None:
    given = snapshot([model(state="Ready")], {f"gpu-{number}": entry("Ready") for number in range(7)})
    assert model_table(model_rows(given), 200).splitlines()[0] == "MODEL                    STATE   READY   WAITS FOR"
