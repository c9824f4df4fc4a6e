"""What OME writes into the replica of a component: the vectors of reference 05 §5, §10.1 and §12.1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from omec.compile.cluster import cluster_of
from omec.compile.environment import Environment
from omec.compile.native.defaults import CHART_DEFAULTS, NativeDefaults, native_defaults
from omec.compile.native.lifecycle import effective_lifecycle
from omec.compile.native.projection import pause, revision_history_limit
from omec.compile.native.runners import runners
from omec.compile.operator_source import operator_settings
from omec.errors import OmecError
from omec.repo.config import Config
from omec.resolve.quota.queue_label import ACCELERATOR_RESOURCES
from tests.compile.native_cases import LEADER_AND_WORKER, environment, native, projected
from tests.compile.rendering import RUNNER, Object


@pytest.mark.parametrize(("minimum", "replicas"), [(None, 1), (0, 1), (-1, 1), (3, 3)])
def test_replicas(minimum: int | None, replicas: int) -> None:
    engine = {} if minimum is None else {"minReplicas": minimum}
    assert projected(native({"engine": engine})).bounds.minimum == replicas


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("10", 10),
        ("0", None),
        ("-1", None),
        ("abc", None),
        ("1.5", None),
        ("2147483648", None),
        ("", None),
        ("+3", 3),
        ("٣", None),
    ],
)
def test_revision_history_limit(text: str, limit: int | None) -> None:
    assert revision_history_limit({"ome.io/revision-history-limit": text}) == limit


@pytest.mark.parametrize(
    ("annotations", "fields"),
    [
        ({"ome.io/rollout-paused": "true"}, {"paused": True}),
        ({"ome.io/rollout-paused": "freeze"}, {"paused": True, "pauseMode": "Freeze"}),
        ({"ome.io/rollout-paused": "True"}, {}),
        ({"ome.io/rollout-paused": "1"}, {}),
        ({"ome.io/rollout-paused": ""}, {}),
        ({}, {}),
    ],
)
def test_pause(annotations: Object, fields: Object) -> None:
    assert pause(annotations) == fields


SURGE_25 = {"type": "SurgeThenDrain", "rollingUpdate": {"maxSurge": "25%"}}


@pytest.mark.parametrize(
    ("own", "config", "defaults", "effective"),
    [
        ({}, {}, CHART_DEFAULTS, SURGE_25),
        (
            {"type": "InPlaceIfPossible"},
            {},
            CHART_DEFAULTS,
            {"type": "InPlaceIfPossible", "rollingUpdate": {"maxUnavailable": "25%"}},
        ),
        (
            {"type": "RecreatePod"},
            {"rollingUpdate": {"maxUnavailable": 1}},
            CHART_DEFAULTS,
            {"type": "RecreatePod", "rollingUpdate": {"maxUnavailable": 1}},
        ),
        (
            {"rollingUpdate": {"partition": 1}},
            {"type": "RecreatePod"},
            CHART_DEFAULTS,
            {"type": "RecreatePod", "rollingUpdate": {"partition": 1, "maxUnavailable": "25%"}},
        ),
        ({}, {}, NativeDefaults(), None),
        (
            {"rollingUpdate": {"maxUnavailable": 1}},
            {},
            CHART_DEFAULTS,
            {"type": "SurgeThenDrain", "rollingUpdate": {"maxUnavailable": 1, "maxSurge": "25%"}},
        ),
    ],
)
def test_update_strategy(own: Object, config: Object, defaults: NativeDefaults, effective: Object | None) -> None:
    lifecycle = {"lifecycle": {"updateStrategy": own}} if own else {}
    runtime = {"engineConfig": {"runner": RUNNER, **({"lifecycle": {"updateStrategy": config}} if config else {})}}
    found = projected(native({"engine": lifecycle}, runtime), defaults=defaults).lifecycle
    assert (found or {}).get("updateStrategy") == effective


@pytest.mark.parametrize(
    ("merged", "deploy", "effective"),
    [
        (None, {}, None),
        ({}, {}, {}),
        (None, {"minReadySeconds": 5}, {"minReadySeconds": 5}),
        ({"minReadySeconds": 0}, {"minReadySeconds": 5}, {"minReadySeconds": 0}),
        (
            None,
            {"updateStrategy": {"engine": {"maxSurge": 2, "maxUnavailable": 1}}},
            {"updateStrategy": {"rollingUpdate": {"maxSurge": 2}}},
        ),
        (None, {"updateStrategy": {"engine": {}}}, None),
        (None, {"updateStrategy": {"decoder": {"type": "RecreatePod"}}}, None),
    ],
)
def test_operator_defaults(merged: Object | None, deploy: Object, effective: Object | None) -> None:
    assert effective_lifecycle(merged, "engine", native_defaults(deploy)) == effective


def test_leader_before_worker() -> None:
    found = runners(projected(native(runtime=LEADER_AND_WORKER)))
    assert [(runner["name"], runner["size"]) for runner in found] == [("leader", 1), ("worker", 2)]
    assert found[0]["template"]["metadata"] == found[1]["template"]["metadata"]


@pytest.mark.parametrize(("own", "config", "size"), [({"size": 3}, {"size": 2}, 3), ({}, {"size": 2}, 2), ({}, {}, 1)])
def test_worker_size(own: Object, config: Object, size: int) -> None:
    runtime = {"engineConfig": {"leader": {"runner": RUNNER}, "worker": {**config, "runner": RUNNER}}}
    given = native({"engine": {"leader": {}, "worker": own}}, runtime)
    assert projected(given).worker_size == size


@pytest.mark.parametrize(
    ("gpus", "workers", "parallelism"), [("1", 1, "2"), ("8", 1, "16"), ("4", None, "4"), (None, 1, None)]
)
def test_parallelism(gpus: str | None, workers: int | None, parallelism: str | None) -> None:
    runner = {**RUNNER, "resources": {"limits": {"nvidia.com/gpu": gpus}}} if gpus else RUNNER
    pair = {"leader": {"runner": runner}, "worker": {"size": workers, "runner": runner}}
    given = native(runtime={"engineConfig": pair if workers else {"runner": runner}})
    container = projected(given).serving_pod.spec["containers"][0]
    assert environment(container).get("PARALLELISM_SIZE") == parallelism


def test_pods_of_the_component_apply_to_both_roles() -> None:
    config: dict[str, Any] = {
        **LEADER_AND_WORKER["engineConfig"],
        "tolerations": [{"key": "gpu", "operator": "Exists"}],
        "nodeSelector": {"pool": "a", "zone": "1"},
    }
    config["worker"] = {**config["worker"], "nodeSelector": {"pool": "b"}}
    found = projected(native(runtime={"engineConfig": config})).pods
    assert [pod.spec["tolerations"] for pod in found.values()] == [config["tolerations"]] * 2
    assert found["worker"].spec["nodeSelector"] == {"pool": "b", "zone": "1"}


def test_own_labels_win_in_templates_alone() -> None:
    given = native({"engine": {"labels": {"component": "mine", "team": "a"}}})
    found = projected(given)
    assert found.labels["component"] == "engine"
    assert found.template_labels["component"] == "mine"
    assert found.template_labels["team"] == "a"


GPU: Object = {"resources": {"limits": {"nvidia.com/gpu": "1"}}}
TPU: Object = {"resources": {"requests": {"google.com/tpu": "4"}}}


@pytest.mark.parametrize(
    ("config", "resources", "keeps"),
    [
        ({"runner": {**RUNNER, **GPU}}, ACCELERATOR_RESOURCES, True),
        ({"runner": {**RUNNER, **TPU}}, ACCELERATOR_RESOURCES, True),
        ({"runner": RUNNER, "initContainers": [{"name": "warm", "image": "x", **GPU}]}, ACCELERATOR_RESOURCES, True),
        ({"runner": RUNNER}, ACCELERATOR_RESOURCES, False),
        ({"runner": {**RUNNER, **TPU}}, ["nvidia.com/gpu"], False),
        ({"runner": RUNNER}, [], True),
    ],
)
def test_queue_of_kueue_is_for_accelerators(config: Object, resources: Sequence[str], keeps: bool) -> None:
    """The Service keeps the label; pods without an accelerator and their replica do not (reference 15 §5, §9)."""
    queue = {"kueue.x-k8s.io/queue-name": "gpus"}
    around = Environment(queue_resources=resources)
    found = projected(native(runtime={"engineConfig": config}, labels=queue, environment=around))
    assert queue.items() <= found.labels.items()
    for labels in (found.replica_labels, found.template_labels):
        assert (queue.items() <= labels.items()) is keeps


@pytest.mark.parametrize(
    ("quota", "resources"),
    [({}, ACCELERATOR_RESOURCES), ({"accelerator-resources": "a/b, c/d"}, ("a/b", "c/d"))],
)
def test_queue_resources_are_those_of_the_quota_manager(quota: Object, resources: Sequence[str]) -> None:
    """The list of the operator's ConfigMap is another one."""
    config = Config.from_dict({"quota": quota, "operator": {"acceleratorResources": ["x/y"]}})
    assert cluster_of(config, operator_settings([], config)).environment.queue_resources == resources


def test_queue_resources_that_are_none() -> None:
    config = Config.from_dict({"quota": {"accelerator-resources": 1}})
    with pytest.raises(OmecError, match=r"quota\.accelerator-resources must be a list of texts"):
        cluster_of(config, operator_settings([], config))


def test_pairing_protocol_is_no_matter_of_routers() -> None:
    runtime = {f"{name}Config": {"runner": RUNNER} for name in ("engine", "router")}
    given = native({"engine": {}, "router": {}, "rollout": {"pairingProtocol": "v1"}}, runtime)
    assert projected(given).pairing_protocol == "v1"
    assert projected(given, "router").pairing_protocol is None
