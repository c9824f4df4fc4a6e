"""Replicas that the repository holds: checked at their own lines (reference 05 §3 and §4)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.catalog import Catalog, Resource
from omec.compile.native.standalone import needed_resources, replica_findings, without_controller
from omec.compile.native.surroundings import Surroundings
from omec.compile.validate import Validator
from omec.finding import Finding
from omec.resolve.inherit import INHERIT_FROM, ChainResolver
from tests.compile.rendering import RUNNER, Object
from tests.oracle.objects import catalog_of

VALIDATOR = Validator()
RUNTIME = {"kind": "ClusterServingRuntime", "metadata": {"name": "rt"}, "spec": {"engineConfig": {"runner": RUNNER}}}
CHILD = {
    "kind": "ClusterServingRuntime",
    "metadata": {"name": "child", "annotations": {INHERIT_FROM: "rt"}},
    "spec": {},
}
MODEL = {"kind": "ClusterBaseModel", "metadata": {"name": "m"}, "spec": {}}


def runner(name: str = "default", size: int = 1, **container: Any) -> Object:
    return {"name": name, "size": size, "template": {"spec": {"containers": [{**RUNNER, **container}]}}}


def catalog_with(*others: Object, name: str = "pool", **spec: Any) -> tuple[Catalog, Resource]:
    body = {
        "kind": "InferenceReplica",
        "metadata": {"name": name, "namespace": "prod"},
        "spec": {"component": "engine", "runners": [runner()], **spec},
    }
    catalog = catalog_of([body, *others])
    (replica,) = catalog.of_kind("InferenceReplica")
    return catalog, replica


def findings(*others: Object, **more: Any) -> list[Finding]:
    catalog, replica = catalog_with(*others, **more)
    return replica_findings(replica, Surroundings(catalog, ChainResolver(catalog)), VALIDATOR)


PAIR = [runner("leader"), runner("worker", 2)]


@pytest.mark.parametrize(
    ("spec", "slug", "field"),
    [
        ({}, None, None),
        ({"runners": PAIR}, None, None),
        ({"autoscaler": {"class": "HPA"}}, "replica-refused", "spec.autoscaler.class"),
        ({"component": "prefill"}, "replica-component-unknown", "spec.component"),
        ({"name": "a" * 42}, "replica-name-unusable", "metadata.name"),
        ({"runners": PAIR[::-1]}, "replica-shape-unusable", "spec.runners"),
        ({"runners": [runner("worker", 2)]}, "replica-shape-unusable", "spec.runners"),
        ({"runners": [runner(size=2)]}, "replica-shape-unusable", "spec.runners[0].size"),
        (
            {"lifecycle": {"updateStrategy": {"rollingUpdate": {"maxSurge": 0}}}},
            "rollout-stalls",
            "spec.lifecycle.updateStrategy.rollingUpdate.maxSurge",
        ),
        (
            {"lifecycle": {"updateStrategy": {"type": "RecreatePod"}}},
            "recreation-unbounded",
            "spec.lifecycle.updateStrategy",
        ),
        (
            {"runners": PAIR, "lifecycle": {"readyPolicy": "None"}},
            "ready-policy-multi-pod",
            "spec.lifecycle.readyPolicy",
        ),
        (
            {"runners": [runner(args=["--port=1", "$(LWS_GROUP_SIZE)"])]},
            "controller-variable-foreign",
            "spec.runners[0].template.spec.containers[0].args[1]",
        ),
        (
            {"runners": [runner(args=["$(OME_LEADER_ADDRESS)"])]},
            "controller-variable-foreign",
            "spec.runners[0].template.spec.containers[0].args[0]",
        ),
        (
            {"runners": [runner(args=["$(OME_DECODER_ENDPOINT)"])]},
            "peer-endpoint-missing",
            "spec.runners[0].template.spec.containers[0]",
        ),
        # What the author of a standalone replica calls the service is the replica.
        ({"runners": [runner(args=["$(OME_INFERENCESERVICE_NAME)"])]}, None, None),
        (
            {"runners": [runner(ports=[{"containerPort": 0}])]},
            "object-refused",
            "spec.runners[0].template.spec.containers[0].ports[0].containerPort",
        ),
        (
            {"runners": [], "modelRef": {"name": "x"}},
            "replica-reference-missing",
            "spec.modelRef.name",
        ),
        ({"runners": [], "runtimeRef": {"name": "x"}}, "replica-reference-missing", "spec.runtimeRef.name"),
        ({"runners": [], "modelRef": {"name": "m"}, "runtimeRef": {"name": "rt"}}, None, None),
    ],
)
def test_findings(spec: Object, slug: str | None, field: str | None) -> None:
    found = [(finding.rule.slug, finding.field) for finding in findings(RUNTIME, MODEL, **spec)]
    assert found == ([] if slug is None else [(slug, field)])


def test_init_container() -> None:
    pod = {"containers": [RUNNER], "initContainers": [{**RUNNER, "name": "i", "args": ["$(OME_COMPONENT)"]}]}
    (found,) = findings(runners=[{"name": "default", "size": 1, "template": {"spec": pod}}])
    assert found.message == (
        "init container i of InferenceReplica prod/pool uses $(OME_COMPONENT), which it does not get"
    )
    assert found.field == "spec.runners[0].template.spec.initContainers[0].args[0]"


def test_collision_with_a_service() -> None:
    service = {"kind": "InferenceService", "metadata": {"name": "pool", "namespace": "prod"}, "spec": {}}
    (found,) = findings(service)
    assert found.message == (
        "InferenceReplica prod/pool: InferenceService prod/pool exists and the replicas it projects would share pod "
        "and Service names with this one; choose another name"
    )
    assert (found.field, found.help) == ("metadata.name", "rename the replica; a new name means new pods")


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ({}, []),
        ({"runners": [], "modelRef": {"name": "m"}, "runtimeRef": {"name": "child"}}, ["child", "m", "rt"]),
    ],
)
def test_needed_resources(spec: Object, names: list[str]) -> None:
    catalog, replica = catalog_with(RUNTIME, CHILD, MODEL, **spec)
    needed = needed_resources(replica, Surroundings(catalog, ChainResolver(catalog)))
    assert sorted(resource.name for resource in needed) == names


def test_platform_without_controller() -> None:
    _, replica = catalog_with()
    found = without_controller(replica)
    assert (found.rule.slug, found.field) == ("replica-without-controller", "kind")
