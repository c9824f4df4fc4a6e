"""What ``omec doctor`` concludes."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from omec.api.crd import custom_resource_definition
from omec.api.kinds import KINDS
from omec.runtime_agent.doctor.definitions import definition_lines, missing_fields
from omec.runtime_agent.doctor.parts import part_lines, version_of
from omec.runtime_agent.doctor.report import Line
from omec.runtime_agent.doctor.services import service_lines

Object = dict[str, Any]


def told(lines: Any) -> list[tuple[str, str]]:
    """Label and text of problems."""
    return [(line.rule.code, line.text) for line in lines if line.rule]


def definitions() -> dict[str, Object]:
    return {(crd := custom_resource_definition(kind))["metadata"]["name"]: copy.deepcopy(crd) for kind in KINDS}


def test_omec_s_own_definitions_are_new_enough() -> None:
    lines = list(definition_lines(definitions()))
    assert lines == [Line(f"definitions: {len(KINDS)} kinds of ome.io as of OME 1.3")]


def test_a_kind_that_is_missing_is_an_error_where_every_installation_has_it() -> None:
    live = definitions()
    del live["basemodels.ome.io"]
    del live["servingruntimes.ome.io"]
    del live["trafficmaps.ome.io"]
    lines = list(definition_lines(live))
    assert told(lines) == [("OME765", "ome.io has no BaseModel, ServingRuntime")]
    assert lines[-1] == Line("definitions of optional kinds: none of TrafficMap", level="-")


def test_fields_that_an_older_definition_lacks_are_named() -> None:
    live = definitions()
    schema = live["inferenceservices.ome.io"]["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    for name in ("deploymentMode", "rollout", "replicaRefs", "traffic"):
        del schema["properties"]["spec"]["properties"][name]
    ((code, text),) = told(definition_lines(live))
    assert code == "OME766"
    assert text.startswith("the definition of InferenceService has no spec.")
    assert text.endswith(" and 1 more")


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        (lambda version: version.update(name="v1alpha1"), ["version v1beta1"]),
        (lambda version: version.update(served=False), ["version v1beta1"]),
        (lambda version: version.pop("subresources"), ["subresource status"]),
        (
            lambda version: version["schema"]["openAPIV3Schema"]["properties"].update(
                spec={"type": "object", "x-kubernetes-preserve-unknown-fields": True}
            ),
            [],
        ),
    ],
)
def test_versions_and_open_schemas(change: Any, missing: list[str]) -> None:
    wanted = custom_resource_definition("BaseModel")
    found = copy.deepcopy(wanted)
    change(found["spec"]["versions"][0])
    assert missing_fields(wanted, found) == missing


def part(name: str, available: int, wanted: int = 1, image: str = "registry.example.com:5000/ome/x:v1.3.0") -> Object:
    is_daemon_set = name in ("ome-model-agent-daemonset", "omec-agent-node")
    counts = (
        {"desiredNumberScheduled": wanted, "numberAvailable": available}
        if is_daemon_set
        else {"availableReplicas": available}
    )
    return {
        "kind": "DaemonSet" if is_daemon_set else "Deployment",
        "metadata": {"name": name, "namespace": "ome"},
        "spec": {"replicas": wanted, "template": {"spec": {"containers": [{"image": image}]}}},
        "status": counts,
    }


MODEL = {"metadata": {"name": "llama"}, "spec": {"storage": {"storageUri": "hf://a/b"}}}
ON_CLAIM = {"metadata": {"name": "claimed"}, "spec": {"storage": {"storageUri": "pvc://ns:claim/x"}}}


@pytest.mark.parametrize(
    ("workloads", "models", "problems"),
    [
        ([], [], []),
        ([], [ON_CLAIM], []),
        ([], [MODEL], [("OME768", "1 model to download, such as llama, and no agent")]),
        ([part("omec-agent-node", 3, 3), part("omec-agent-status", 2, 2)], [MODEL], []),
        ([part("ome-controller-manager", 1), part("ome-model-agent-daemonset", 1)], [MODEL], []),
        (
            [part("ome-controller-manager", 1), part("omec-agent-node", 1)],
            [MODEL],
            [("OME767", "OME's manager and omec's node role are in one cluster")],
        ),
        (
            [part("omec-agent-node", 2, 3)],
            [MODEL],
            [("OME771", "omec's node role: v1.3.0, 2 of 3 available (DaemonSet ome/omec-agent-node)")],
        ),
    ],
)
def test_parts(workloads: list[Object], models: list[Object], problems: list[tuple[str, str]]) -> None:
    assert told(part_lines(workloads, models)) == problems


@pytest.mark.parametrize(
    ("image", "version"),
    [
        ("a/b:v1.3.0", "v1.3.0"),
        ("host:5000/a/b:v1.3.0@sha256:abc", "v1.3.0"),
        ("host:5000/a/b", "version unknown"),
        ("a@sha256:abc", "version unknown"),
    ],
)
def test_versions(image: str, version: str) -> None:
    assert version_of(part("ome-controller-manager", 1, image=image)) == version


SERVICE = {"metadata": {"name": "chat", "namespace": "demo"}}
LABELS = {"ome.io/inferenceservice": "chat"}
COMPILED = {"kind": "Deployment", "metadata": {"name": "chat-engine", "namespace": "demo", "labels": LABELS}}
OWNED = {
    "kind": "Deployment",
    "metadata": COMPILED["metadata"]
    | {"ownerReferences": [{"apiVersion": "ome.io/v1beta1", "kind": "InferenceService"}]},
}


@pytest.mark.parametrize(
    ("services", "workloads", "manager_runs", "problems"),
    [
        ([SERVICE], [OWNED], True, []),
        ([], [COMPILED], True, []),
        ([SERVICE], [COMPILED], False, []),
        ([SERVICE], [], True, []),
        (
            [SERVICE],
            [COMPILED],
            True,
            [
                (
                    "OME769",
                    "InferenceService demo/chat: OME's manager renders it, "
                    "and Deployment demo/chat-engine was compiled from it",
                )
            ],
        ),
        ([SERVICE], [], False, [("OME770", "InferenceService demo/chat: nothing is rendered from it")]),
    ],
)
def test_who_renders_a_service(
    services: list[Object], workloads: list[Object], manager_runs: bool, problems: list[tuple[str, str]]
) -> None:
    assert told(service_lines(services, workloads, manager_runs=manager_runs)) == problems
