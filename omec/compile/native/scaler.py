"""What scales a replica: an HPA or a ScaledObject on its scale subresource (reference 05 §11.6, 10 §3).

A standalone replica gets no scaler from OME, so omec writes it.
"""

from __future__ import annotations

from collections.abc import Mapping

from omec.api.kinds import API_VERSION
from omec.compile.inputs import Object
from omec.compile.replicas import Bounds

_LONGEST_SCALED_NAME = 50
_CLASS_ANNOTATION = "ome.io/autoscalerClass"
_CPU: Object = {
    "type": "Resource",
    "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}},
}


def scaler(
    replica: str,
    namespace: str,
    *,
    labels: Mapping[str, str],
    annotations: Mapping[str, str],
    bounds: Bounds,
    autoscaler: Object,
) -> Object | None:
    """The scaler of the replica, ``None`` for the classes External and None."""
    target = {"apiVersion": API_VERSION, "kind": "InferenceReplica", "name": replica}
    annotations = dict(annotations)
    if autoscaler["class"] not in ("HPA", "KEDA"):
        return None
    if _CLASS_ANNOTATION in annotations:
        annotations[_CLASS_ANNOTATION] = autoscaler["class"].lower()
    metadata: Object = {"namespace": namespace, "labels": dict(labels), "annotations": annotations}
    if autoscaler["class"] == "HPA":
        return _horizontal(replica, metadata, target, bounds, autoscaler.get("hpa") or {})
    return _scaled_object(replica, metadata, target, bounds, autoscaler["keda"])


def _horizontal(name: str, metadata: Object, target: Object, bounds: Bounds, hpa: Object) -> Object:
    spec: Object = {
        "scaleTargetRef": target,
        "minReplicas": bounds.minimum,
        "maxReplicas": bounds.maximum,
        "metrics": hpa.get("metrics") or [_CPU],
    }
    if hpa.get("behavior"):
        spec["behavior"] = hpa["behavior"]
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": name, **metadata},
        "spec": spec,
    }


def _scaled_object(name: str, metadata: Object, target: Object, bounds: Bounds, keda: Object) -> Object:
    spec: Object = {
        "scaleTargetRef": target,
        "minReplicaCount": bounds.minimum,
        "maxReplicaCount": bounds.maximum,
        **{field: value for field, value in keda.items() if value is not None},
    }
    return {
        "apiVersion": "keda.sh/v1alpha1",
        "kind": "ScaledObject",
        "metadata": {"name": f"scaledobject-{name[-_LONGEST_SCALED_NAME:]}", **metadata},
        "spec": spec,
    }
