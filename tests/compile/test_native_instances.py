"""The pods of a replica: the vectors of reference 05 §6.4, §11.3 to §11.5 and §13."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.native.gang import GangTimeout, pod_groups, schedule_timeout
from omec.compile.native.instances import Instance, fresh_instances, headless_service, pods
from omec.compile.native.revision import revision_of
from tests.compile.native_cases import environment
from tests.compile.rendering import Object

TPU = {"resources": {"limits": {"google.com/tpu": "4"}}}


def replica(*sizes: int, container: Object | None = None, name: str = "q", **spec: Any) -> Object:
    """A replica ``name`` of one pod, or of a leader and ``sizes`` workers."""
    template = {
        "metadata": {"labels": {"team": "a"}},
        "spec": {"containers": [{"name": "ome-container", "image": "example.com/engine:1", **(container or {})}]},
    }
    runners = [{"name": "default", "size": 1, "template": template}]
    if sizes:
        runners = [
            {"name": "leader", "size": 1, "template": template},
            {"name": "worker", "size": sizes[0], "template": template},
        ]
    return {
        "metadata": {"name": name, "namespace": "prod"},
        "spec": {"component": "engine", "runners": runners, **spec},
    }


def variables(pod: Object) -> dict[str, Any]:
    return environment(pod["spec"]["containers"][0])


@pytest.mark.parametrize(
    ("workers", "pod", "rank", "index", "size"),
    [(2, 0, "0", "0", "1"), (2, 1, "1", "0", "2"), (2, 2, "2", "1", "2"), (1, 1, "1", "0", "1")],
)
def test_ranks(workers: int, pod: int, rank: str, index: str, size: str) -> None:
    found = variables(pods(replica(workers))[pod])
    assert found["OME_INSTANCE_POD_RANK"] == rank
    assert found["OME_RUNNER_INDEX"] == index
    assert found["OME_RUNNER_SIZE"] == size
    assert found["OME_INSTANCE_POD_COUNT"] == str(workers + 1)
    assert found["OME_LEADER_ADDRESS"] == "q-engine-0-leader-0.q-engine-headless"


def test_single_pod_after_a_surge() -> None:
    (pod,) = pods(replica(), [Instance(0, incarnation=2, ordinal=1)])
    assert pod["metadata"]["name"] == pod["spec"]["hostname"] == "q-engine-0-default-1"
    assert pod["spec"]["subdomain"] == "q-engine-headless"
    assert list(variables(pod)) == [
        "OME_INFERENCESERVICE_NAME",
        "OME_COMPONENT",
        "OME_COMPONENT_REPLICAS",
        "OME_INSTANCE_INDEX",
        "OME_RUNNER",
        "OME_RUNNER_SIZE",
        "OME_RUNNER_INDEX",
        "OME_INSTANCE_SUBDOMAIN",
    ]
    assert variables(pod)["OME_RUNNER_INDEX"] == "0"


def test_controller_overwrites_labels_and_variables() -> None:
    container = {"env": [{"name": "OME_COMPONENT", "value": "mine"}, {"name": "OTHER", "value": "1"}]}
    body = replica(1, container=container, pairingProtocol="v1")
    body["spec"]["runners"][0]["template"]["metadata"]["labels"] |= {"ome.io/runner": "mine", "component": "mine"}
    leader, worker = pods(body, revision="5d8f9c7a")
    assert next(iter(variables(leader))) == "OTHER"
    assert variables(leader)["OME_COMPONENT"] == "engine"
    assert leader["metadata"]["labels"] == {
        "team": "a",
        "ome.io/inferenceservice": "q",
        "component": "engine",
        "ome.io/managed-by": "OMENative",
        "ome.io/instance-index": "0",
        "ome.io/instance-incarnation": "1",
        "ome.io/runner": "leader",
        "ome.io/pod-ordinal": "0",
        "ome.io/revision-hash": "5d8f9c7a",
        "ome.io/pairing-protocol": "v1",
        "scheduling.x-k8s.io/pod-group": "q-engine-0",
    }
    assert worker["metadata"]["labels"]["ome.io/runner"] == "worker"


def test_metadata_of_the_worker_template_is_ignored() -> None:
    body = replica(1)
    worker = body["spec"]["runners"][1]
    worker["template"] = {**worker["template"], "metadata": {"labels": {"team": "b"}}}
    assert pods(body)[1]["metadata"]["labels"]["team"] == "a"


def test_init_containers_get_no_variables_but_a_name() -> None:
    body = replica()
    body["spec"]["runners"][0]["template"]["spec"]["initContainers"] = [{"image": "example.com/init:1"}]
    (init,) = pods(body)[0]["spec"]["initContainers"]
    assert init == {"name": "ome-container", "image": "example.com/init:1"}


def test_headless_service() -> None:
    selector = {"ome.io/inferenceservice": "q", "component": "engine", "ome.io/managed-by": "OMENative"}
    assert headless_service(replica()) == {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "q-engine-headless", "namespace": "prod", "labels": selector},
        "spec": {"selector": selector, "clusterIP": "None", "type": "ClusterIP", "publishNotReadyAddresses": True},
    }


def test_tpu_variables() -> None:
    found = variables(pods(replica(1, container=TPU, name="t"))[1])
    hosts = ["t-engine-0-leader-0.t-engine-headless", "t-engine-0-worker-0.t-engine-headless"]
    assert {name: value for name, value in found.items() if name.startswith("TPU_")} == {
        "TPU_WORKER_HOSTNAMES": ",".join(hosts),
        "TPU_WORKER_ID": "1",
        "TPU_PROCESS_ADDRESSES": ",".join(f"{host}:8476" for host in hosts),
        "TPU_PROCESS_PORT": "8476",
        "TPU_NAME": "t-engine-0",
    }


@pytest.mark.parametrize("body", [replica(container=TPU), replica(1)])
def test_no_tpu_variables(body: Object) -> None:
    assert not [name for pod in pods(body) for name in variables(pod) if name.startswith("TPU_")]


@pytest.mark.parametrize(("mode", "action"), [("Required", "DoNotSchedule"), ("Preferred", "ScheduleAnyway")])
def test_spread(mode: str, action: str) -> None:
    body = replica(1, topologyKey="clique", topologySpread=mode, topologySpreadKey="zone")
    leader, worker = pods(body)
    labels = {"ome.io/inferenceservice": "q", "component": "engine", "ome.io/runner": "leader"}
    assert leader["spec"]["topologySpreadConstraints"] == [
        {
            "maxSkew": 1,
            "topologyKey": "zone",
            "whenUnsatisfiable": action,
            "labelSelector": {"matchLabels": labels},
        }
    ]
    assert "topologySpreadConstraints" not in worker["spec"]


@pytest.mark.parametrize(
    ("spec", "key"),
    [
        ({"topologySpread": "Required"}, None),
        ({"topologySpread": "Required", "topologyKey": "clique"}, "clique"),
        ({"topologyKey": "clique"}, None),
    ],
)
def test_key_of_spread(spec: Object, key: str | None) -> None:
    constraints = pods(replica(**spec))[0]["spec"].get("topologySpreadConstraints", [])
    assert [constraint["topologyKey"] for constraint in constraints] == ([] if key is None else [key])


REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def test_workers_follow_their_leader() -> None:
    body = replica(1, topologyKey="clique", replicas=2)
    leader, worker = pods(body)[2:]
    assert "affinity" not in leader["spec"]
    (term,) = worker["spec"]["affinity"]["podAffinity"][REQUIRED]
    assert term == {
        "topologyKey": "clique",
        "labelSelector": {
            "matchLabels": {
                "ome.io/inferenceservice": "q",
                "component": "engine",
                "ome.io/instance-index": "1",
                "ome.io/runner": "leader",
            }
        },
    }


def test_own_term_for_the_key_wins() -> None:
    body = replica(1, topologyKey="clique")
    term = {"topologyKey": "clique", "labelSelector": {"matchLabels": {"team": "a"}}}
    for runner in body["spec"]["runners"]:
        runner["template"]["spec"]["affinity"] = {"podAffinity": {REQUIRED: [term]}}
    assert [len(pod["spec"]["affinity"]["podAffinity"][REQUIRED]) for pod in pods(body)] == [1, 1]


@pytest.mark.parametrize(
    ("ready_timeout", "clamp", "seconds"),
    [
        ("30m", GangTimeout(60, 600), 600),
        ("5m", GangTimeout(60, 600), 300),
        ("30s", GangTimeout(60, 600), 60),
        (None, GangTimeout(60, 600), 60),
        ("30m", None, 1800),
        ("30m", GangTimeout(600, 60), 1800),
        ("30m", GangTimeout(0, 60), 1800),
        (None, None, None),
    ],
)
def test_schedule_timeout(ready_timeout: str | None, clamp: GangTimeout | None, seconds: int | None) -> None:
    assert schedule_timeout(ready_timeout, clamp) == seconds


def test_pod_groups() -> None:
    body = replica(2, topologyKey="clique", lifecycle={"instanceReadyTimeout": "5m"})
    (group,) = pod_groups(body, fresh_instances(body))
    assert group["metadata"]["name"] == "q-engine-0"
    assert group["metadata"]["annotations"] == {"ome.io/topology-key": "clique"}
    assert group["spec"] == {"minMember": 3, "scheduleTimeoutSeconds": 300}
    assert pod_groups(replica(), [Instance(0)]) == []


@pytest.mark.parametrize(
    ("change", "rolls"),
    [
        ({"replicas": 7}, False),
        ({"minReadySeconds": 7}, False),
        ({"topologySpread": "Required"}, False),
        ({"paused": True}, False),
        ({"topologyKey": "clique"}, True),
        ({"pairingProtocol": "v2"}, True),
    ],
)
def test_what_rolls(change: Object, rolls: bool) -> None:
    assert (revision_of(replica(1)["spec"]) != revision_of(replica(1, **change)["spec"])) is rolls


def test_worker_count_and_order_do_not_roll() -> None:
    three = replica(2)["spec"]
    assert revision_of(three) == revision_of(replica(1)["spec"])
    assert revision_of(three) == revision_of({**three, "runners": three["runners"][::-1]})
