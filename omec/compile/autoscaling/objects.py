"""The HorizontalPodAutoscaler or ScaledObject of a component (reference 10 §3.4 and §3.5)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from omec.compile.autoscaling.block import CLASS_ANNOTATION, LEGACY_CLASSES, Autoscaler, ScalerClass, cpu_metric
from omec.compile.inputs import Object
from omec.compile.replicas import Bounds

_DEFAULT_UTILIZATION = 80
_SCALED_OBJECT_PREFIX = "scaledobject-"
_SCALED_OBJECT_LIMIT = 50
_NOT_ON_SCALED_OBJECTS = "k8slens-edit-resource-version"
_KEDA_FIELDS = ("triggers", "pollingInterval", "cooldownPeriod", "idleReplicaCount", "fallback", "advanced")


class ScaleTarget(msgspec.Struct, frozen=True):
    """The object whose scale subresource the autoscaler sets."""

    api_version: str
    kind: str
    name: str

    @classmethod
    def deployment(cls, name: str) -> ScaleTarget:
        return cls("apps/v1", "Deployment", name)

    @classmethod
    def inference_replica(cls, name: str) -> ScaleTarget:
        """A replica is an Instance there, not a pod."""
        return cls("ome.io/v1beta1", "InferenceReplica", name)

    def to_dict(self) -> Object:
        return {"apiVersion": self.api_version, "kind": self.kind, "name": self.name}


class Identity(msgspec.Struct, frozen=True):
    """The name and metadata of a component's objects."""

    name: str
    namespace: str
    labels: Mapping[str, str]
    annotations: Mapping[str, str]


def scaler_object(autoscaler: Autoscaler, identity: Identity, target: ScaleTarget, bounds: Bounds) -> Object | None:
    """The object that scales the component ``identity``; ``None`` where none of OME's does."""
    if autoscaler.scaler is ScalerClass.HPA:
        return _horizontal_pod_autoscaler(autoscaler, identity, target, bounds)
    if autoscaler.scaler is ScalerClass.KEDA:
        return _scaled_object(autoscaler, identity, target, bounds)
    return None


def scaled_object_name(component: str) -> str:
    """The name of the ScaledObject of the component with this name: of a long one, only the end counts."""
    return f"{_SCALED_OBJECT_PREFIX}{component[-_SCALED_OBJECT_LIMIT:]}"


def _horizontal_pod_autoscaler(
    autoscaler: Autoscaler, identity: Identity, target: ScaleTarget, bounds: Bounds
) -> Object:
    block = autoscaler.block.get("hpa") or {}
    minimum = max(bounds.minimum, 1)
    spec: Object = {
        "scaleTargetRef": target.to_dict(),
        "minReplicas": minimum,
        "maxReplicas": max(bounds.maximum, minimum),
        "metrics": block.get("metrics") or [cpu_metric(_DEFAULT_UTILIZATION)],
    }
    if block.get("behavior"):
        spec["behavior"] = block["behavior"]
    metadata = _metadata(identity.name, identity, identity.labels, autoscaler.scaler)
    return {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": metadata, "spec": spec}


def _scaled_object(autoscaler: Autoscaler, identity: Identity, target: ScaleTarget, bounds: Bounds) -> Object:
    block = autoscaler.block["keda"]
    spec: Object = {
        "scaleTargetRef": target.to_dict(),
        "minReplicaCount": bounds.minimum,
        "maxReplicaCount": max(bounds.maximum, bounds.minimum),
    }
    spec |= {field: block[field] for field in _KEDA_FIELDS if block.get(field) is not None}
    if (advanced := spec.get("advanced")) is not None:
        spec["advanced"] = {key: value for key, value in advanced.items() if value != {}}
    labels = {key: value for key, value in identity.labels.items() if key != _NOT_ON_SCALED_OBJECTS}
    metadata = _metadata(scaled_object_name(identity.name), identity, labels, autoscaler.scaler)
    return {"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": metadata, "spec": spec}


def _metadata(name: str, identity: Identity, labels: Mapping[str, str], scaler: ScalerClass) -> Object:
    """The component's metadata; an annotation that names a class names the one that is rendered."""
    metadata: Object = {"name": name, "namespace": identity.namespace, "labels": dict(labels)}
    annotations = dict(identity.annotations)
    if CLASS_ANNOTATION in annotations:
        annotations[CLASS_ANNOTATION] = next(legacy for legacy, known in LEGACY_CLASSES.items() if known is scaler)
    if annotations:
        metadata["annotations"] = annotations
    return metadata
