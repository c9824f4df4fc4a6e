"""Judge of ``ir-projection.jsonl``: what OME projects from an InferenceService (INFERENCEREPLICA.md).

The rows hold OME's own replicas. omec derives the same values and writes them as standalone replicas; the judge puts
the values into OME's form, and the form that omec writes is a matter of its own tests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omec.compile.accelerators import component_accelerator
from omec.compile.autoscaling.block import component_autoscaler
from omec.compile.autoscaling.objects import Identity, ScaleTarget
from omec.compile.autoscaling.scale import Policies, scale
from omec.compile.capabilities import ASSUMED
from omec.compile.cluster import Cluster
from omec.compile.components import Component, merge_components
from omec.compile.deployment import deployment
from omec.compile.disruption import available_pods, component_budget, pod_disruption_budget
from omec.compile.disruption_settings import Budget, disruption_settings
from omec.compile.gather import gather
from omec.compile.inputs import ServiceInputs
from omec.compile.metadata import component_annotations, component_labels, workload_labels
from omec.compile.modes import Mode, component_mode
from omec.compile.names import component_name
from omec.compile.native.admission import CONTROLLER, Write, refusal
from omec.compile.native.defaults import NativeDefaults, native_defaults
from omec.compile.native.labels import pod_selector
from omec.compile.native.lifecycle import min_ready_seconds
from omec.compile.native.names import replica_name
from omec.compile.native.projection import Projection, project
from omec.compile.native.runners import runners
from omec.compile.native.services import replica_service
from omec.compile.operator import OperatorConfigError, operator_config_of_config_map
from omec.compile.pod import build_pod
from omec.compile.problems import RenderError
from omec.compile.rbac import router_access
from omec.compile.replicas import fill_operator_defaults, fixed_replicas, replica_bounds
from omec.compile.services import component_service
from omec.compile.weights import weights_of
from omec.resolve.decide import Decider
from omec.resolve.inherit import ChainResolver
from tests.oracle.comparison import comparable
from tests.oracle.interface import Answer, Row, skip
from tests.oracle.objects import catalog_of, load_objects
from tests.oracle.render import operator_settings

KIND = "ir-projection"

KINDS = (
    "InferenceReplica",
    "Service",
    "PodDisruptionBudget",
    "HorizontalPodAutoscaler",
    "ScaledObject",
    "Deployment",
    "ServiceAccount",
    "Role",
    "RoleBinding",
)

Object = dict[str, Any]


def accepts(row: Row) -> bool:
    return row.get("basis") in ("code", "code+merge")


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    if data is None and any("kind" not in ref for ref in row["objects"]):
        return {"error": skip("needs the corpus")}
    error, objects = _projected(row, data or Path())
    expected = row["expected"]
    answers = {"error": Answer(bool(expected.get("error")), bool(error))}
    if expected.get("error") or error:
        return answers
    for kind in KINDS:
        answers[kind] = Answer(_by_name(kind, expected["objects"]), _by_name(kind, objects))
    answers["replicaRefused"] = Answer(expected.get("replicaRefused") or {}, _refused(objects))
    return answers


def projections(row: Row, data: Path) -> list[Projection]:
    """The OMENative components of the row's service, which must not be refused."""
    inputs, defaults, _ = _gathered(row, data)
    return [
        _projection(inputs, component, defaults)
        for component in merge_components(inputs)
        if component_mode(inputs.service.spec, component.spec) is Mode.OME_NATIVE
    ]


def _projected(row: Row, data: Path) -> tuple[str | None, list[Object]]:
    try:
        inputs, defaults, budgets = _gathered(row, data)
        return None, [obj for part in merge_components(inputs) for obj in _component(inputs, part, defaults, budgets)]
    except (_RefusedError, OperatorConfigError) as error:
        return str(error), []
    except RenderError as error:
        return error.problem.message, []


class _RefusedError(Exception):
    """A service that no runtime is found for."""


def _gathered(row: Row, data: Path) -> tuple[ServiceInputs, NativeDefaults, Mapping[Mode, Budget]]:
    catalog = catalog_of(load_objects(row["objects"], data, keep="last"))
    (service,) = catalog.of_kind("InferenceService")
    decision = Decider(catalog, ChainResolver(catalog)).service(service)
    if decision.error is not None:
        raise _RefusedError(decision.error)
    config = operator_settings(row.get("config") or {})
    settings = {key: json.loads(config[key]) for key in ("deploy", "podDisruptionBudget") if key in config}
    budgets = disruption_settings(settings.get("podDisruptionBudget"))
    inputs = gather(decision, catalog, Cluster(operator=operator_config_of_config_map(config), metadata=False))
    return inputs, native_defaults(settings.get("deploy") or {}), budgets


def _projection(inputs: ServiceInputs, component: Component, defaults: NativeDefaults) -> Projection:
    fill_operator_defaults(component.spec, component.name, inputs.operator)
    return project(
        inputs,
        component,
        defaults,
        weights=weights_of(inputs.model),
        accelerator=component_accelerator(inputs, component),
        autoscaler=component_autoscaler(component, {}, None, legacy=False).block,
    )


def _component(
    inputs: ServiceInputs, component: Component, defaults: NativeDefaults, budgets: Mapping[Mode, Budget]
) -> list[Object]:
    mode = component_mode(inputs.service.spec, component.spec)
    if mode is Mode.RAW_DEPLOYMENT:
        return deployment_objects(inputs, component)
    projection = _projection(inputs, component, defaults)
    name = replica_name(projection.service.name, component.name)
    namespace = projection.service.namespace
    objects = [_replica(projection), replica_service(projection, projection.service.name)]
    if (budget := component_budget(component, mode, budgets)) is not None:
        pods = available_pods(budget, projection.bounds.minimum * projection.pods_per_instance)
        objects.append(
            pod_disruption_budget(
                name,
                namespace,
                Budget("minAvailable", pods),
                selector=pod_selector(projection.service.name, component.name),
                labels=projection.labels,
                annotations=projection.annotations,
            )
        )
    scaling = scale(
        component,
        mode,
        projection.service.name,
        identity=Identity(name, namespace, projection.template_labels, projection.template_annotations),
        target=ScaleTarget.inference_replica(name),
        bounds=projection.bounds,
        policies=Policies(),
        capabilities=ASSUMED,
    )
    if scaling.scaler is not None:
        objects.append(scaling.scaler)
    if component.name == "router":
        objects += router_access(name, namespace, component_labels(inputs, "router", component.spec))
    return objects


def deployment_objects(inputs: ServiceInputs, component: Component) -> list[Object]:
    """A component in another mode, beside the replicas."""
    fill_operator_defaults(component.spec, component.name, inputs.operator)
    accelerator = component_accelerator(inputs, component)
    pod = build_pod(inputs, component, weights=weights_of(inputs.model), accelerator=accelerator)
    service = inputs.service
    name = component_name(service.name, component.name)
    annotations = component_annotations(inputs, component.name, component.spec)
    labels = component_labels(inputs, component.name, component.spec)
    access = router_access(name, service.namespace, labels) if component.name == "router" else []
    labels = workload_labels(labels, annotations, service.name, component.name)
    body = deployment(
        name,
        service.namespace,
        labels=labels,
        annotations=annotations,
        pod=pod.spec,
        strategy=component.spec.get("deploymentStrategy"),
        replicas=fixed_replicas(component, replica_bounds(component)),
    )
    address = component_service(
        service,
        component.name,
        labels=labels,
        annotations=annotations,
        container=pod.spec["containers"][0],
        app_protocols=component.spec.get("servicePortAppProtocols") or {},
    )
    return [*access, body, address]


def _replica(projection: Projection) -> Object:
    """OME's own InferenceReplica of ``projection``."""
    component = projection.component
    spec: Object = {
        "parentRef": {"name": projection.service.name},
        "component": component.name,
        "replicas": projection.bounds.minimum,
        "runners": runners(projection),
        "lifecycle": projection.lifecycle,
        "revisionHistoryLimit": projection.revision_history_limit,
        "pairingProtocol": projection.pairing_protocol,
        "autoscaler": projection.autoscaler,
        **projection.topology,
        **projection.pause,
    }
    if seconds := min_ready_seconds(projection.lifecycle):
        spec["minReadySeconds"] = seconds
    annotations = {"ome.io/controller-write": "true"}
    declared = component.spec.get("annotations") or {}
    if excluded := sorted(key for key in projection.service.annotations if key not in declared):
        annotations["ome.io/revision-excluded-annotation-keys"] = ",".join(excluded)
    return {
        "apiVersion": "ome.io/v1beta1",
        "kind": "InferenceReplica",
        "metadata": {
            "name": replica_name(projection.service.name, component.name),
            "namespace": projection.service.namespace,
            "labels": dict(projection.replica_labels),
            "annotations": annotations,
            "ownerReferences": [
                {"apiVersion": "ome.io/v1beta1", "kind": "InferenceService", "name": projection.service.name}
                | {"controller": True, "blockOwnerDeletion": True}
            ],
        },
        "spec": {key: value for key, value in spec.items() if value is not None},
    }


def _refused(objects: list[Object]) -> dict[str, str]:
    """The replicas that OME's own webhook would refuse, although its controller writes them."""
    answers = {
        obj["metadata"]["name"]: refusal(Write(obj, actor=CONTROLLER))
        for obj in objects
        if obj["kind"] == "InferenceReplica"
    }
    return {name: fault[1] for name, fault in answers.items() if fault is not None}


def _by_name(kind: str, objects: list[Object]) -> dict[str, Any]:
    found = (obj for obj in objects if obj["kind"] == kind and not _scales_deployment(obj))
    return {obj["metadata"]["name"]: comparable(obj) for obj in found}


def _scales_deployment(obj: Object) -> bool:
    return obj["spec"].get("scaleTargetRef", {}).get("kind") == "Deployment" if "spec" in obj else False
