"""Each component in the form of its mode, on either platform and release."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.accelerators import NO_ACCELERATOR
from omec.compile.autoscaling.block import component_autoscaler
from omec.compile.components import merge_components
from omec.compile.inputs import ServiceInputs
from omec.compile.modes import Mode
from omec.compile.native.forms import Means, component_workload, form_problems, modes_of, peers_of
from omec.compile.native.target import Target
from omec.compile.render import render
from omec.compile.replicas import fill_operator_defaults
from omec.compile.workload import Workload
from tests.compile.native_cases import LEADER_AND_WORKER, native, slugs
from tests.compile.rendering import RUNNER, Object, inputs

RUNTIME = {f"{name}Config": {"runner": RUNNER} for name in ("engine", "router")}
MULTI_NODE = {"annotations": {"ome.io/deploymentMode": "MultiNode"}, "leader": {}, "worker": {}}


def workloads(given: ServiceInputs, target: Target) -> dict[str, Workload]:
    components = merge_components(given)
    modes = modes_of(given, components, target)
    peers = peers_of(given, modes, target)
    found: dict[str, Workload] = {}
    for component in components:
        fill_operator_defaults(component.spec, component.name, given.operator)
        mode = modes[component.name]
        autoscaler = component_autoscaler(component, {}, None, legacy=mode is Mode.RAW_DEPLOYMENT)
        means = Means(None, NO_ACCELERATOR, None if mode is Mode.MULTI_NODE else autoscaler)
        found[component.name] = component_workload(given, component, mode, peers, target, means)
    return found


def problems(given: ServiceInputs, target: Target) -> list[Any]:
    components = merge_components(given)
    return list(form_problems(given, components, modes_of(given, components, target), target))


@pytest.mark.parametrize(
    ("spec", "runtime", "target", "kind"),
    [
        ({"engine": {}}, None, Target(), "Deployment"),
        ({"engine": {}}, None, Target("kubernetes"), "Deployment"),
        ({"deploymentMode": "OMENative", "engine": {}}, None, Target(), "InferenceReplica"),
        ({"deploymentMode": "OMENative", "engine": {}}, None, Target("kubernetes"), "Deployment"),
        ({"engine": {}}, LEADER_AND_WORKER, Target(), "InferenceReplica"),
        ({"engine": {}}, LEADER_AND_WORKER, Target("kubernetes"), "LeaderWorkerSet"),
        ({"engine": {}}, LEADER_AND_WORKER, Target(ome_version="1.2"), "LeaderWorkerSet"),
        ({"engine": MULTI_NODE}, LEADER_AND_WORKER, Target(), "LeaderWorkerSet"),
        ({"engine": MULTI_NODE}, LEADER_AND_WORKER, Target("kubernetes"), "LeaderWorkerSet"),
    ],
)
def test_form(spec: Object, runtime: Object | None, target: Target, kind: str) -> None:
    found = workloads(inputs(spec, runtime), target)["engine"]
    assert found.body["kind"] == kind
    template_labels = labels_of_serving_pods(found)
    if kind != "InferenceReplica":
        assert found.service["spec"]["selector"].items() <= template_labels.items()
        assert found.external_selector.items() <= template_labels.items()
    if found.scale_target is not None:
        body = found.body
        assert found.scale_target.to_dict() == {
            "apiVersion": body["apiVersion"],
            "kind": body["kind"],
            "name": body["metadata"]["name"],
        }


def labels_of_serving_pods(found: Workload) -> Object:
    spec = found.body["spec"]
    if found.body["kind"] == "LeaderWorkerSet":
        labels: Object = spec["leaderWorkerTemplate"]["leaderTemplate"]["metadata"]["labels"]
    elif found.body["kind"] == "InferenceReplica":
        labels = spec["runners"][0]["template"]["metadata"]["labels"]
    else:
        labels = spec["template"]["metadata"]["labels"]
    return labels


def test_deployments_are_as_ever() -> None:
    given = inputs({"engine": {"minReplicas": 2, "autoscaler": {"class": "None"}}, "router": {}}, RUNTIME)
    found = workloads(given, Target())
    assert [obj for item in found.values() for obj in (*item.access, item.body, item.service)] == [
        obj
        for obj in render(given).objects
        if obj["metadata"]["name"] != "chat" and obj["kind"] not in ("PodDisruptionBudget", "HorizontalPodAutoscaler")
    ]


@pytest.mark.parametrize(
    ("target", "slug"), [(Target(), "standalone-replica-loses"), (Target("kubernetes"), "kubernetes-platform-loses")]
)
def test_losses_are_said_once(target: Target, slug: str) -> None:
    assert slugs(problems(native({"engine": {}, "router": {}}, RUNTIME), target)) == [slug]
    assert problems(inputs(), target) == []


def test_old_release() -> None:
    old = Target(ome_version="1.2")
    assert slugs(problems(inputs({"engine": {}}, LEADER_AND_WORKER), old)) == []
    (problem, *_) = problems(native(), old)
    assert problem.message == "the engine runs in mode OMENative, which OME 1.2 does not have"


def test_names_of_sets_in_old_release() -> None:
    found = workloads(inputs({"engine": {}}, LEADER_AND_WORKER, name="c" * 50), Target(ome_version="1.2"))
    assert found["engine"].body["metadata"]["name"] == f"lws-{'c' * 43}-engine"
