"""Components of mode MultiNode: the vectors of reference 05 §14."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from omec.compile.layout import OutputObject
from omec.compile.native.shared_leaders import shared_leaders
from omec.compile.native.templates import set_template_errors
from omec.compile.problems import Origin, Place, RenderError
from omec.compile.validate import Validator
from omec.compile.workload import Workload
from tests.compile.crd_schemas import crd_errors
from tests.compile.native_cases import only, set_workload, slugs
from tests.compile.rendering import RUNNER, Object, inputs
from tests.oracle.objects import catalog_of

MODE = {"ome.io/deploymentMode": "MultiNode"}
PROMETHEUS = {"prometheus.io/path": "/metrics", "prometheus.io/port": "8080", "prometheus.io/scrape": "true"}


def rendered(
    engine: Object | None = None,
    *,
    leader: Object = RUNNER,
    worker: Object = RUNNER,
    metadata: bool = False,
    **more: Any,
) -> Workload:
    spec = {"engine": {"annotations": MODE, "leader": {}, "worker": {}, **(engine or {})}}
    runtime = {"engineConfig": {"leader": {"runner": leader}, "worker": {"runner": worker}}}
    given = inputs(spec, runtime, **more)
    return set_workload(replace(given, metadata=metadata))


def templates(found: Workload) -> tuple[Object, Object]:
    group = found.body["spec"]["leaderWorkerTemplate"]
    return group["leaderTemplate"], group["workerTemplate"]


@pytest.mark.parametrize(
    ("workers", "minimum", "replicas", "size"), [(2, None, 1, 3), (3, 2, 2, 4), (4, 5, 5, 5), (None, 0, 0, 2)]
)
def test_counts(workers: int | None, minimum: int | None, replicas: int, size: int) -> None:
    engine: Object = {"worker": {} if workers is None else {"size": workers}}
    engine |= {} if minimum is None else {"minReplicas": minimum}
    spec = rendered(engine).body["spec"]
    assert (spec["replicas"], spec["leaderWorkerTemplate"]["size"]) == (replicas, size)


def test_prometheus_scrapes_leaders() -> None:
    leader, worker = templates(rendered({"annotations": {**MODE, **PROMETHEUS}}))
    assert PROMETHEUS.items() <= leader["metadata"]["annotations"].items()
    assert not [key for key in worker["metadata"]["annotations"] if key.startswith("prometheus.io/")]


def test_fixed_fields() -> None:
    spec = rendered().body["spec"]
    assert spec["startupPolicy"] == "LeaderCreated"
    assert spec["networkConfig"] == {"subdomainPolicy": "Shared"}
    assert spec["rolloutStrategy"] == {
        "type": "RollingUpdate",
        "rollingUpdateConfiguration": {"maxUnavailable": 1, "maxSurge": 1},
    }
    assert spec["leaderWorkerTemplate"]["restartPolicy"] == "RecreateGroupOnPodRestart"


def test_labels() -> None:
    found = rendered(labels={"team": "a"})
    leader, worker = templates(found)
    own = {
        "team": "a",
        "ome.io/inferenceservice": "chat",
        "component": "engine",
        "serving-runtime": "rt",
        "fine-tuned-serving": "false",
    }
    assert found.body["metadata"]["labels"] == worker["metadata"]["labels"] == own
    assert leader["metadata"]["labels"] == {**own, "app": "chat-engine", "ray.io/node-type": "head"}
    assert found.service["metadata"]["labels"] == own


@pytest.mark.parametrize(
    ("annotations", "queues"),
    [
        ({"ome.io/volcano-queue": "v", "ome.io/dedicated-ai-cluster": "d"}, {"volcano.sh/queue-name": "v"}),
        ({"ome.io/dedicated-ai-cluster": "d"}, {"volcano.sh/queue-name": "d"}),
        (
            {"ome.io/dedicated-ai-cluster": "d", "kueue-enabled": "false"},
            {
                "kueue.x-k8s.io/queue-name": "d",
                "kueue.x-k8s.io/priority-class": "kueue-scheduling-high-priority",
            },
        ),
        ({}, {}),
    ],
)
def test_queues(annotations: Object, queues: Object) -> None:
    found = rendered({"annotations": {**MODE, **annotations}})
    for template in templates(found):
        labels = template["metadata"]["labels"]
        assert {key: value for key, value in labels.items() if "queue" in key or "priority" in key} == queues
    assert not [key for key in found.body["metadata"]["labels"] if "queue" in key]


def test_pod_defaults() -> None:
    init = {"name": "init", "image": "example.com/init:1"}
    leader, worker = templates(rendered({"leader": {"initContainers": [init]}}))
    for pod in (leader["spec"], worker["spec"]):
        (container,) = pod.pop("containers")
        assert container == {
            **RUNNER,
            "imagePullPolicy": "IfNotPresent",
            "terminationMessagePath": "/dev/termination-log",
            "terminationMessagePolicy": "File",
        }
        assert pod.pop("initContainers", [init]) == [init]
        assert pod == {
            "dnsPolicy": "ClusterFirst",
            "restartPolicy": "Always",
            "schedulerName": "default-scheduler",
            "securityContext": {},
            "terminationGracePeriodSeconds": 30,
        }


@pytest.mark.parametrize(
    ("metadata", "selector"),
    [(False, {"ray.io/node-type": "head"}), (True, {"ray.io/node-type": "head", "app": "chat-engine"})],
)
def test_service(metadata: bool, selector: Object) -> None:
    """OME sends the requests of a Service to the leaders of the whole namespace."""
    found = rendered(metadata=metadata, leader={**RUNNER, "ports": [{"containerPort": 8000, "name": "http"}]})
    spec = found.service["spec"]
    assert spec["selector"] == selector
    assert spec["ports"] == [{"name": "http", "port": 8000, "targetPort": 8000, "protocol": "TCP"}]
    assert spec["selector"].items() <= templates(found)[0]["metadata"]["labels"].items()
    assert found.scale_target is None


def test_shared_leaders() -> None:
    first, second = rendered().service, rendered(name="other").service
    elsewhere = {**second, "metadata": {**second["metadata"], "namespace": "dev"}}
    found = shared_leaders(map(output, [first, second, elsewhere]))
    assert [finding.message for finding in found] == [
        "Service chat-engine goes to the leaders of other-engine as well",
        "Service other-engine goes to the leaders of chat-engine as well",
    ]
    assert shared_leaders(map(output, [first, elsewhere])) == []
    assert shared_leaders(map(output, [first, rendered(name="other", metadata=True).service])) == []


def output(body: Object) -> OutputObject:
    owner = {"kind": "InferenceService", "metadata": {"name": "chat", "namespace": "prod"}, "spec": {}}
    (resource,) = catalog_of([owner]).of_kind("InferenceService")
    return OutputObject(body, resource)


def test_deprecated() -> None:
    problem = only(rendered().problems, "multi-node-deprecated")
    assert problem.place == Place(Origin.SERVICE, ("spec", "engine", "annotations", "ome.io/deploymentMode"))


@pytest.mark.parametrize(
    ("name", "help_"),
    [
        ("OME_LEADER_ADDRESS", "write $(LWS_LEADER_ADDRESS)"),
        ("OME_RUNNER", "set it in env, or use platform ome with mode OMENative"),
        ("LWS_LEADER_ADDRESS", None),
    ],
)
def test_variables(name: str, help_: str | None) -> None:
    found = rendered(worker={**RUNNER, "args": [f"--x=$({name})"]})
    wrong = [problem for problem in found.problems if problem.rule.slug == "controller-variable-foreign"]
    assert [problem.help for problem in wrong] == ([] if help_ is None else [help_])
    assert slugs(found.problems)[1:] == ["controller-variable-foreign"] * len(wrong)


def test_half_a_pair() -> None:
    given = inputs({"engine": {"annotations": MODE, "worker": {}}}, {"engineConfig": {"runner": RUNNER}})
    with pytest.raises(RenderError) as caught:
        set_workload(given)
    assert caught.value.problem.message == ("the engine runs in mode MultiNode, which needs both a leader and a worker")


def test_schema(testdata: Path) -> None:
    assert crd_errors(rendered().body, testdata) == []


def test_templates_are_checked() -> None:
    assert list(set_template_errors(rendered().body, Validator())) == []
    broken = rendered(worker={**RUNNER, "ports": [{"containerPort": 0}]}).body
    assert [error.path[:4] for error in set_template_errors(broken, Validator())] == [
        ("spec", "leaderWorkerTemplate", "workerTemplate", "spec")
    ]
