"""Judge of the cases of ``render/*.jsonl`` that have LeaderWorkerSets: these, and the objects beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from omec.compile.accelerators import component_accelerator
from omec.compile.components import Component, merge_components
from omec.compile.gather import gather
from omec.compile.inputs import ServiceInputs
from omec.compile.modes import Mode, component_mode
from omec.compile.native.multinode import multi_node_workload
from omec.compile.operator import operator_config_of_config_map
from omec.compile.replicas import fill_operator_defaults
from omec.compile.weights import weights_of
from omec.resolve.decide import Decider
from omec.resolve.inherit import ChainResolver
from tests.oracle.interface import Answer, Row, skip
from tests.oracle.ir_projection import deployment_objects
from tests.oracle.objects import catalog_of, load_objects
from tests.oracle.render import _comparable, _config

KIND = "lws"

KINDS = ("LeaderWorkerSet", "Service", "Deployment")

Object = dict[str, Any]


def accepts(row: Row) -> bool:
    return "v13" in row and any(obj["kind"] == "LeaderWorkerSet" for obj in _expected(row))


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    if row["v13"] == "unknown":
        return {"LeaderWorkerSet": skip("the answer of OME 1.3 is not known")}
    if data is None and any("kind" not in ref for ref in row["objects"]):
        return {"LeaderWorkerSet": skip("needs the corpus")}
    catalog = catalog_of(load_objects(row["objects"], data or Path(), keep="last"))
    (service,) = catalog.of_kind("InferenceService")
    if (service.spec.get("model") or {}).get("fineTunedWeights"):
        return {"LeaderWorkerSet": skip("fine-tuned weights are not rendered yet")}
    decision = Decider(catalog, ChainResolver(catalog)).service(service)
    operator = operator_config_of_config_map(_config(row.get("config") or {}))
    inputs = gather(decision, catalog, operator, metadata=False)
    objects = [obj for component in merge_components(inputs) for obj in _objects(inputs, component)]
    return {kind: Answer(_by_name(kind, _expected(row)), _by_name(kind, objects)) for kind in KINDS}


def _expected(row: Row) -> list[Object]:
    answer = row["expectedV13"] if row["v13"] in ("differs", "only") else row["expected"]
    objects: list[Object] = answer.get("objects") or []
    return objects


def _objects(inputs: ServiceInputs, component: Component) -> list[Object]:
    if component_mode(inputs.service.spec, component.spec) is not Mode.MULTI_NODE:
        return deployment_objects(inputs, component)
    fill_operator_defaults(component.spec, component.name, inputs.operator)
    weights, accelerator = weights_of(inputs.model), component_accelerator(inputs, component)
    workload = multi_node_workload(inputs, component, weights=weights, accelerator=accelerator)
    return [workload.body, workload.service]


def _by_name(kind: str, objects: list[Object]) -> dict[str, Any]:
    """The objects of a kind by name, but for the Service of the whole InferenceService."""
    found = (obj for obj in objects if obj["kind"] == kind)
    return {
        obj["metadata"]["name"]: _comparable(_without_names(obj), unordered=False)
        for obj in found
        if (obj["metadata"].get("labels") or {}).get("component") != "external-service"
    }


def _without_names(obj: Object) -> Object:
    if obj["kind"] != "LeaderWorkerSet":
        return obj
    group = obj["spec"]["leaderWorkerTemplate"]
    templates = {
        part: {
            **group[part],
            "metadata": {k: v for k, v in group[part]["metadata"].items() if k not in ("name", "namespace")},
        }
        for part in ("leaderTemplate", "workerTemplate")
    }
    return {**obj, "spec": {**obj["spec"], "leaderWorkerTemplate": {**group, **templates}}}
