"""The Go type of an InferenceReplica's spec, to compare two specs as OME does (reference 05 §3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.api.shapes import POD_TEMPLATE_SPEC
from omec.api.shapes.autoscaling import COMPONENT_AUTOSCALER
from omec.api.shapes.component import LIFECYCLE_SPEC
from omec.api.shapes.kinds import MODEL_REF, SERVING_RUNTIME_REF
from omec.api.shapes.model import BOOL, INT, INT_OR_STRING, RAW, STRING, ListOf, always, by_value, pointer, struct

SPEC = struct(
    "InferenceReplicaSpec",
    parentRef=struct("ParentReference", name=always(STRING)),
    component=always(STRING),
    modelRef=MODEL_REF,
    runtimeRef=SERVING_RUNTIME_REF,
    runners=ListOf(
        struct("Runner", name=always(STRING), size=always(INT), template=by_value(POD_TEMPLATE_SPEC)), key="name"
    ),
    replicas=pointer(INT),
    minReadySeconds=INT,
    topologyKey=pointer(STRING),
    topologySpread=pointer(STRING),
    topologySpreadKey=pointer(STRING),
    lifecycle=LIFECYCLE_SPEC,
    revisionHistoryLimit=pointer(INT),
    autoscaler=COMPONENT_AUTOSCALER,
    pacing=struct(
        "InferenceReplicaPacing",
        partition=pointer(INT),
        maxUnavailable=pointer(INT_OR_STRING),
        rollbackToRevision=pointer(STRING),
    ),
    paused=BOOL,
    pauseMode=STRING,
    pairingProtocol=pointer(STRING),
    placementExecution=RAW,
    placementReplicaLimit=pointer(INT),
)

CONTROLLER_ONLY = ("parentRef", "placementExecution", "placementReplicaLimit")
ROLLOUT_CONTROL = ("paused", "pauseMode", "pairingProtocol")
PACING_CONTROL = ("partition", "rollbackToRevision")


def decoded(spec: Mapping[str, Any]) -> dict[str, Any]:
    """``spec`` as Go holds it, so that two texts of one value are equal, such as ``30m`` and ``1800s``."""
    value: dict[str, Any] = SPEC.normalise(spec)
    return value


def user_fields(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a decoded spec that the owner of a standalone replica writes, and OME's controller never does."""
    kept = {key: value for key, value in spec.items() if key not in (*CONTROLLER_ONLY, *ROLLOUT_CONTROL)}
    if "pacing" in kept:
        kept["pacing"] = {key: value for key, value in kept["pacing"].items() if key not in PACING_CONTROL}
        if not kept["pacing"]:
            del kept["pacing"]
    return kept
