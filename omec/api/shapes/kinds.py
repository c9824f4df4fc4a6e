"""The kinds of ``ome.io/v1beta1``, as far as the API server treats their fields in some special way.

These shapes serve :mod:`omec.api.defaults`. They leave out fields without a default below them (unless a shape was
there anyway), so they must not be used to encode an object.

Source: OME docs, reference/api/ome.v1beta1 (v1.3); reference 06.
"""

from __future__ import annotations

from omec.api.shapes.autoscaling import COMPONENT_AUTOSCALER, SCALING_POLICY
from omec.api.shapes.component import (
    ACCELERATOR_SELECTOR,
    DECODER_SPEC,
    ENGINE_SPEC,
    LIFECYCLE_SPEC,
    ROUTER_SPEC,
)
from omec.api.shapes.container import ENV_FROM_SOURCE, ENV_VAR
from omec.api.shapes.model import (
    BOOL,
    QUANTITY,
    RAW,
    STRING,
    STRINGS,
    Field,
    ListOf,
    Struct,
    always,
    default,
    pointer,
    struct,
)
from omec.api.shapes.models import BASE_MODEL_SPEC, STORAGE_SPEC
from omec.api.shapes.pod import POD_TEMPLATE_SPEC
from omec.api.shapes.runtime import SERVING_RUNTIME_SPEC
from omec.api.shapes.volume import VOLUME

MODEL_REF = struct(
    "ModelRef",
    name=always(STRING),
    kind=pointer(STRING, default="ClusterBaseModel"),
    apiGroup=pointer(STRING, default="ome.io"),
    fineTunedWeights=STRINGS,
    overlays=ListOf(
        struct(
            "ModelOverlayRef",
            name=always(STRING),
            kind=pointer(STRING, default="ClusterBaseModel"),
            apiGroup=pointer(STRING, default="ome.io"),
        )
    ),
)
SERVING_RUNTIME_REF = struct(
    "ServingRuntimeRef",
    name=always(STRING),
    kind=pointer(STRING, default="ClusterServingRuntime"),
    apiGroup=pointer(STRING, default="ome.io"),
    autoSync=pointer(BOOL, default=True),
    revision=pointer(STRING),
)

_INFERENCE_SERVICE_SPEC = struct(
    "InferenceServiceSpec",
    engine=ENGINE_SPEC,
    decoder=DECODER_SPEC,
    router=ROUTER_SPEC,
    model=MODEL_REF,
    runtime=SERVING_RUNTIME_REF,
    acceleratorSelector=ACCELERATOR_SELECTOR,
    rollout=struct(
        "RolloutSpec",
        groups=ListOf(
            struct(
                "RolloutGroup",
                policyRef=struct("RolloutPolicyRef", kind=default(STRING, "RolloutPolicy")),
            )
        ),
    ),
    scalingPolicy=SCALING_POLICY,
    # The webhook sees an explicit null and rejects it.
    placement=struct("PlacementSpec", clusterAffinity=Field(RAW, nullable=True)),
)
_FINE_TUNED_WEIGHT_SPEC = struct("FineTunedWeightSpec", hyperParameters=RAW, configuration=RAW, storage=STORAGE_SPEC)
_ACCELERATOR_CLASS_SPEC = struct(
    "AcceleratorClassSpec",
    resources=ListOf(struct("AcceleratorResource", name=always(STRING), quantity=always(QUANTITY, default="1"))),
)
_BENCHMARK_JOB_SPEC = struct(
    "BenchmarkJobSpec",
    podOverride=struct("PodOverride", env=ListOf(ENV_VAR), envFrom=ListOf(ENV_FROM_SOURCE), volumes=ListOf(VOLUME)),
)
_INFERENCE_REPLICA_SPEC = struct(
    "InferenceReplicaSpec",
    modelRef=MODEL_REF,
    runtimeRef=SERVING_RUNTIME_REF,
    runners=ListOf(struct("Runner", template=POD_TEMPLATE_SPEC)),
    lifecycle=LIFECYCLE_SPEC,
    autoscaler=COMPONENT_AUTOSCALER,
)
_AUTOSCALER_POLICY_SPEC = struct("AutoscalerPolicySpec", enforcement=default(STRING, "Default"))
_WORKLOAD_CLUSTER_SPEC = struct(
    "WorkloadClusterSpec",
    clusterSource=struct(
        "ClusterConnectionSource",
        kubeConfig=struct("KubeConfigSource", key=default(STRING, "kubeconfig")),
    ),
)
_TRAFFIC_MAP_SPEC = struct(
    "TrafficMapSpec",
    entries=ListOf(
        struct("TrafficMapEntry", capacity=struct("TrafficMapCapacity", source=default(STRING, "ControlPlane")))
    ),
)

OBJECTS: dict[str, Struct] = {
    kind: struct(kind, spec=spec)
    for kind, spec in {
        "InferenceService": _INFERENCE_SERVICE_SPEC,
        "BaseModel": BASE_MODEL_SPEC,
        "ClusterBaseModel": BASE_MODEL_SPEC,
        "FineTunedWeight": _FINE_TUNED_WEIGHT_SPEC,
        "ServingRuntime": SERVING_RUNTIME_SPEC,
        "ClusterServingRuntime": SERVING_RUNTIME_SPEC,
        "AcceleratorClass": _ACCELERATOR_CLASS_SPEC,
        "BenchmarkJob": _BENCHMARK_JOB_SPEC,
        "InferenceReplica": _INFERENCE_REPLICA_SPEC,
        "AutoscalerPolicy": _AUTOSCALER_POLICY_SPEC,
        "WorkloadCluster": _WORKLOAD_CLUSTER_SPEC,
        "TrafficMap": _TRAFFIC_MAP_SPEC,
    }.items()
}
"""By kind; a kind that is not here has no defaults."""
