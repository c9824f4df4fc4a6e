"""Services in front of replicas: reference 05 §9.2. The oracle covers the refusals."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.inputs import Service
from omec.compile.native.front import Front, fronts
from omec.compile.native.surroundings import Surroundings
from omec.compile.problems import RenderError
from omec.resolve.inherit import ChainResolver
from tests.compile.rendering import RUNNER, Object
from tests.oracle.objects import catalog_of

PORTS = {"ports": [{"name": "http", "containerPort": 8000}]}
SERVED = {**RUNNER, **PORTS}
PAIR_RUNTIME = {
    "kind": "ClusterServingRuntime",
    "metadata": {"name": "rt"},
    "spec": {"engineConfig": {"leader": {"runner": SERVED}, "worker": {"runner": RUNNER}}},
}


def replica(name: str, component: str = "engine", **spec: Any) -> Object:
    template = {"spec": {"containers": [SERVED]}}
    own = spec or {"runners": [{"name": "default", "size": 1, "template": template}]}
    return {
        "kind": "InferenceReplica",
        "metadata": {"name": name, "namespace": "prod"},
        "spec": {"component": component, **own},
    }


def fronted(*objects: Object, **spec: Any) -> list[Front]:
    catalog = catalog_of(list(objects))
    service = Service("chat", "prod", {}, {}, spec)
    return fronts(service, Surroundings(catalog, ChainResolver(catalog)))


def test_roles() -> None:
    found = fronted(
        replica("router-a", "router"), replica("pool"), replicaRefs={"router": ["router-a"], "engine": ["pool"]}
    )
    assert [(front.component, front.replica) for front in found] == [("engine", "pool"), ("router", "router-a")]
    selector = {"ome.io/inferenceservice": "pool", "component": "engine", "ome.io/managed-by": "OMENative"}
    assert found[0].selector == found[0].external_selector == selector
    assert found[0].service == {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": "chat-engine",
            "namespace": "prod",
            "labels": {"ome.io/inferenceservice": "chat", "component": "engine"},
        },
        "spec": {
            "type": "ClusterIP",
            "selector": selector,
            "ports": [{"name": "http", "port": 8000, "targetPort": 8000, "protocol": "TCP"}],
        },
    }


def test_replica_that_renders_from_a_runtime() -> None:
    """Its ports and its leader are the runtime's."""
    by_reference = replica("pool", runtimeRef={"name": "rt", "kind": "ClusterServingRuntime"})
    (found,) = fronted(PAIR_RUNTIME, by_reference, replicaRefs={"engine": ["pool"]})
    assert [port["port"] for port in found.service["spec"]["ports"]] == [8000]
    assert found.service["spec"]["selector"]["ome.io/runner"] == "leader"
    assert found.external_selector == {**found.selector, "ome.io/runner": "leader"}


def test_replica_of_an_unknown_runtime() -> None:
    by_reference = replica("pool", runtimeRef={"name": "rt", "kind": "ClusterServingRuntime"})
    (found,) = fronted(by_reference, replicaRefs={"engine": ["pool"]})
    assert found.service["spec"]["ports"] == [{"port": 8080, "targetPort": 8080, "protocol": "TCP"}]


@pytest.mark.parametrize(
    ("spec", "steps", "message", "help_"),
    [
        (
            {"replicaRefs": {"engine": ["pool"]}, "engine": {}},
            ("spec", "engine"),
            "spec.engine and spec.replicaRefs cannot both be set; a service references all of its roles or none",
            "correct the field that the message names",
        ),
        (
            {"replicaRefs": {"engine": ["pool"]}, "rollout": {}},
            ("spec", "rollout"),
            "spec.rollout is not accepted with spec.replicaRefs; a referenced replica rolls on its own",
            "correct the field that the message names",
        ),
        (
            {"replicaRefs": {"engine": ["pool"]}, "deploymentMode": "RawDeployment"},
            ("spec", "deploymentMode"),
            "spec.deploymentMode RawDeployment is not accepted with spec.replicaRefs; a referenced replica is "
            "OMENative",
            "correct the field that the message names",
        ),
        (
            {"replicaRefs": {"engine": ["other"]}},
            ("spec", "replicaRefs", "engine", 0),
            "spec.replicaRefs.engine names InferenceReplica prod/other, which does not exist; create it first",
            "add the replica to the repository, or its folder to [[sources]] in omec.toml",
        ),
        (
            {"replicaRefs": {"engine": ["decoder"]}},
            ("spec", "replicaRefs", "engine", 0),
            "spec.replicaRefs.engine names InferenceReplica prod/decoder, whose component is decoder",
            "correct the field that the message names",
        ),
    ],
)
def test_refusals(spec: Object, steps: Any, message: str, help_: str) -> None:
    with pytest.raises(RenderError) as caught:
        fronted(replica("pool"), replica("decoder", "decoder"), **spec)
    problem = caught.value.problem
    assert problem.rule.slug == "replica-refs-refused"
    assert (problem.place.steps, problem.message, problem.help) == (steps, message, help_)


def test_replica_of_another_service() -> None:
    other = {
        "kind": "InferenceService",
        "metadata": {"name": "other", "namespace": "prod"},
        "spec": {"replicaRefs": {"engine": ["pool"]}},
    }
    with pytest.raises(RenderError, match="which InferenceService other already fronts; a replica has one service"):
        fronted(replica("pool"), other, replicaRefs={"engine": ["pool"]})
