"""What OME writes about the objects of each kind (reference 06 §9-§13 and §16).

Nothing in an applied manifest is checked against these models, because the API server ignores ``status`` there. They
complete the CustomResourceDefinitions.
"""

from __future__ import annotations

from omec.api.models.base import Model
from omec.api.models.status.quota import AcceleratorQuotaStatus
from omec.api.models.status.replica import InferenceReplicaStatus
from omec.api.models.status.service import InferenceServiceStatus
from omec.api.models.status.small import (
    AcceleratorClassStatus,
    AutoscalerPolicyStatus,
    BenchmarkJobStatus,
    ModelStatusSpec,
    RolloutPolicyStatus,
    ServingRuntimeStatus,
    WorkloadClusterStatus,
)
from omec.api.models.status.traffic_map import TrafficMapStatus

STATUSES: dict[str, type[Model]] = {
    "InferenceService": InferenceServiceStatus,
    "BaseModel": ModelStatusSpec,
    "ClusterBaseModel": ModelStatusSpec,
    "FineTunedWeight": ModelStatusSpec,
    "ServingRuntime": ServingRuntimeStatus,
    "ClusterServingRuntime": ServingRuntimeStatus,
    "AcceleratorClass": AcceleratorClassStatus,
    "BenchmarkJob": BenchmarkJobStatus,
    "InferenceReplica": InferenceReplicaStatus,
    "AutoscalerPolicy": AutoscalerPolicyStatus,
    "RolloutPolicy": RolloutPolicyStatus,
    "AcceleratorQuota": AcceleratorQuotaStatus,
    "WorkloadCluster": WorkloadClusterStatus,
    "TrafficMap": TrafficMapStatus,
}
"""The model of each kind's status, by the kind's name."""
