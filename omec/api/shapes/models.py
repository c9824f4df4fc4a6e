"""Models and their storage, and what runtimes say about them (ome.io/v1beta1, v1.3)."""

from __future__ import annotations

from omec.api.shapes.model import (
    BOOL,
    INT,
    RAW,
    STRING,
    STRING_MAP,
    STRINGS,
    MapOf,
    always,
    by_value,
    default,
    pointer,
    struct,
)
from omec.api.shapes.pod import NODE_AFFINITY

MODEL_FORMAT = struct(  # ModelFrameworkSpec has the same fields
    "ModelFormat",
    name=always(STRING),
    version=pointer(STRING),
    operator=pointer(STRING, default="Equal"),
    weight=default(INT, 1),
)

DIFFUSION_COMPONENT = struct("DiffusionComponentSpec", library=STRING, type=STRING)
DIFFUSION_PIPELINE = struct(
    "DiffusionPipelineSpec",
    className=pointer(STRING),
    scheduler=DIFFUSION_COMPONENT,
    textEncoder=DIFFUSION_COMPONENT,
    tokenizer=DIFFUSION_COMPONENT,
    transformer=DIFFUSION_COMPONENT,
    vae=DIFFUSION_COMPONENT,
    additionalComponents=MapOf(DIFFUSION_COMPONENT),
)

STORAGE_SPEC = struct(
    "StorageSpec",
    path=pointer(STRING),
    schemaPath=pointer(STRING),
    parameters=STRING_MAP,
    key=pointer(STRING),
    storageUri=pointer(STRING),
    nodeSelector=STRING_MAP,
    nodeAffinity=NODE_AFFINITY,
    downloadPolicy=pointer(STRING),
)
BASE_MODEL_SPEC = struct(
    "BaseModelSpec",
    modelFormat=by_value(MODEL_FORMAT),
    modelType=pointer(STRING),
    modelFramework=MODEL_FORMAT,
    modelArchitecture=pointer(STRING),
    quantization=pointer(STRING),
    modelParameterSize=pointer(STRING),
    modelCapabilities=STRINGS,
    apiCapabilities=STRINGS,
    modelConfiguration=RAW,
    storage=STORAGE_SPEC,
    distribution=STRING,
    displayName=pointer(STRING),
    version=pointer(STRING),
    disabled=pointer(BOOL),
    vendor=pointer(STRING),
    compartmentID=pointer(STRING),
    servingMode=STRINGS,
    maxTokens=pointer(INT),
    diffusionPipeline=DIFFUSION_PIPELINE,
    additionalMetadata=STRING_MAP,
)
