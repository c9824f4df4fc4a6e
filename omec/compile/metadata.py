"""Labels and annotations of a component's objects (reference 04 §7, §13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.inputs import Model, Object, ServiceInputs
from omec.compile.names import ComponentName, component_name, shortened
from omec.compile.problems import Origin, Place
from omec.compile.weights_tuned import (
    ADAPTER_ANNOTATION,
    FIELD,
    NOT_TUNED,
    STRATEGY_ANNOTATION,
    STRATEGY_LABEL,
)

INFERENCE_SERVICE_LABEL = "ome.io/inferenceservice"
COMPONENT_LABEL = "component"
APP_LABEL = "app"

_MODEL_CATEGORY = "models.ome.io/category"
_DEFAULT_CATEGORY = "SMALL"

_NOT_COPIED = frozenset(
    {
        "internal.ome.io/in-place-image-transition",
        "internal.ome.io/storage-initializer-sourceuri",
        "kubectl.kubernetes.io/last-applied-configuration",
        "ome.io/rollout-promote",
        "ome.io/rollout-rollback",
    }
)
_NEVER_COPIED = "internal.ome.io/in-place-image-transition"
"""Left out even where the component itself sets it."""

_POD_ONLY_PREFIXES = (
    "k8s.grafana.com/",
    "loki.grafana.com/",
    "networking.gke.io/",
    "ome.io/inject-fine-tuned-adapter",
    "ome.io/inject-model-init",
    "ome.io/inject-serving-sidecar",
    "prometheus.io/",
    "rdma.ome.io/",
    "runtime.ome.io/",
)

_VENDOR = Place(Origin.MODEL, ("spec", "vendor"))
_MODEL_NAME = Place(Origin.MODEL, ("metadata", "name"))
_RUNTIME_NAME = Place(Origin.RUNTIME, ("metadata", "name"))
_TUNING = Place(Origin.SERVICE, (*FIELD, 0))
_SERVICE_NAME = Place(Origin.SERVICE, ("metadata", "name"))
GENERATED: dict[str, Place] = {
    APP_LABEL: _SERVICE_NAME,
    COMPONENT_LABEL: _SERVICE_NAME,
    INFERENCE_SERVICE_LABEL: _SERVICE_NAME,
    "base-model-name": _MODEL_NAME,
    "base-model-size": Place(Origin.MODEL, ("metadata", "annotations", _MODEL_CATEGORY)),
    "base-model-vendor": _VENDOR,
    "serving-runtime": _RUNTIME_NAME,
    "ome.io/base-model-format": Place(Origin.MODEL, ("spec", "modelFormat", "name")),
    "ome.io/base-model-format-version": Place(Origin.MODEL, ("spec", "modelFormat", "version")),
    "ome.io/base-model-name": _MODEL_NAME,
    "ome.io/base-model-vendor": _VENDOR,
    ADAPTER_ANNOTATION: _TUNING,
    STRATEGY_ANNOTATION: _TUNING,
    STRATEGY_LABEL: _TUNING,
    "ome.io/serving-runtime": _RUNTIME_NAME,
}
"""What the generated labels and annotations are made from."""

_VOLCANO_QUEUE = "ome.io/volcano-queue"
_DEDICATED_CLUSTER = "ome.io/dedicated-ai-cluster"
_KUEUE_ENABLED = "kueue-enabled"


def component_annotations(inputs: ServiceInputs, component: ComponentName, spec: Mapping[str, Any]) -> dict[str, str]:
    """The annotations of a component with merged ``spec``: the service's, the component's, then the generated ones."""
    annotations = {key: value for key, value in inputs.service.annotations.items() if key not in _NOT_COPIED}
    annotations.update(spec.get("annotations") or {})
    annotations.pop(_NEVER_COPIED, None)
    if inputs.model is not None:
        annotations.update(_model_annotations(inputs.model))
    if inputs.tuning is not None and component != "router":
        annotations.update(inputs.tuning.annotations)
    if inputs.runtime.name:
        annotations["ome.io/serving-runtime"] = inputs.runtime.name
    return annotations


def component_labels(inputs: ServiceInputs, component: ComponentName, spec: Mapping[str, Any]) -> dict[str, str]:
    """The labels of a component with merged ``spec``; a workload has those of :func:`workload_labels` as well."""
    labels = dict(inputs.service.labels)
    labels.update(spec.get("labels") or {})
    labels[INFERENCE_SERVICE_LABEL] = inputs.service.name
    labels[COMPONENT_LABEL] = component
    labels["serving-runtime"] = inputs.runtime.name
    labels.update(NOT_TUNED if inputs.tuning is None or component == "router" else inputs.tuning.labels)
    if inputs.model is not None:
        labels.update(_model_labels(inputs.model))
    return labels


def workload_labels(
    labels: Mapping[str, str], annotations: Mapping[str, str], service: str, component: ComponentName
) -> dict[str, str]:
    """``labels`` with ``app``, by which the Deployment and its Service find the pods, and the queue labels."""
    return {**labels, APP_LABEL: shortened(component_name(service, component)), **queue_labels(annotations)}


def queue_labels(annotations: Mapping[str, str]) -> dict[str, str]:
    """The labels that put the pods into a Volcano or Kueue queue, as the component's annotations ask."""
    if _VOLCANO_QUEUE in annotations:
        return {"volcano.sh/queue-name": annotations[_VOLCANO_QUEUE]}
    if _DEDICATED_CLUSTER not in annotations:
        return {}
    queue = annotations[_DEDICATED_CLUSTER]
    if _KUEUE_ENABLED in annotations:  # any value counts, even "false"
        return {
            "kueue.x-k8s.io/queue-name": queue,
            "kueue.x-k8s.io/priority-class": "kueue-scheduling-high-priority",
        }
    return {"volcano.sh/queue-name": queue}


def service_annotations(annotations: Mapping[str, str]) -> dict[str, str]:
    """``annotations`` without those that are meant for pods alone."""
    return {key: value for key, value in annotations.items() if not key.startswith(_POD_ONLY_PREFIXES)}


def described(labels: Mapping[str, str], annotations: Mapping[str, str]) -> Object:
    """Metadata of these labels and annotations; without annotations there is no such field."""
    return {"labels": dict(labels), **({"annotations": dict(annotations)} if annotations else {})}


def _model_annotations(model: Model) -> dict[str, str]:
    annotations = {"ome.io/base-model-name": model.name}
    if model.spec.get("vendor") is not None:
        annotations["ome.io/base-model-vendor"] = model.spec["vendor"]
    model_format = model.spec.get("modelFormat") or {}
    annotations["ome.io/base-model-format"] = model_format.get("name", "")
    if model_format.get("version") is not None:
        annotations["ome.io/base-model-format-version"] = model_format["version"]
    return annotations


def _model_labels(model: Model) -> dict[str, str]:
    labels = {
        "base-model-name": model.name,
        "base-model-size": model.annotations.get(_MODEL_CATEGORY, _DEFAULT_CATEGORY),
        "base-model-type": "Serving",
    }
    if model.spec.get("vendor") is not None:
        labels["base-model-vendor"] = model.spec["vendor"]
    return labels
