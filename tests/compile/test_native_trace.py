"""From fields of replicas and LeaderWorkerSets back to what says them."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.native.templates import set_template_errors, template_errors
from omec.compile.native.trace import native_place
from omec.compile.problems import Origin, Place
from omec.compile.validate import Validator
from omec.compile.workload import Workload
from omec.finding import FieldPath, field_text
from tests.compile.native_cases import native, workload
from tests.compile.rendering import RUNNER, Object

CONFIG: Object = {
    "leader": {"runner": {**RUNNER, "args": ["a", "b"]}},
    "worker": {"size": 2, "runner": RUNNER, "nodeSelector": {"pool": "b"}},
    "tolerations": [{"key": "gpu", "operator": "Exists"}],
    "lifecycle": {"readyPolicy": "AllPodReady"},
    "volumes": [{"name": "v", "emptyDir": {}}],
}
ENGINE: Object = {
    "minReplicas": 2,
    "labels": {"own": "x"},
    "lifecycle": {"minReadySeconds": 5},
    "topologyKey": "clique",
    "autoscaler": {"class": "None"},
}
MODEL = {"storage": {"storageUri": "hf://example/llama", "path": "/models/llama"}}
TEMPLATE = ("spec", "runners", 0, "template")
WORKER = ("spec", "runners", 1, "template")


def both() -> dict[str, Workload]:
    given = native(
        {"engine": ENGINE, "rollout": {"pairingProtocol": "v1"}},
        {"engineConfig": CONFIG},
        model=MODEL,
        labels={"team": "a"},
        annotations={"ome.io/rollout-paused": "true"},
    )
    return {platform: workload(given, platform=platform) for platform in ("ome", "kubernetes")}


def place(platform: str, path: FieldPath, *, of_service: bool = False) -> Place:
    found = both()[platform]
    return native_place(found.service if of_service else found.body, path, found.component, found.pods)


def service(*steps: Any) -> Place:
    return Place(Origin.SERVICE, steps)


def runtime(*steps: Any) -> Place:
    return Place(Origin.RUNTIME, ("spec", "engineConfig", *steps))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("metadata", "name"), service("metadata", "name")),
        (("metadata", "labels", "team"), service("metadata", "labels", "team")),
        (("metadata", "labels", "own"), service("spec", "engine", "labels", "own")),
        (("metadata", "labels", "serving-runtime"), Place(Origin.RUNTIME, ("metadata", "name"))),
        (("spec", "replicas"), service("spec", "engine", "minReplicas")),
        (("spec", "minReadySeconds"), service("spec", "engine", "lifecycle", "minReadySeconds")),
        (("spec", "lifecycle", "readyPolicy"), runtime("lifecycle", "readyPolicy")),
        (("spec", "topologyKey"), service("spec", "engine", "topologyKey")),
        (("spec", "autoscaler", "class"), service("spec", "engine", "autoscaler", "class")),
        (("spec", "paused"), service("metadata", "annotations", "ome.io/rollout-paused")),
        (("spec", "pairingProtocol"), service("spec", "rollout", "pairingProtocol")),
        (("spec", "runners", 1, "size"), runtime("worker", "size")),
        ((*TEMPLATE, "metadata", "labels", "own"), service("spec", "engine", "labels", "own")),
        ((*TEMPLATE, "spec", "containers", 0, "args", 1), runtime("leader", "runner", "args", 1)),
        ((*TEMPLATE, "spec", "tolerations", 0, "key"), runtime("tolerations", 0, "key")),
        ((*TEMPLATE, "spec", "volumes", 0, "emptyDir"), runtime("volumes", ("name", "v"), "emptyDir")),
        ((*TEMPLATE, "spec", "volumes", 1, "hostPath"), Place(Origin.MODEL, ("spec", "storage"))),
        ((*WORKER, "spec", "nodeSelector", "pool"), runtime("worker", "nodeSelector", "pool")),
        ((*WORKER, "spec", "containers", 0, "image"), runtime("worker", "runner", "image")),
    ],
)
def test_replica(path: FieldPath, expected: Place) -> None:
    assert place("ome", path) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("spec", "leaderWorkerTemplate", "size"), runtime("worker", "size")),
        (
            ("spec", "leaderWorkerTemplate", "leaderTemplate", "spec", "containers", 0, "args", 1),
            runtime("leader", "runner", "args", 1),
        ),
        (
            ("spec", "leaderWorkerTemplate", "workerTemplate", "spec", "nodeSelector", "pool"),
            runtime("worker", "nodeSelector", "pool"),
        ),
        (("spec", "rolloutStrategy", "type"), service("spec", "engine", "lifecycle")),
        (("spec", "startupPolicy"), service("metadata", "name")),
    ],
)
def test_group(path: FieldPath, expected: Place) -> None:
    assert place("kubernetes", path) == expected


def test_service_ports() -> None:
    found = place("ome", ("spec", "ports", 0, "port"), of_service=True)
    assert found == runtime("leader", "runner")


def test_refused_label() -> None:
    """The API server names the value of a label that it refuses, not its key."""
    given = native({"engine": {"labels": {"own": "not valid!"}}})
    found = workload(given)
    (error,) = template_errors(found.body, Validator())
    assert native_place(found.body, error.path, found.component, found.pods) == service(
        "spec", "engine", "labels", "own"
    )


@pytest.mark.parametrize("platform", ["ome", "kubernetes"])
def test_refused_pod(platform: str) -> None:
    worker = {**RUNNER, "ports": [{"containerPort": 70000}]}
    given = native(runtime={"engineConfig": {"leader": {"runner": RUNNER}, "worker": {"runner": worker}}})
    found = workload(given, platform=platform)
    check = template_errors if platform == "ome" else set_template_errors
    (error,) = check(found.body, Validator())
    assert error.message.startswith(f"{field_text(error.path)}: ")
    assert native_place(found.body, error.path, found.component, found.pods) == runtime(
        "worker", "runner", "ports", ("containerPort", 70000), "containerPort"
    )
