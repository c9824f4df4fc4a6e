"""OMENative components without OME, as Deployments and LeaderWorkerSets."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st

from omec.compile.native.defaults import CHART_DEFAULTS, NativeDefaults
from omec.compile.native.kubernetes.losses import platform_note
from omec.compile.native.kubernetes.placement import add_colocation
from omec.compile.native.kubernetes.rollout import deployment_strategy, group_rollout
from omec.compile.native.templates import set_template_errors
from omec.compile.native.variables import renamed
from omec.compile.validate import Validator
from omec.compile.workload import Workload
from tests.compile.native_cases import ENGINES, LEADER_AND_WORKER, environment, native, only, slugs, workload
from tests.compile.rendering import RUNNER, Object

VALIDATOR = Validator()


def on_kubernetes(
    engine: Object, runtime: Object | None = None, defaults: NativeDefaults = CHART_DEFAULTS, **more: Any
) -> Workload:
    return workload(native({"engine": engine}, runtime, **more), defaults=defaults, platform="kubernetes")


def container_of(found: Workload, role: Any) -> Object:
    container: Object = found.pods[role].spec["containers"][0]
    return container


def update(type_: str | None = None, **budgets: Any) -> Object:
    strategy: Object = {"rollingUpdate": budgets} if budgets else {}
    return {"updateStrategy": strategy | ({} if type_ is None else {"type": type_})}


@pytest.mark.parametrize(
    ("lifecycle", "group", "deployment"),
    [
        (None, {"maxUnavailable": 0, "maxSurge": "100%"}, {"maxUnavailable": 0, "maxSurge": "100%"}),
        (update(maxSurge="25%"), {"maxUnavailable": 0, "maxSurge": "25%"}, {"maxUnavailable": 0, "maxSurge": "25%"}),
        # The budget that a strategy does not read says nothing.
        (
            update(maxSurge=1, maxUnavailable=2),
            {"maxUnavailable": 0, "maxSurge": 1},
            {"maxUnavailable": 0, "maxSurge": 1},
        ),
        (
            update("RecreatePod", maxUnavailable=2),
            {"maxUnavailable": 2, "maxSurge": 0},
            {"maxUnavailable": 2, "maxSurge": 0},
        ),
        (update("InPlaceOnly"), {"maxUnavailable": "100%", "maxSurge": 0}, None),
        (update("RecreatePod"), {"maxUnavailable": "100%", "maxSurge": 0}, None),
        (
            update(maxSurge=1, partition=2),
            {"maxUnavailable": 0, "maxSurge": 1, "partition": 2},
            {"maxUnavailable": 0, "maxSurge": 1},
        ),
    ],
)
def test_rollout(lifecycle: Object | None, group: Object, deployment: Object | None) -> None:
    assert group_rollout(lifecycle) == group
    expected = {"type": "Recreate"} if deployment is None else {"type": "RollingUpdate", "rollingUpdate": deployment}
    assert deployment_strategy(lifecycle) == expected


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("--addr=$(OME_LEADER_ADDRESS):5000", "--addr=$(LWS_LEADER_ADDRESS):5000"),
        ("exec engine --rank ${OME_INSTANCE_POD_RANK:-0}", "exec engine --rank ${LWS_WORKER_INDEX:-0}"),
        ("$OME_INSTANCE_POD_COUNT $OME_RUNNER", "$LWS_GROUP_SIZE $OME_RUNNER"),
        ("$$(OME_LEADER_ADDRESS)", "$$(OME_LEADER_ADDRESS)"),
        ("$OME_LEADER_ADDRESSES", "$OME_LEADER_ADDRESSES"),
    ],
)
def test_names_of_variables(text: str, changed: str) -> None:
    runner = {**RUNNER, "args": [text], "env": [{"name": "A", "value": text}]}
    found = on_kubernetes({}, {"engineConfig": {"leader": {"runner": runner}, "worker": {"runner": runner}}})
    for role in ("leader", "worker"):
        container = container_of(found, role)
        assert container["args"] == [changed]
        assert environment(container)["A"] == changed


def test_names_of_variables_that_no_group_gives() -> None:
    """In a Deployment they are the runtime's own."""
    runner = {
        **RUNNER,
        "args": ["$(OME_LEADER_ADDRESS)"],
        "env": [{"name": "OME_LEADER_ADDRESS", "value": "localhost"}],
    }
    container = container_of(on_kubernetes({}, {"engineConfig": {"runner": runner}}), "default")
    assert container["args"] == ["$(OME_LEADER_ADDRESS)"]
    assert environment(container)["OME_LEADER_ADDRESS"] == "localhost"


def test_variables_of_a_group() -> None:
    found = on_kubernetes({"autoscaler": {"class": "None"}, "minReplicas": 2}, LEADER_AND_WORKER)
    index = {
        "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.labels['leaderworkerset.sigs.k8s.io/group-index']"}
    }
    assert environment(container_of(found, "worker")) == {
        "OME_INFERENCESERVICE_NAME": "chat",
        "OME_COMPONENT": "engine",
        "OME_COMPONENT_REPLICAS": "2",
        "OME_RUNNER": "worker",
        "OME_RUNNER_SIZE": "2",
        "OME_INSTANCE_INDEX": index,
        "OME_LEADER_ADDRESS": "$(LWS_LEADER_ADDRESS)",
        "OME_INSTANCE_POD_COUNT": "$(LWS_GROUP_SIZE)",
        "OME_INSTANCE_POD_RANK": "$(LWS_WORKER_INDEX)",
    }
    assert environment(container_of(found, "leader"))["OME_RUNNER_INDEX"] == "0"


def test_count_that_moves_is_not_told() -> None:
    assert "OME_COMPONENT_REPLICAS" not in environment(container_of(on_kubernetes({}), "default"))


@pytest.mark.parametrize(
    ("runtime", "name", "help_"),
    [
        (LEADER_AND_WORKER, "OME_INSTANCE_SUBDOMAIN", "set it in env, or use platform ome with mode OMENative"),
        (None, "OME_INSTANCE_INDEX", "set it in env, or run the component on OMENative with platform ome"),
        (None, "LWS_GROUP_SIZE", "set it in env, or run the component on OMENative with platform ome"),
    ],
)
def test_variables_without_counterpart(runtime: Object | None, name: str, help_: str) -> None:
    runner = {**RUNNER, "args": [f"$({name})"]}
    config: Object = {"leader": {"runner": runner}, "worker": {"runner": RUNNER}} if runtime else {"runner": runner}
    problem = only(on_kubernetes({}, {"engineConfig": config}).problems, "controller-variable-foreign")
    assert f"$({name})" in problem.message
    assert problem.help == help_
    assert problem.place.steps[-2:] == ("args", 0)


def test_labels_by_which_routers_tell_pods_apart() -> None:
    runtime = {"engineConfig": {**LEADER_AND_WORKER["engineConfig"]}}
    given = native({"engine": {}, "rollout": {"pairingProtocol": "v1"}}, runtime)
    found = workload(given, platform="kubernetes")
    templates = found.body["spec"]["leaderWorkerTemplate"]
    leader, worker = (templates[f"{role}Template"]["metadata"]["labels"] for role in ("leader", "worker"))
    assert leader["ome.io/runner"] == "leader"
    assert worker["ome.io/runner"] == "worker"
    assert leader["ome.io/pairing-protocol"] == worker["ome.io/pairing-protocol"] == "v1"
    assert found.external_selector.items() <= leader.items()
    assert not found.external_selector.items() <= worker.items()
    assert found.service["spec"]["selector"].items() <= leader.items()


def test_group() -> None:
    engine = {
        "minReplicas": 3,
        "autoscaler": {"class": "None"},
        "lifecycle": {"restartPolicy": "None", **update(maxSurge=1)},
    }
    found = on_kubernetes(engine, LEADER_AND_WORKER)
    spec = found.body["spec"]
    assert found.body["kind"] == "LeaderWorkerSet"
    assert spec["replicas"] == 3
    assert spec["leaderWorkerTemplate"]["size"] == 3
    assert spec["leaderWorkerTemplate"]["restartPolicy"] == "None"
    assert spec["rolloutStrategy"]["rollingUpdateConfiguration"] == {"maxUnavailable": 0, "maxSurge": 1}
    assert found.pods_per_replica == 3
    assert found.scale_target is not None
    assert found.scale_target.to_dict() == {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "name": "lws-chat-engine",
    }


def test_count_belongs_to_whoever_scales() -> None:
    assert "replicas" not in on_kubernetes({}, LEADER_AND_WORKER).body["spec"]
    assert "replicas" not in on_kubernetes({}).body["spec"]


def test_deployment() -> None:
    engine = {"topologySpread": "Preferred", "topologySpreadKey": "zone", "lifecycle": {"minReadySeconds": 5}}
    annotations = {"ome.io/rollout-paused": "true", "ome.io/revision-history-limit": "3"}
    found = on_kubernetes(engine, annotations=annotations)
    spec = found.body["spec"]
    assert found.body["kind"] == "Deployment"
    assert (spec["minReadySeconds"], spec["revisionHistoryLimit"], spec["paused"]) == (5, 3, True)
    (constraint,) = spec["template"]["spec"]["topologySpreadConstraints"]
    labels = spec["template"]["metadata"]["labels"]
    assert constraint["labelSelector"]["matchLabels"].items() <= labels.items()
    assert spec["selector"]["matchLabels"].items() <= labels.items()
    assert found.service["spec"]["selector"] == found.selector == {"app": "chat-engine"}
    assert found.problems == ()


def test_router() -> None:
    runtime = {f"{name}Config": {"runner": RUNNER} for name in ("engine", "router")}
    found = workload(native({"engine": {}, "router": {}}, runtime), "router", platform="kubernetes")
    assert [obj["metadata"]["name"] for obj in found.access] == ["chat-router"] * 3


REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def test_workers_follow_their_leader() -> None:
    pod: Object = {"affinity": {"nodeAffinity": {}}}
    add_colocation(pod, "lws-chat-engine", {"topologyKey": "clique"})
    assert pod["affinity"]["nodeAffinity"] == {}
    assert pod["affinity"]["podAffinity"][REQUIRED] == [
        {
            "topologyKey": "clique",
            "labelSelector": {
                "matchLabels": {
                    "leaderworkerset.sigs.k8s.io/name": "lws-chat-engine",
                    "leaderworkerset.sigs.k8s.io/worker-index": "0",
                }
            },
            "matchLabelKeys": ["leaderworkerset.sigs.k8s.io/group-index"],
        }
    ]
    before = str(pod)
    add_colocation(pod, "lws-chat-engine", {"topologyKey": "clique"})
    assert str(pod) == before


@pytest.mark.parametrize(
    ("engine", "annotations", "of_group", "of_deployment"),
    [
        ({"instanceReadyTimeout": "30m"}, {}, 1, 1),
        ({"minReadySeconds": 5}, {}, 1, 0),
        ({"restartPolicy": "RecreateInstanceOnPodRestart"}, {}, 0, 1),
        ({"migrationPolicy": {"mode": "Surge"}}, {}, 1, 1),
        ({"migrationPolicy": {"mode": "Never"}}, {}, 0, 0),
        (update("InPlaceIfPossible"), {}, 1, 1),
        (update(partition=1), {}, 0, 1),
        ({}, {"ome.io/rollout-paused": "true"}, 1, 0),
        ({}, {"ome.io/rollout-paused": "freeze"}, 1, 1),
        ({}, {"ome.io/revision-history-limit": "3"}, 1, 0),
    ],
)
def test_losses(engine: Object, annotations: Object, of_group: int, of_deployment: int) -> None:
    for runtime, count in ((LEADER_AND_WORKER, of_group), (None, of_deployment)):
        found = on_kubernetes({"lifecycle": engine}, runtime, annotations=annotations)
        assert slugs(found.problems) == ["component-setting-ignored"] * count


@pytest.mark.parametrize(
    ("budgets", "said"),
    [({"maxSurge": 0}, ["rollout-without-budget"]), ({"maxSurge": 0, "maxUnavailable": 0}, [])],
)
def test_no_budget(budgets: Object, said: list[str]) -> None:
    """OME accepts one 0 and stalls; Kubernetes refuses it. Two are refused by OME, too, which is told elsewhere."""
    found = on_kubernetes({"lifecycle": update(**budgets)})
    assert slugs(found.problems) == said


def test_note() -> None:
    note = platform_note(native(), {"engine": "LeaderWorkerSet", "router": "Deployment"})
    assert note.message.startswith("chat runs engine as a LeaderWorkerSet and router as a Deployment: ")


@hypothesis_given(ENGINES)
def test_every_workload_is_valid(engine: Object) -> None:
    pair = {"leader": {"runner": RUNNER}, "worker": {"runner": RUNNER}}
    shaped = "leader" in engine and "worker" in engine
    if not shaped:
        engine = {key: value for key, value in engine.items() if key not in pair}
    runtime: Object = {"engineConfig": pair if shaped else {"runner": RUNNER}}
    found = on_kubernetes(engine, runtime)
    assert found.body == on_kubernetes(engine, runtime).body
    stalled = "rollout-without-budget" in slugs(found.problems)
    if shaped:
        assert list(set_template_errors(found.body, VALIDATOR)) == []
    elif not stalled:
        assert VALIDATOR.errors(found.body) == []
    assert VALIDATOR.errors(found.service) == []


@hypothesis_given(st.text("$(){}OMELADRSINTCU_ -x", max_size=40))
def test_renaming_nothing(text: str) -> None:
    assert renamed(text, {}) == text
