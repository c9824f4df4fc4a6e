"""The status of InferenceServices (reference 09 B1-B3, 10 §8.7)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.runtime_agent.status.conditions import find
from omec.runtime_agent.status.exposure import Doors, exposure
from omec.runtime_agent.status.loading import model_status
from omec.runtime_agent.status.services import Parts, service_status
from omec.runtime_agent.status.workloads import component_condition, component_of, service_of

NOW, BEFORE = "2026-01-02T03:04:05Z", "2026-01-01T00:00:00Z"


def workload(status: str | None, kind: str = "Deployment", **more: str) -> dict[str, Any]:
    type_ = "Ready" if kind == "InferenceReplica" else "Available"
    condition = {"type": type_, "status": status, "lastTransitionTime": BEFORE, **more}
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": "chat-engine", "namespace": "demo"},
        "status": {"conditions": [{"type": "Progressing", "status": "True"}, condition]} if status else {},
    }


UP = workload("True", reason="MinimumReplicasAvailable", message="Deployment has minimum availability.")
DOWN = workload("False", reason="MinimumReplicasUnavailable", message="Deployment does not have minimum availability.")
NEW = workload(None)


@pytest.mark.parametrize(
    ("component", "obj", "expected"),
    [
        (
            "engine",
            UP,
            {
                "type": "EngineReady",
                "status": "True",
                "reason": "MinimumReplicasAvailable",
                "message": "Deployment has minimum availability.",
                "lastTransitionTime": BEFORE,
            },
        ),
        (
            "decoder",
            workload("False", "InferenceReplica", reason="InstanceFailed"),
            {
                "type": "DecoderReady",
                "status": "False",
                "reason": "InstanceFailed",
                "severity": "Info",
                "lastTransitionTime": BEFORE,
            },
        ),
        (
            "router",
            workload("True", "LeaderWorkerSet", reason="AllGroupsReady"),
            {
                "type": "RouterReady",
                "status": "True",
                "reason": "AllGroupsReady",
                "severity": "Info",
                "lastTransitionTime": BEFORE,
            },
        ),
        (
            "engine",
            NEW,
            {
                "type": "EngineReady",
                "status": "Unknown",
                "reason": "NotObserved",
                "message": "Deployment has no status yet",
            },
        ),
    ],
)
def test_components_follow_their_workload(component: str, obj: dict[str, Any], expected: dict[str, Any]) -> None:
    assert component_condition(component, obj) == expected


@pytest.mark.parametrize(
    ("labels", "service", "component"),
    [
        ({"ome.io/inferenceservice": "chat", "component": "engine"}, ("demo", "chat"), "engine"),
        ({"ome.io/inferenceservice": "chat-engine", "omec.io/inferenceservice": "chat"}, ("demo", "chat"), None),
        ({"component": "external-service", "ome.io/inferenceservice": "chat"}, ("demo", "chat"), None),
        ({"app": "x"}, None, None),
        (None, None, None),
    ],
)
def test_what_belongs_to_what(labels: dict[str, str] | None, service: Any, component: str | None) -> None:
    obj = {"metadata": {"name": "x", "namespace": "demo", "labels": labels}}
    assert (service_of(obj), component_of(obj)) == (service, component)


def service(name: str, port: int = 8080) -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": "demo"}, "spec": {"ports": [{"port": port}]}}


def route(*conditions: dict[str, Any], path: str = "/demo/chat/") -> dict[str, Any]:
    spec = {"hostnames": ["llm.example.com"], "rules": [{"matches": [{"path": {"value": path}}]}]}
    return {"spec": spec, "status": {"parents": [{"conditions": list(conditions)}] if conditions else []}}


ACCEPTED = {"type": "Accepted", "status": "True"}
REFUSED = {"type": "Accepted", "status": "False", "reason": "NotAllowedByListeners", "message": "No listeners"}
INGRESS = {"spec": {"rules": [{"host": "chat.demo.example.com"}]}}
INNER = {"chat-engine": service("chat-engine")}


@pytest.mark.parametrize(
    ("doors", "ready", "status", "reason", "message", "url", "address"),
    [
        (
            Doors({"chat": service("chat")}),
            {"engine": True},
            "True",
            "IngressDisabled",
            "Ingress creation is disabled, using external service for access",
            "http://chat.demo.svc.cluster.local:8080",
            "http://chat.demo.svc.cluster.local:8080",
        ),
        (
            Doors(INNER),
            {"engine": True},
            "True",
            "IngressDisabled",
            "Ingress creation is disabled, using external service for access",
            None,
            None,
        ),
        (
            Doors(INNER, INGRESS),
            {"engine": True},
            "True",
            None,
            None,
            "http://chat.demo.example.com:8080",
            "http://chat-engine.demo.svc.cluster.local:8080",
        ),
        (
            Doors(INNER, INGRESS),
            {"engine": False},
            "False",
            "ComponentNotReady",
            "Target service not ready for ingress creation",
            None,
            None,
        ),
        (
            Doors(INNER, INGRESS),
            {"engine": True, "decoder": True, "router": False},
            "False",
            "ComponentNotReady",
            "Target service not ready for ingress creation",
            None,
            None,
        ),
        (
            Doors(INNER, routes={"chat": route(ACCEPTED), "chat-engine": route(ACCEPTED)}),
            {"engine": True},
            "True",
            None,
            None,
            "http://llm.example.com/demo/chat/",
            "http://chat-engine.demo.svc.cluster.local",
        ),
        (
            Doors(INNER, routes={"chat": route(ACCEPTED, path="/")}),
            {"engine": True},
            "True",
            None,
            None,
            "http://llm.example.com/",
            "http://chat-engine.demo.svc.cluster.local",
        ),
        (
            Doors(INNER, routes={"chat": route(ACCEPTED), "chat-engine": route(ACCEPTED)}),
            {"engine": False},
            "False",
            "ComponentNotReady",
            "engine component not ready for HTTPRoute creation",
            None,
            None,
        ),
        (
            Doors(INNER, routes={"chat": route(), "chat-engine": route(ACCEPTED)}),
            {"engine": True},
            "False",
            "ParentStatusNotAvailable",
            "toplevel HTTPRoute awaiting gateway programming",
            None,
            None,
        ),
        (
            Doors(INNER, routes={"chat-engine": route(REFUSED)}),
            {"engine": True},
            "False",
            "NotAllowedByListeners",
            "Engine No listeners",
            None,
            None,
        ),
    ],
)
def test_exposure(
    doors: Doors,
    ready: dict[str, bool],
    status: str,
    reason: str | None,
    message: str | None,
    url: str | None,
    address: str | None,
) -> None:
    """The rows of reference 09 B1.1 and the vectors of 10 §8.7."""
    found = exposure("demo", "chat", doors, ready)
    assert (found.ready["status"], found.ready.get("reason"), found.ready.get("message")) == (status, reason, message)
    assert (found.url, found.address) == (url, address)


def pod(name: str = "a", **status: Any) -> dict[str, Any]:
    return {"metadata": {"name": name}, "status": status}


def container(name: str = "ome-container", last: dict[str, Any] | None = None, **state: Any) -> dict[str, Any]:
    return {"name": name, "state": state, **({"lastState": {"terminated": last}} if last else {})}


ENDED = {"reason": "Error", "message": "out of memory", "exitCode": 137}
LOOPING = {"reason": "CrashLoopBackOff"}


@pytest.mark.parametrize(
    ("pods", "ready", "target", "transition"),
    [
        ([], False, "Pending", "InProgress"),
        ([], True, "Pending", "InProgress"),
        ([pod()], True, "Loaded", "UpToDate"),
        ([pod()], False, "Pending", "InProgress"),
        ([pod(initContainerStatuses=[container("storage-initializer", running={})])], False, "Loading", "InProgress"),
        (
            [pod(initContainerStatuses=[container("storage-initializer", terminated=ENDED)])],
            False,
            "FailedToLoad",
            "BlockedByFailedLoad",
        ),
        ([pod(containerStatuses=[container(terminated=ENDED)])], False, "FailedToLoad", "BlockedByFailedLoad"),
        (
            [pod(containerStatuses=[container(last=ENDED, waiting=LOOPING)])],
            False,
            "FailedToLoad",
            "BlockedByFailedLoad",
        ),
        ([pod(containerStatuses=[container(waiting=LOOPING)])], False, "Pending", "InProgress"),
        ([pod(containerStatuses=[container(running={})])], False, "Pending", "InProgress"),
        ([pod(containerStatuses=[container(terminated={"reason": "Completed"})])], False, "Pending", "InProgress"),
        ([pod("b", containerStatuses=[container(terminated=ENDED)]), pod("a")], False, "Pending", "InProgress"),
    ],
)
def test_model_status(pods: list[dict[str, Any]], ready: bool, target: str, transition: str) -> None:
    found = model_status(pods, ready=ready)
    assert found["modelRevisionStates"]["targetModelState"] == target
    assert found["transitionStatus"] == transition
    if target == "FailedToLoad":
        assert found["lastFailureInfo"] == {"reason": "ModelLoadFailed", "message": "out of memory", "exitCode": 137}
    if target == "Loaded":
        assert found["modelCopies"] == {"totalCopies": len(pods)}


def parts(engine: dict[str, Any] | None, doors: Doors | None = None, **others: dict[str, Any]) -> Parts:
    workloads = ({"engine": engine} if engine else {}) | others
    return Parts("demo", "chat", workloads, doors or Doors())


@pytest.mark.parametrize(
    ("given", "ready", "reason"),
    [
        (parts(UP), "True", None),
        (parts(DOWN), "False", "MinimumReplicasUnavailable"),
        (parts(NEW), "Unknown", "NotObserved"),
        (parts(UP, Doors(routes={"chat": route()})), "False", "ParentStatusNotAvailable"),
        (parts(NEW, Doors(routes={"chat": route()})), "False", "ComponentNotReady"),
        (parts(UP, Doors(routes={"chat": route(ACCEPTED)}), router=DOWN), "False", "ComponentNotReady"),
        (parts(UP, decoder=DOWN), "True", None),
        (parts(UP, router=DOWN), "True", None),
        (parts(None), "False", "NoDeployments"),
    ],
)
def test_ready_hangs_on_engine_and_ingress_alone(given: Parts, ready: str, reason: str | None) -> None:
    condition = find(service_status(given, None, None, NOW)["conditions"], "Ready")
    assert condition is not None
    assert (condition["status"], condition.get("reason")) == (ready, reason)


def test_conditions_of_others_stay_and_times_change_with_the_status_only() -> None:
    former = {
        "conditions": [
            {"type": "RuntimeReady", "status": "True", "lastTransitionTime": BEFORE},
            {"type": "Ready", "status": "True", "lastTransitionTime": BEFORE},
            {"type": "IngressReady", "status": "False", "lastTransitionTime": BEFORE},
        ]
    }
    conditions = service_status(parts(UP), None, former, NOW)["conditions"]
    assert [each["type"] for each in conditions] == ["EngineReady", "IngressReady", "Ready", "RuntimeReady"]
    assert [each["lastTransitionTime"] for each in conditions] == [BEFORE, NOW, BEFORE, BEFORE]


def test_the_object_s_generation_and_model_decide_what_is_written() -> None:
    plain = {"metadata": {"generation": 7}, "spec": {}}
    assert "modelStatus" not in service_status(parts(UP), plain, None, NOW)
    with_model = {"metadata": {"generation": 7}, "spec": {"model": {"name": "m"}}}
    status = service_status(parts(UP), with_model, None, NOW)
    assert status["observedGeneration"] == 7
    assert status["modelStatus"]["transitionStatus"] == "InProgress"
    assert status["components"] == {
        "engine": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "chat-engine"}}
    }
