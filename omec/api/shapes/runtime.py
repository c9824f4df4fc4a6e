"""ServingRuntimeSpec and what only runtimes have (ome.io/v1beta1, v1.3; field order of reference 02 §8.3)."""

from __future__ import annotations

from omec.api.shapes.autoscaling import SCALING_POLICY
from omec.api.shapes.component import DECODER_SPEC, ENGINE_SPEC, ROUTER_SPEC
from omec.api.shapes.model import (
    BOOL,
    INT,
    STRING,
    STRING_MAP,
    STRINGS,
    ListOf,
    MapOf,
    always,
    always_pointer,
    pointer,
    struct,
)
from omec.api.shapes.models import DIFFUSION_PIPELINE, MODEL_FORMAT
from omec.api.shapes.pod import AFFINITY, CONTAINERS, IMAGE_PULL_SECRETS, TOLERATIONS, VOLUMES

ACCELERATOR_MODEL_CONFIG = struct(
    "AcceleratorModelConfig",
    minMemoryPerBillionParams=pointer(INT),
    tensorParallelismOverride=struct(
        "TensorParallelismConfig",
        tensorParallelSize=pointer(INT),
        pipelineParallelSize=pointer(INT),
        dataParallelSize=pointer(INT),
    ),
    runtimeArgsOverride=STRINGS,
    environmentOverride=STRING_MAP,
)
SUPPORTED_MODEL_FORMAT = struct(
    "SupportedModelFormat",
    name=always(STRING),
    modelFormat=always_pointer(MODEL_FORMAT),
    modelType=pointer(STRING),
    version=pointer(STRING),
    modelFramework=MODEL_FORMAT,
    modelArchitecture=pointer(STRING),
    quantization=pointer(STRING),
    diffusionPipeline=DIFFUSION_PIPELINE,
    modelCacheProviders=STRINGS,
    autoSelect=pointer(BOOL),
    priority=pointer(INT),
    acceleratorConfig=MapOf(ACCELERATOR_MODEL_CONFIG),
)
ACCELERATOR_REQUIREMENTS = struct(
    "AcceleratorRequirements",
    acceleratorClasses=STRINGS,
    minMemory=pointer(INT),
    minComputePerformanceTFLOPS=pointer(INT),
    minArchitectureVersion=pointer(STRING),
    requiredFeatures=STRINGS,
    preferredPrecisions=STRINGS,
)
SERVING_RUNTIME_SPEC = struct(
    "ServingRuntimeSpec",
    supportedModelFormats=ListOf(SUPPORTED_MODEL_FORMAT),
    modelSizeRange=struct("ModelSizeRangeSpec", min=pointer(STRING), max=pointer(STRING)),
    disabled=pointer(BOOL),
    routerConfig=ROUTER_SPEC,
    engineConfig=ENGINE_SPEC,
    decoderConfig=DECODER_SPEC,
    protocolVersions=STRINGS,
    containers=always(CONTAINERS),
    volumes=VOLUMES,
    nodeSelector=STRING_MAP,
    affinity=AFFINITY,
    tolerations=TOLERATIONS,
    labels=STRING_MAP,
    annotations=STRING_MAP,
    imagePullSecrets=IMAGE_PULL_SECRETS,
    schedulerName=STRING,
    hostIPC=BOOL,
    dnsPolicy=STRING,
    hostNetwork=BOOL,
    scalingPolicy=SCALING_POLICY,
    acceleratorRequirements=ACCELERATOR_REQUIREMENTS,
)
