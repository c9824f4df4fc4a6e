"""What renders to a valid replica, but hardly runs as its author meant it (reference 05 §7, §10, §11)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.modes import Mode
from omec.compile.names import COMPONENTS
from omec.compile.native.checks import check_service, standalone_note
from omec.compile.native.container_checks import check_raw_pod
from omec.compile.native.defaults import CHART_DEFAULTS, NativeDefaults
from omec.compile.pod import Pod
from omec.compile.problems import Origin, Place
from tests.compile.native_cases import LEADER_AND_WORKER, component_of, native, only, slugs, workload
from tests.compile.rendering import RUNNER, Object


def problems(
    engine: Object, runtime: Object | None = None, defaults: NativeDefaults = CHART_DEFAULTS, **more: Any
) -> list[Any]:
    return list(workload(native({"engine": engine}, runtime, **more), defaults=defaults).problems)


def with_runner(**fields: Any) -> Object:
    return {"engineConfig": {"runner": {**RUNNER, **fields}}}


def test_no_budget_in_runtime() -> None:
    """OME refuses it in the service alone."""
    zero = update(maxSurge=0, maxUnavailable=0)
    assert slugs(problems({}, {"engineConfig": {"runner": RUNNER, **zero}})) == ["rollout-stalls"]
    assert slugs(problems(update(maxSurge=0), {"engineConfig": {"runner": RUNNER, **zero}})) == ["rollout-stalls"]


def test_nothing_to_say() -> None:
    assert problems({}) == []


@pytest.mark.parametrize(
    ("name", "message", "help_"),
    [
        (
            "a" * 35,
            f"InferenceReplica {'a' * 35}-engine has 42 characters, its pods' host names leave room for 41",
            "shorten the name by 1",
        ),
        ("a" * 34, None, ""),
    ],
)
def test_long_name(name: str, message: str | None, help_: str) -> None:
    found = problems({}, name=name)
    assert [problem.message for problem in found] == ([] if message is None else [message])
    assert [problem.help for problem in found] == ([] if message is None else [help_])


def test_name_that_is_none() -> None:
    found = problems({}, name="1chat")
    assert slugs(found) == ["replica-name-unusable", "replica-refused"]


def update(type_: str | None = None, **budgets: Any) -> Object:
    strategy: Object = {"rollingUpdate": budgets} if budgets else {}
    return {"lifecycle": {"updateStrategy": strategy | ({} if type_ is None else {"type": type_})}}


@pytest.mark.parametrize(
    ("engine", "defaults", "slug", "field"),
    [
        (update(maxSurge=0, maxUnavailable=0), CHART_DEFAULTS, None, ""),  # test_no_budget_is_told_once
        (update("RecreatePod", maxSurge="0%", maxUnavailable="0%"), CHART_DEFAULTS, None, ""),
        (update(maxSurge=0), CHART_DEFAULTS, "rollout-stalls", "maxSurge"),
        (update("InPlaceOnly", maxUnavailable=0), CHART_DEFAULTS, "rollout-stalls", "maxUnavailable"),
        (update("RecreatePod"), NativeDefaults(), "recreation-unbounded", "maxUnavailable"),
        (update("RecreatePod"), CHART_DEFAULTS, None, ""),
        (update(maxUnavailable=0), CHART_DEFAULTS, None, ""),
        (update(), NativeDefaults(), None, ""),
    ],
)
def test_budgets(engine: Object, defaults: NativeDefaults, slug: str | None, field: str) -> None:
    found = problems(engine, defaults=defaults)
    assert slugs(found) == ([] if slug is None else [slug])
    for problem in found:
        start = ("spec", "engine", "lifecycle", "updateStrategy")
        assert problem.place.steps[:4] == start
        assert problem.help in (f"raise {field}", "set maxUnavailable: 1")


@pytest.mark.parametrize(
    ("engine", "runtime", "said"),
    [
        ({"topologySpread": "Required"}, None, True),
        ({"topologySpread": "Required", "topologyKey": "zone"}, None, False),
        ({"topologyKey": "clique"}, None, True),
    ],
)
def test_topology(engine: Object, runtime: Object | None, said: bool) -> None:
    assert slugs(problems(engine, runtime)) == (["component-setting-ignored"] if said else [])


def test_bounds_from_different_places() -> None:
    runtime = {"engineConfig": {"runner": RUNNER, "minReplicas": 3}}
    problem = only(problems({"maxReplicas": 2}, runtime), "replica-bounds-raised")
    assert problem.message == "the engine has minReplicas 3 and maxReplicas 2: OME runs 3"
    assert problem.place == Place(Origin.SERVICE, ("spec", "engine", "maxReplicas"))


@pytest.mark.parametrize("key", ["ome.io/dedicated-ai-cluster", "ome.io/volcano-queue"])
def test_queues_of_deployments(key: str) -> None:
    problem = only(problems({}, annotations={key: "gpus"}), "component-setting-ignored")
    assert problem.place == Place(Origin.SERVICE, ("metadata", "annotations", key))


def test_several_pods() -> None:
    """The pair is the runtime's, no gang scheduler is named, and a worker probes what it does not serve."""
    worker = {
        "runner": {"name": "worker", "image": "example.com/engine:1", "readinessProbe": {"tcpSocket": {"port": 1}}}
    }
    found = problems({}, {"engineConfig": {"leader": {"runner": RUNNER}, "worker": worker}})
    assert slugs(found) == ["multi-pod-advice"] * 4
    assert [problem.message.split(" of the engine ")[0] for problem in found] == [
        "the Service",
        "the leader pods",
        "the worker pods",
        "the workers",
    ]


def test_several_pods_in_order() -> None:
    config = {**LEADER_AND_WORKER["engineConfig"], "schedulerName": "ome-scheduler"}
    assert problems({"leader": {}, "worker": {}}, {"engineConfig": config}) == []


LEADER = {"leader": {}, "worker": {}, "schedulerName": "ome-scheduler"}


@pytest.mark.parametrize(
    ("text", "slug", "help_"),
    [
        ("--addr=$(LWS_LEADER_ADDRESS)", "controller-variable-foreign", "write $(OME_LEADER_ADDRESS)"),
        ("--nnodes=$LWS_GROUP_SIZE", "controller-variable-foreign", "write $(OME_INSTANCE_POD_COUNT)"),
        ("--rank=${LWS_WORKER_INDEX}", "controller-variable-foreign", "write $(OME_INSTANCE_POD_RANK)"),
        (
            "leaderworkerset.sigs.k8s.io/worker-index=0",
            "controller-variable-foreign",
            "write ome.io/runner=leader for leaderworkerset.sigs.k8s.io/worker-index=0",
        ),
        ("$(OME_DECODER_REVISION_ENDPOINT)", "peer-endpoint-missing", "write $(OME_DECODER_ENDPOINT)"),
        ("$(OME_INFERENCESERVICE_NAME)", "service-name-is-replica-name", None),
        ("$(OME_LEADER_ADDRESS)", "controller-variable-foreign", "set it in env, or add a leader and workers"),
        ("$(OME_INSTANCE_INDEX)", None, None),
        ("$$(LWS_LEADER_ADDRESS)", None, None),
    ],
)
def test_variables(text: str, slug: str | None, help_: str | None) -> None:
    found = problems({}, with_runner(args=["--port=8080", text]))
    assert slugs(found) == ([] if slug is None else [slug])
    for problem in found:
        assert problem.place.origin is Origin.RUNTIME
        assert problem.place.steps[:3] == ("spec", "engineConfig", "runner")
        assert help_ is None or problem.help == help_


def test_variables_that_the_container_defines() -> None:
    env = [{"name": "LWS_GROUP_SIZE", "value": "1"}]
    assert problems({}, with_runner(args=["$(LWS_GROUP_SIZE)"], env=env)) == []


def test_variable_in_env() -> None:
    env = [{"name": "MASTER_ADDR", "value": "$(OME_LEADER_ADDRESS)"}]
    config = LEADER_AND_WORKER["engineConfig"]
    runtime = {"engineConfig": {**config, "leader": {"runner": {**RUNNER, "env": env}}}}
    problem = only(problems({}, runtime), "replica-variable-too-early")
    assert problem.message == (
        "MASTER_ADDR of container ome-container of the engine refers to $(OME_LEADER_ADDRESS), which OME sets behind it"
    )
    assert problem.place.steps == ("spec", "engineConfig", "leader", "runner", "env", ("name", "MASTER_ADDR"), "value")


def test_variable_in_init_container() -> None:
    init = {"name": "wait", "image": "example.com/wait:1", "args": ["$(OME_LEADER_ADDRESS)"]}
    runtime = {"engineConfig": {"runner": RUNNER, "initContainers": [init]}}
    problem = only(problems({}, runtime), "replica-variable-too-early")
    assert problem.message == "init container wait of the engine uses $(OME_LEADER_ADDRESS), which it does not get"
    assert problem.place.steps == ("spec", "engineConfig", "initContainers", ("name", "wait"), "args", 0)


def test_variables_of_a_deployment() -> None:
    given = native(runtime=with_runner(args=["$(OME_LEADER_ADDRESS)", "$(LWS_GROUP_SIZE)", "$(MODEL_PATH)"]))
    engine = component_of(given)
    pod = Pod({"containers": [engine.spec["runner"]]}, engine.spec, 0, None)
    assert slugs(check_raw_pod(engine, pod)) == ["controller-variable-foreign"] * 2
    assert slugs(check_raw_pod(engine, pod, ["OME_LEADER_ADDRESS"])) == ["controller-variable-foreign"]


def test_service() -> None:
    modes = dict.fromkeys(COMPONENTS, Mode.OME_NATIVE)
    spec = {
        "engine": {},
        "rollout": {"groups": [{"components": ["engine"]}]},
    }
    given = native(spec, annotations={"ome.io/migration-request-v1-a": "x"})
    found = list(check_service(given, modes))
    assert slugs(found) == [
        "rollout-groups-ignored",
        "component-setting-ignored",
    ]
    assert list(check_service(given, dict.fromkeys(COMPONENTS, Mode.RAW_DEPLOYMENT))) == []
    assert list(check_service(native(), modes)) == []


@pytest.mark.parametrize(
    ("components", "start"),
    [
        (["engine"], "engine of chat runs as a standalone InferenceReplica: each rolls out"),
        (["engine", "router"], "engine and router of chat run as standalone InferenceReplicas: each rolls out"),
        (["engine", "decoder", "router"], "engine, decoder and router of chat run as standalone InferenceReplicas"),
    ],
)
def test_note(components: list[Any], start: str) -> None:
    assert standalone_note(native(), components).message.startswith(start)
