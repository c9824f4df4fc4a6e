"""Small services of mode OMENative, and what becomes of their components."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from omec.compile.accelerators import component_accelerator
from omec.compile.autoscaling.block import component_autoscaler
from omec.compile.components import Component, merge_components
from omec.compile.inputs import ServiceInputs
from omec.compile.modes import Mode, component_mode
from omec.compile.names import ComponentName
from omec.compile.native.defaults import CHART_DEFAULTS, NativeDefaults
from omec.compile.native.kubernetes.workload import kubernetes_workload
from omec.compile.native.multinode import multi_node_workload
from omec.compile.native.names import replica_name
from omec.compile.native.peers import Peers
from omec.compile.native.projection import Projection, project
from omec.compile.native.render import native_workload
from omec.compile.problems import Problem
from omec.compile.replicas import fill_operator_defaults
from omec.compile.weights import weights_of
from omec.compile.workload import Workload
from tests.compile.rendering import RUNNER, Object, inputs

NO_DEFAULTS = NativeDefaults()

LEADER_AND_WORKER: Object = {
    "engineConfig": {"leader": {"runner": RUNNER}, "worker": {"size": 2, "runner": RUNNER}},
}
"""A runtime for engines of three pods."""


def native(spec: Object | None = None, runtime: Object | None = None, **more: Any) -> ServiceInputs:
    """A service ``prod/chat`` like that of :func:`inputs`, all of it in mode OMENative."""
    return inputs({"deploymentMode": "OMENative", **({"engine": {}} if spec is None else spec)}, runtime, **more)


def component_of(given: ServiceInputs, name: ComponentName = "engine") -> Component:
    (found,) = (component for component in merge_components(given) if component.name == name)
    fill_operator_defaults(found.spec, found.name, given.operator)
    return found


def projected(
    given: ServiceInputs, name: ComponentName = "engine", defaults: NativeDefaults = NO_DEFAULTS
) -> Projection:
    component = component_of(given, name)
    return project(
        given,
        component,
        defaults,
        weights=weights_of(given.model),
        accelerator=component_accelerator(given, component),
        autoscaler=component_autoscaler(component, {}, None, legacy=False).block,
    )


def workload(
    given: ServiceInputs,
    name: ComponentName = "engine",
    defaults: NativeDefaults = CHART_DEFAULTS,
    *,
    platform: str = "ome",
) -> Workload:
    """What a component of mode OMENative becomes on ``platform``."""
    component = component_of(given, name)
    render = native_workload if platform == "ome" else kubernetes_workload
    return render(
        given,
        component,
        defaults,
        peers_of(given, platform),
        weights=weights_of(given.model),
        accelerator=component_accelerator(given, component),
        autoscaler=component_autoscaler(component, {}, None, legacy=False).block,
    )


def peers_of(given: ServiceInputs, platform: str = "ome") -> Peers:
    """The components of the service, OMENative ones as replicas."""
    service = given.service
    prefixes = {}
    for component in merge_components(given):
        is_replica = platform == "ome" and component_mode(service.spec, component.spec) is Mode.OME_NATIVE
        prefixes[component.name] = replica_name(service.name, component.name) if is_replica else service.name
    return Peers(service.name, service.namespace, prefixes)


def set_workload(given: ServiceInputs, *, ome_version: str = "1.3") -> Workload:
    """The engine in mode MultiNode."""
    component = component_of(given)
    return multi_node_workload(
        given,
        component,
        weights=weights_of(given.model),
        accelerator=component_accelerator(given, component),
        ome_version=ome_version,
    )


def slugs(problems: Any) -> list[str]:
    return [problem.rule.slug for problem in problems]


def only(problems: Any, slug: str) -> Problem:
    """The one problem of this rule."""
    (found,) = (problem for problem in problems if problem.rule.slug == slug)
    assert isinstance(found, Problem)
    return found


def environment(container: Mapping[str, Any]) -> dict[str, Any]:
    """The variables of a container by name: the text, or where it comes from."""
    return {item["name"]: item.get("value", item.get("valueFrom")) for item in container.get("env") or ()}


ENGINES = st.fixed_dictionaries(
    {},
    optional={
        "minReplicas": st.integers(0, 4),
        "maxReplicas": st.integers(1, 4),
        "autoscaler": st.sampled_from([{"class": "None"}, {"class": "External"}, {"class": "HPA"}]),
        "topologyKey": st.just("clique"),
        "topologySpread": st.sampled_from(["Required", "Preferred"]),
        "labels": st.dictionaries(st.sampled_from(["team", "ome.io/runner", "component"]), st.just("x")),
        "annotations": st.dictionaries(st.sampled_from(["team", "prometheus.io/port"]), st.just("1")),
        "leader": st.just({}),
        "worker": st.fixed_dictionaries({}, optional={"size": st.integers(1, 4)}),
        "lifecycle": st.fixed_dictionaries(
            {},
            optional={
                "minReadySeconds": st.integers(0, 60),
                "restartPolicy": st.sampled_from(["None", "RecreateInstanceOnPodRestart"]),
                "instanceReadyTimeout": st.sampled_from(["30m", "1h30m"]),
                "updateStrategy": st.fixed_dictionaries(
                    {},
                    optional={
                        "type": st.sampled_from(["SurgeThenDrain", "RecreatePod", "InPlaceOnly"]),
                        "rollingUpdate": st.fixed_dictionaries(
                            {}, optional={"maxSurge": st.integers(0, 2), "maxUnavailable": st.just("25%")}
                        ),
                    },
                ),
            },
        ),
    },
)
"""Blocks ``spec.engine``, valid by themselves."""
