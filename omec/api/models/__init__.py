"""Typed models of every ``ome.io/v1beta1`` kind.

:func:`parse` turns a plain manifest into the model of its kind. The models follow the API field reference of OME
1.3; fields that 1.3 added carry ``x-omec-since``.
"""

from __future__ import annotations

from typing import Any

from omec.api.models.accelerator import AcceleratorClass
from omec.api.models.benchmark import BenchmarkJob
from omec.api.models.meta import KubernetesObject
from omec.api.models.model import BaseModel, ClusterBaseModel, FineTunedWeight
from omec.api.models.multicluster import TrafficMap, WorkloadCluster
from omec.api.models.policy import AutoscalerPolicy
from omec.api.models.quota import AcceleratorQuota
from omec.api.models.replica import InferenceReplica
from omec.api.models.rollout import RolloutPolicy
from omec.api.models.runtime import ClusterServingRuntime, ServingRuntime
from omec.api.models.service import InferenceService

MODELS: dict[str, type[KubernetesObject]] = {
    model.__name__: model
    for model in (
        InferenceService,
        BaseModel,
        ClusterBaseModel,
        FineTunedWeight,
        ServingRuntime,
        ClusterServingRuntime,
        AcceleratorClass,
        BenchmarkJob,
        InferenceReplica,
        AutoscalerPolicy,
        RolloutPolicy,
        AcceleratorQuota,
        WorkloadCluster,
        TrafficMap,
    )
}
"""The model of each kind, by the kind's name."""


def parse(body: dict[str, Any]) -> KubernetesObject:
    """The typed model of a manifest.

    Raises ``pydantic.ValidationError`` where the manifest breaks the API definition, ``LookupError`` where its kind
    is not one of ome.io.
    """
    kind = body.get("kind")
    model = MODELS.get(kind) if isinstance(kind, str) else None
    if model is None:
        raise LookupError(f"{kind!r} is not a kind of ome.io/v1beta1")
    return model.model_validate(body)


__all__ = [
    "MODELS",
    "AcceleratorClass",
    "AcceleratorQuota",
    "AutoscalerPolicy",
    "BaseModel",
    "BenchmarkJob",
    "ClusterBaseModel",
    "ClusterServingRuntime",
    "FineTunedWeight",
    "InferenceReplica",
    "InferenceService",
    "KubernetesObject",
    "RolloutPolicy",
    "ServingRuntime",
    "TrafficMap",
    "WorkloadCluster",
    "parse",
]
