"""Generated repositories: a runtime with a parent, an InferenceService on it, and all that both may name."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.generated.pools import MAPS
from tests.generated.values import part

Draw = Callable[[st.SearchStrategy[Any]], Any]
Object = dict[str, Any]

COMPONENTS = {"engine": "Engine", "decoder": "Decoder", "router": "Router"}

_RUNNER: Object = {
    "name": "ome-container",
    "image": "docker.io/lmsysorg/sglang:v0.5.5",
    "command": ["python3", "-m", "sglang.launch_server", "--model-path=$(MODEL_PATH)"],
    "args": ["--tp-size=1"],
    "ports": [{"containerPort": 8080, "name": "http", "protocol": "TCP"}],
    "resources": {"limits": {"cpu": "10", "memory": "30Gi", "nvidia.com/gpu": "1"}},
}
_VOLUMES: list[Object] = [
    {"name": "shm", "emptyDir": {"medium": "Memory"}},
    {"name": "cache", "emptyDir": {}},
]
_MULTI_NODE = ("leader", "worker")

SETTINGS: list[Object] = [
    {},
    {"deploy": {"defaultDeploymentMode": "OMENative"}},
    {"ingress": {"disableIngressCreation": False, "ingressDomain": "example.com"}},
    {
        "ingress": {
            "disableIngressCreation": False,
            "enableGatewayAPI": True,
            "omeIngressGateway": "gateways/main",
            "ingressDomain": "example.com",
        }
    },
    {"acceleratorResources": ["amd.com/gpu", "nvidia.com/gpu"]},
]
"""Tables of ``[operator]``."""

CAPABILITIES = [
    "gateway.envoyproxy.io",
    "gateway.networking.k8s.io",
    "keda.sh",
    "monitoring.coreos.com",
    "networking.istio.io",
]
"""The optional APIs of a cluster that has all of them."""


@dataclass(frozen=True)
class Generated:
    """The objects of a repository, and its configuration."""

    objects: list[Object]
    config: Object

    def __repr__(self) -> str:
        return f"config = {self.config!r}\n" + "\n".join(json.dumps(body) for body in self.objects)


@st.composite
def repositories(draw: Draw) -> Generated:
    """A repository whose manifests satisfy the schemas, for either platform."""
    names = [name for name in COMPONENTS if name == "engine" or _rarely(draw)]
    parent = {f"{name}Config": _component(draw, name, f"{COMPONENTS[name]}Spec", base=True) for name in names}
    child = {
        f"{name}Config": _component(draw, name, f"{COMPONENTS[name]}Spec", base=False)
        for name in names
        if draw(st.booleans())
    }
    formats = [{"modelFormat": {"name": "safetensors"}, "modelFramework": {"name": "transformers"}}]
    if _rarely(draw):
        formats[0]["acceleratorConfig"] = {"a100": draw(part("AcceleratorModelConfig"))}
        child["acceleratorRequirements"] = {"acceleratorClasses": ["a100", "h100"]}
    parent |= {"supportedModelFormats": formats}
    pods = ("volumes", "nodeSelector", "affinity", "tolerations", "imagePullSecrets", "hostIPC", "dnsPolicy", "labels")
    child |= draw(part("ServingRuntimeSpec", fields=(*pods, "annotations", "scalingPolicy"), most=2))
    objects = [
        _named("ClusterServingRuntime", "parent", parent),
        _named("ClusterServingRuntime", "child", child, annotations={"ome.io/inherit-from": "parent"}),
        _named("ClusterBaseModel", "model", _model(draw)),
        _named("ClusterBaseModel", "overlay", _model(draw)),
        _service(draw, names),
        *_surroundings(draw),
    ]
    return Generated(objects, _config(draw))


def _component(draw: Draw, name: str, type_: str, *, base: bool) -> Object:
    """A component of a runtime or service; ``base`` gives it what makes it run."""
    spec = draw(part(type_, most=4))
    for place in ("runner", *_MULTI_NODE):
        if place in spec and not (place == "worker" and base):
            spec.pop(place)
    kinds = (
        {"runner": "core.v1.Container"}
        if not type_.startswith("Service")
        else {"runner": "core.v1.Container.ServiceRunner"}
    )
    if base or draw(st.booleans()):
        spec["runner"] = {**(copy.deepcopy(_RUNNER) if base else {}), **draw(part(kinds["runner"], most=3))}
        spec["runner"]["name"] = "ome-container"
    if name != "router" and _rarely(draw):
        for place, kind in (("leader", "LeaderSpec"), ("worker", "WorkerSpec")):
            spec[place] = draw(part(kind, most=2))
            if base:
                spec[place]["runner"] = {
                    **copy.deepcopy(_RUNNER),
                    **spec[place].get("runner", {}),
                    "name": "ome-container",
                }
        spec["worker"].setdefault("size", 1)
    if base:
        spec["volumes"] = copy.deepcopy(_VOLUMES) + spec.get("volumes", [])
    return spec


def _service(draw: Draw, names: list[str]) -> Object:
    spec: Object = {
        "model": {**draw(part("ModelRef", fields=("fineTunedWeights", "overlays"), most=1)), "name": "model"},
        "runtime": {"name": "child"},
    }
    for name in names:
        spec[name] = _component(draw, name, f"Service{COMPONENTS[name]}Spec", base=False) if draw(st.booleans()) else {}
    fields = ("deploymentMode", "acceleratorSelector", "traffic", "rollout", "scalingPolicy")
    spec |= draw(part("InferenceServiceSpec", fields=fields, most=2))
    metadata = {name: draw(_maps(name)) for name in ("labels", "annotations") if draw(st.booleans())}
    return {
        "apiVersion": "ome.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {"name": draw(st.sampled_from(["chat", "a" * 50, "x1"])), "namespace": "llm", **metadata},
        "spec": spec,
    }


def _rarely(draw: Draw) -> bool:
    return bool(draw(st.sampled_from([False, False, False, True])))


@st.composite
def _maps(draw: Draw, name: str) -> Object:
    keys = draw(st.lists(st.sampled_from(sorted(MAPS[name])), unique=True, max_size=3))
    return {key: draw(st.sampled_from(MAPS[name][key])) for key in keys}


def _model(draw: Draw) -> Object:
    storage = draw(part("StorageSpec", fields=("path", "storageUri", "parameters", "key"), most=3))
    return {
        "modelFormat": {"name": "safetensors"},
        "modelFramework": {"name": "transformers"},
        "modelParameterSize": "8B",
        "vendor": "meta",
        "storage": {"storageUri": "hf://a/b", "path": "/raid/models/x", **storage},
    }


def _surroundings(draw: Draw) -> list[Object]:
    discovery = draw(part("AcceleratorDiscovery", fields=("nodeSelector", "affinity"), most=2))
    capabilities = {"memoryGB": "80", "features": ["fp8"]}
    resources = [{"name": "nvidia.com/gpu", "quantity": "2"}]
    weights = draw(part("StorageSpec", fields=("storageUri", "path"), most=2))
    tuned = {
        "baseModelRef": {"name": "model"},
        "modelType": "lora",
        "hyperParameters": {"strategy": "lora"},
        "storage": {"storageUri": "hf://a/lora", "path": "/raid/weights", **weights},
    }
    progression = draw(st.sampled_from([("canary", "GroupCanary"), ("blueGreen", "GroupBlueGreen")]))
    return [
        _named(
            "AcceleratorClass", "a100", {"discovery": discovery, "capabilities": capabilities, "resources": resources}
        ),
        _named("AcceleratorClass", "h100", {"discovery": {}, "capabilities": capabilities}),
        _named("FineTunedWeight", "weights", tuned),
        _named("AutoscalerPolicy", "policy", _policy(draw), namespace="llm"),
        _named("RolloutPolicy", "policy", {progression[0]: draw(part(progression[1]))}, namespace="llm"),
    ]


def _policy(draw: Draw) -> Object:
    if draw(st.booleans()):
        return {"class": "HPA", **draw(st.sampled_from([{}, {"hpa": draw(part("HPAAutoscaler"))}]))}
    metadata = {"query": "up", "threshold": "5", "ignoreNullValues": "false"}
    trigger = {"type": "prometheus", "providerRef": {"name": "prometheus"}, "metadata": metadata}
    return {"class": "KEDA", "keda": {**draw(part("KedaPolicyTemplate")), "triggers": [trigger]}}


def _config(draw: Draw) -> Object:
    config: Object = {
        "platform": draw(st.sampled_from(["ome", "kubernetes"])),
        "kubernetes-version": draw(st.sampled_from(["1.34", "1.35", "1.36", "1.37"])),
        "operator": draw(st.sampled_from(SETTINGS)),
    }
    if draw(st.booleans()):
        config["capabilities"] = CAPABILITIES
    if _rarely(draw) and _rarely(draw):
        config["ome-version"] = "1.2"
    if _rarely(draw):
        config["model-config"] = True
    return config


def _named(kind: str, name: str, spec: Object, *, namespace: str | None = None, **metadata: Any) -> Object:
    where = {} if namespace is None else {"namespace": namespace}
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": {"name": name, **where, **metadata}, "spec": spec}
