"""The kinds of API group ``ome.io/v1beta1`` and their scope (OME docs: reference/api/ome.v1beta1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

GROUP = "ome.io"
API_VERSION = "ome.io/v1beta1"


class Kind(msgspec.Struct, frozen=True):
    """One kind: its name, plural (resource) name, whether it is namespaced, and since which OME release it exists."""

    name: str
    plural: str
    namespaced: bool
    since: str = ""


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("InferenceService", "inferenceservices", namespaced=True),
        Kind("BaseModel", "basemodels", namespaced=True),
        Kind("ClusterBaseModel", "clusterbasemodels", namespaced=False),
        Kind("FineTunedWeight", "finetunedweights", namespaced=False),
        Kind("ServingRuntime", "servingruntimes", namespaced=True),
        Kind("ClusterServingRuntime", "clusterservingruntimes", namespaced=False),
        Kind("AcceleratorClass", "acceleratorclasses", namespaced=False),
        Kind("BenchmarkJob", "benchmarkjobs", namespaced=True),
        Kind("InferenceReplica", "inferencereplicas", namespaced=True, since="1.3"),
        Kind("AutoscalerPolicy", "autoscalerpolicies", namespaced=True, since="1.3"),
        Kind("RolloutPolicy", "rolloutpolicies", namespaced=True, since="1.3"),
        Kind("AcceleratorQuota", "acceleratorquotas", namespaced=False, since="1.3"),
        Kind("WorkloadCluster", "workloadclusters", namespaced=False, since="1.3"),
        Kind("TrafficMap", "trafficmaps", namespaced=True, since="1.3"),
    )
}

RUNTIME_KINDS = ("ServingRuntime", "ClusterServingRuntime")
MODEL_KINDS = ("BaseModel", "ClusterBaseModel")


def claims_ome(value: Mapping[str, Any]) -> bool:
    """Whether a document is meant for OME, however its ``apiVersion`` and ``kind`` are written.

    Such a document is judged, never skipped: a service that is left out for a typo would be deleted from the output.
    """
    version, kind = value.get("apiVersion"), value.get("kind")
    group, slash, _ = version.rpartition("/") if isinstance(version, str) else ("", "", "")
    if group.lower() == GROUP or (isinstance(version, str) and version.lower().startswith(GROUP)):
        return True
    if not isinstance(kind, str) or kind not in KINDS:
        return False
    return not slash or _letters(group) == _letters(GROUP)


def _letters(text: str) -> str:
    return "".join(sorted(character for character in text.lower() if character.isalpha()))
