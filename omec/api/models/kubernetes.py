"""The Kubernetes types that ome.io objects embed.

They stay plain data here. An annotation names the type, so that the generated schemas describe it in full. The
release of Kubernetes that OME 1.3 is built with is not documented (reference 06 §18); fields of 1.35 are the newest
that its types are known to have. ``relaxed``, ``dropped`` and ``kept``
repeat the edits that OME makes to its generated CRDs: paths (``"*"`` steps into list items) where ``required`` is
deleted, properties that are deleted, and objects that keep only the named properties.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import msgspec
import pydantic
from pydantic_core import CoreSchema, core_schema

from omec.api.models.base import ListMap, list_map

KUBERNETES_VERSION = "1.35"
TYPE = "x-omec-kubernetes"

Path = tuple[str, ...]


class KubernetesType(msgspec.Struct, frozen=True, eq=False):
    """Names the Kubernetes type of a plain ``dict``, with OME's edits to its schema.

    ``required`` and ``lists`` are what the models check themselves on this data: fields that must be there, and the
    identity of the items of its lists. Everything else is left to the JSON Schema.
    """

    name: str
    variant: str = ""
    required: Path = ()
    lists: Mapping[str, ListMap] = msgspec.field(default_factory=dict)
    relaxed: tuple[Path, ...] = ()
    dropped: tuple[Path, ...] = ()
    kept: Mapping[Path, Path] = msgspec.field(default_factory=dict)

    def __get_pydantic_core_schema__(self, source: Any, handler: pydantic.GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: pydantic.GetJsonSchemaHandler
    ) -> dict[str, Any]:
        edits = {
            "relaxed": [list(path) for path in self.relaxed],
            "dropped": [list(path) for path in self.dropped],
            "kept": [[list(path), list(names)] for path, names in self.kept.items()],
        }
        return {TYPE: {"name": self.name, "variant": self.variant, **{k: v for k, v in edits.items() if v}}}

    def _check(self, value: dict[str, Any]) -> dict[str, Any]:
        for name in self.required:
            if value.get(name) is None:
                raise ValueError(f"{name} is required")
        for name, items in self.lists.items():
            items.check_unique(value.get(name))
        return value


def _core(name: str, **facts: Any) -> KubernetesType:
    return KubernetesType(f"io.k8s.api.core.v1.{name}", **facts)


_CONTAINER_LISTS = {
    "ports": list_map("containerPort", "protocol", protocol="TCP"),
    "env": list_map("name"),
    "volumeMounts": list_map("mountPath"),
    "volumeDevices": list_map("devicePath"),
}
_PROBES = ("readinessProbe", "livenessProbe")
_HTTP_PROBES = tuple((probe, "httpGet") for probe in _PROBES)
_PORT_PROBES = (*_HTTP_PROBES, *((probe, "tcpSocket") for probe in _PROBES))


Container: TypeAlias = Annotated[dict[str, Any], _core("Container", required=("name",), lists=_CONTAINER_LISTS)]

ServiceRunner: TypeAlias = Annotated[
    dict[str, Any],
    _core("Container", variant="ServiceRunner", lists=_CONTAINER_LISTS, relaxed=((), *_PORT_PROBES)),
]
"""The runner of an InferenceService's component: its name, and the port of two kinds of probes, may be missing."""

ServiceContainer: TypeAlias = Annotated[
    dict[str, Any],
    _core("Container", variant="ServiceContainer", required=("name",), lists=_CONTAINER_LISTS, relaxed=_HTTP_PROBES),
]
"""A sidecar of an InferenceService's component."""

PodTemplateSpec: TypeAlias = Annotated[
    dict[str, Any],
    _core(
        "PodTemplateSpec",
        variant="Replica",
        relaxed=tuple(("spec", "containers", "*", *probe) for probe in _PORT_PROBES),
        dropped=(("spec", "ephemeralContainers"),),
        kept={("metadata",): ("annotations", "labels")},
    ),
]
"""The pod template of an InferenceReplica's runner."""

Affinity: TypeAlias = Annotated[dict[str, Any], _core("Affinity")]
EnvFromSource: TypeAlias = Annotated[dict[str, Any], _core("EnvFromSource")]
EnvVar: TypeAlias = Annotated[dict[str, Any], _core("EnvVar", required=("name",))]
EphemeralContainer: TypeAlias = Annotated[dict[str, Any], _core("EphemeralContainer", required=("name",))]
HostAlias: TypeAlias = Annotated[dict[str, Any], _core("HostAlias", required=("ip",))]
LocalObjectReference: TypeAlias = Annotated[dict[str, Any], _core("LocalObjectReference")]
NodeAffinity: TypeAlias = Annotated[dict[str, Any], _core("NodeAffinity")]
PodDNSConfig: TypeAlias = Annotated[dict[str, Any], _core("PodDNSConfig")]
PodOS: TypeAlias = Annotated[dict[str, Any], _core("PodOS", required=("name",))]
ServicePodOS: TypeAlias = Annotated[dict[str, Any], _core("PodOS", variant="Service", relaxed=((),))]
PodReadinessGate: TypeAlias = Annotated[dict[str, Any], _core("PodReadinessGate", required=("conditionType",))]
PodResourceClaim: TypeAlias = Annotated[dict[str, Any], _core("PodResourceClaim", required=("name",))]
PodSchedulingGate: TypeAlias = Annotated[dict[str, Any], _core("PodSchedulingGate", required=("name",))]
PodSecurityContext: TypeAlias = Annotated[dict[str, Any], _core("PodSecurityContext")]
ResourceRequirements: TypeAlias = Annotated[dict[str, Any], _core("ResourceRequirements")]
SecretKeySelector: TypeAlias = Annotated[dict[str, Any], _core("SecretKeySelector", required=("key",))]
SecretReference: TypeAlias = Annotated[dict[str, Any], _core("SecretReference")]
Toleration: TypeAlias = Annotated[dict[str, Any], _core("Toleration")]
TopologySpreadConstraint: TypeAlias = Annotated[
    dict[str, Any],
    _core("TopologySpreadConstraint", required=("maxSkew", "topologyKey", "whenUnsatisfiable")),
]
Volume: TypeAlias = Annotated[dict[str, Any], _core("Volume", required=("name",))]
VolumeMount: TypeAlias = Annotated[dict[str, Any], _core("VolumeMount", required=("mountPath", "name"))]

DeploymentStrategy: TypeAlias = Annotated[dict[str, Any], KubernetesType("io.k8s.api.apps.v1.DeploymentStrategy")]
HorizontalPodAutoscalerBehavior: TypeAlias = Annotated[
    dict[str, Any], KubernetesType("io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior")
]
MetricSpec: TypeAlias = Annotated[
    dict[str, Any], KubernetesType("io.k8s.api.autoscaling.v2.MetricSpec", required=("type",))
]
