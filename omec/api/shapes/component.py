"""Engine, decoder and router: the same types in a runtime (``engineConfig``) and in an InferenceService (``engine``).

Source: OME docs, reference/api/ome.v1beta1 (v1.3); reference 02 §8.3 for the order of the fields.
"""

from __future__ import annotations

from omec.api.shapes.autoscaling import AUTOSCALER_POLICY_REF, COMPONENT_AUTOSCALER
from omec.api.shapes.container import CONTAINER
from omec.api.shapes.model import (
    BOOL,
    DURATION,
    INT,
    INT_OR_STRING,
    STRING,
    STRING_MAP,
    STRINGS,
    pointer,
    struct,
)
from omec.api.shapes.pod import POD_FIELDS

LIFECYCLE_SPEC = struct(
    "LifecycleSpec",
    restartPolicy=pointer(STRING),
    updateStrategy=struct(
        "UpdateStrategy",
        type=STRING,
        rollingUpdate=struct(
            "RollingUpdate",
            partition=pointer(INT),
            maxUnavailable=pointer(INT_OR_STRING),
            maxSurge=pointer(INT_OR_STRING),
        ),
        inPlaceUpdateStrategy=struct(
            "InPlaceUpdateStrategy",
            gracePeriodSeconds=pointer(INT),
            markNotReadyDuringLifecycle=pointer(BOOL),
        ),
    ),
    readyPolicy=pointer(STRING),
    instanceReadyTimeout=pointer(DURATION),
    minReadySeconds=pointer(INT),
    migrationPolicy=struct("MigrationPolicy", mode=STRING),
)
DEPLOYMENT_STRATEGY = struct(
    "DeploymentStrategy",
    type=STRING,
    rollingUpdate=struct(
        "RollingUpdateDeployment",
        maxUnavailable=pointer(INT_OR_STRING),
        maxSurge=pointer(INT_OR_STRING),
    ),
)
COMPONENT_EXTENSION = struct(
    "ComponentExtensionSpec",
    minReplicas=pointer(INT),
    maxReplicas=INT,
    timeoutSeconds=pointer(INT),
    labels=STRING_MAP,
    annotations=STRING_MAP,
    servicePortAppProtocols=STRING_MAP,
    minAvailable=pointer(INT_OR_STRING),
    maxUnavailable=pointer(INT_OR_STRING),
    deploymentStrategy=DEPLOYMENT_STRATEGY,
    lifecycle=LIFECYCLE_SPEC,
    autoscaler=COMPONENT_AUTOSCALER,
    autoscalerPolicyRef=AUTOSCALER_POLICY_REF,
)
ACCELERATOR_SELECTOR = struct(
    "AcceleratorSelector",
    acceleratorClass=pointer(STRING),
    constraints=struct(
        "AcceleratorConstraints",
        minMemory=pointer(INT),
        maxMemory=pointer(INT),
        minComputePerformanceTFLOPS=pointer(INT),
        minArchitectureVersion=pointer(STRING),
        requiredFeatures=STRINGS,
        excludedClasses=STRINGS,
        architectureFamilies=STRINGS,
        preferredPrecisions=STRINGS,
    ),
    policy=STRING,
)

LEADER_SPEC = struct("LeaderSpec", POD_FIELDS, runner=CONTAINER)
WORKER_SPEC = struct("WorkerSpec", POD_FIELDS, size=pointer(INT), runner=CONTAINER)
ENGINE_SPEC = struct(
    "EngineSpec",
    POD_FIELDS,
    COMPONENT_EXTENSION,
    runner=CONTAINER,
    leader=LEADER_SPEC,
    worker=WORKER_SPEC,
    topologyKey=pointer(STRING),
    topologySpread=pointer(STRING),
    topologySpreadKey=pointer(STRING),
    acceleratorOverride=ACCELERATOR_SELECTOR,
)
DECODER_SPEC = struct("DecoderSpec", ENGINE_SPEC)
ROUTER_SPEC = struct("RouterSpec", POD_FIELDS, COMPONENT_EXTENSION, runner=CONTAINER, config=STRING_MAP)
