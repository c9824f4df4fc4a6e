"""What OME's webhook says to replicas: the vectors of reference 05 §4. The oracle covers the rest."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.native.admission import Actor, Write, colliding_services, refusal
from omec.compile.native.surroundings import Surroundings
from omec.resolve.inherit import ChainResolver
from tests.compile.rendering import RUNNER, Object
from tests.oracle.objects import catalog_of

DEFAULT = {"name": "default", "size": 1, "template": {"spec": {"containers": [RUNNER]}}}


def replica(name: str = "pool", *, annotations: Object | None = None, **spec: Any) -> Object:
    metadata: Object = {"name": name, "namespace": "prod"}
    if annotations:
        metadata["annotations"] = annotations
    return {"metadata": metadata, "spec": {"component": "engine", "runners": [DEFAULT], **spec}}


def surroundings(*objects: Object) -> Surroundings:
    catalog = catalog_of(list(objects))
    return Surroundings(catalog, ChainResolver(catalog))


def answer(write: Write) -> tuple[Any, str] | None:
    """The field and the message without the name of the replica."""
    fault = refusal(write)
    return None if fault is None else (fault[0], fault[1].removeprefix(f"InferenceReplica {write.identity}: "))


@pytest.mark.parametrize(
    ("replicas", "partition", "refused"),
    [
        (None, 1, None),
        (0, 2, "(2) must be <= spec.replicas (1)"),
        (3, 3, None),
        (3, 4, "(4) must be <= spec.replicas (3)"),
    ],
)
def test_partition(replicas: int | None, partition: int, refused: str | None) -> None:
    spec: Object = {"pacing": {"partition": partition}} | ({} if replicas is None else {"replicas": replicas})
    found = answer(Write(replica(**spec)))
    if refused is None:
        assert found is None
    else:
        text = f"spec.pacing.partition {refused}; an over-partition silently holds every Instance back forever"
        assert found == (("spec", "pacing", "partition"), text)


CHAT = {"kind": "InferenceService", "metadata": {"name": "chat", "namespace": "prod"}}
PATTERN = (
    "a standalone replica's name is the prefix of its pod and Service names and must match "
    '"[a-z]([-a-z0-9]*[a-z0-9])?"'
)
TAKEN = (
    "InferenceService prod/chat exists and the replicas it projects would share pod and Service names with this one; "
    "choose another name"
)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        *((name, TAKEN) for name in ("chat", "chat-engine", "chat-decoder", "chat-router")),
        *((name, None) for name in ("chat-engine-pool", "chat-pool", "chatengine")),
        *((name, PATTERN) for name in ("1chat", "Chat", "chat-", "chat.pool")),
    ],
)
def test_names(name: str, message: str | None) -> None:
    found = answer(Write(replica(name), surroundings=surroundings(CHAT)))
    assert found == (None if message is None else (("metadata", "name"), message))


@pytest.mark.parametrize("name", ["chat", "chat-engine"])
def test_names_without_the_service(name: str) -> None:
    assert refusal(Write(replica(name), surroundings=surroundings())) is None


def test_colliding_services() -> None:
    assert colliding_services("chat-engine") == ("chat-engine", "chat")
    assert colliding_services("pool") == ("pool",)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (replica(parentRef={"name": "chat"}), ("spec", "parentRef")),
        (replica(annotations={"ome.io/composed-fields": "x"}), ("metadata", "annotations", "ome.io/composed-fields")),
        (replica(placementReplicaLimit=3), ("spec", "placementReplicaLimit")),
        (replica(modelRef={"name": "m"}), ("spec", "modelRef")),
        (replica(runners=[]), ("spec", "runners")),
        (replica(runners=[], runtimeRef={"name": "r", "autoSync": False}), ("spec", "runtimeRef", "autoSync")),
        (replica(autoscaler={"class": "HPA"}), ("spec", "autoscaler", "class")),
        (replica(lifecycle={"minReadySeconds": 0}), ("spec", "lifecycle", "minReadySeconds")),
        (replica(lifecycle={"instanceReadyTimeout": "300"}), ("spec", "lifecycle", "instanceReadyTimeout")),
        (replica(replicas=2**31), ("spec", "replicas")),
        (
            replica(annotations={"ome.io/migration-request-v1-a": "x"}),
            ("metadata", "annotations", "ome.io/migration-request-v1-a"),
        ),
    ],
)
def test_place_of_a_refusal(body: Object, field: Any) -> None:
    found = refusal(Write(body))
    assert found is not None
    assert found[0] == field


def test_mount_without_volume() -> None:
    container = {**RUNNER, "volumeMounts": [{"name": "a", "mountPath": "/a"}, {"name": "b", "mountPath": "/b"}]}
    pod = {"volumes": [{"name": "a"}], "containers": [container]}
    found = answer(Write(replica(runners=[{**DEFAULT, "template": {"spec": pod}}])))
    assert found is not None
    assert found[0] == ("spec", "runners", 0, "template", "spec", "containers", 0, "volumeMounts", 1, "name")


def test_runtime_without_piece() -> None:
    runtime = {"kind": "ClusterServingRuntime", "metadata": {"name": "rt"}, "spec": {"decoderConfig": {}}}
    body = replica(runners=[], runtimeRef={"name": "rt", "kind": "ClusterServingRuntime"})
    assert answer(Write(body, surroundings=surroundings(runtime))) == (
        ("spec", "runtimeRef", "name"),
        'ClusterServingRuntime "rt" has no engine piece; a engine replica cannot render from it',
    )
    assert refusal(Write(body, surroundings=surroundings())) is None


@pytest.mark.parametrize(
    ("version", "projected"),
    [("ome.io/v1beta1", True), ("ome.io/v2", True), ("ome.io", False), ("v1", False), ("ome.io/v1/x", False)],
)
def test_owner_of_any_version(version: str, projected: bool) -> None:
    owner = {"apiVersion": version, "kind": "InferenceService", "name": "chat", "uid": "u", "controller": True}
    body = replica()
    body["metadata"]["ownerReferences"] = [owner]
    assert (refusal(Write(body)) is not None) is projected


def test_changes() -> None:
    old = replica(replicas=1)
    assert refusal(Write(replica(replicas=2), old)) is None
    assert answer(Write(replica(replicas=1, component="decoder"), old)) == (
        ("spec", "component"),
        "spec.component is immutable",
    )
    controller = Actor("manager", controller=True, identified=True)
    assert refusal(Write(replica(replicas=1, paused=True), old, controller)) is None
    found = answer(Write(replica(replicas=2), old, controller))
    assert found is not None
    assert found[1].startswith("the InferenceService controller writes only rollout-control fields")


def test_metadata_of_a_refused_replica_may_change() -> None:
    """The shape is not judged again while the spec stays."""
    broken = replica(autoscaler={"class": "HPA"})
    assert refusal(Write(replica(annotations={"team": "a"}, autoscaler={"class": "HPA"}), broken)) is None
