"""How kubectl and the API server present the kinds: short names, columns of ``kubectl get``, subresources.

Source: reference 06 §1.1 and §2.
"""

from __future__ import annotations

from typing import Any

SHORT_NAMES = {
    "InferenceService": ("isvc",),
    "InferenceReplica": ("irep",),
    "AcceleratorQuota": ("aq",),
    "WorkloadCluster": ("wlc",),
    "TrafficMap": ("tm", "tmap"),
}

SCALES = {
    "InferenceReplica": {
        "labelSelectorPath": ".status.labelSelector",
        "specReplicasPath": ".spec.replicas",
        "statusReplicasPath": ".status.replicas",
    }
}
"""The kinds with the subresource ``scale``; all have ``status``."""

Column = dict[str, Any]


def _column(name: str, path: str, type_: str = "string", *, wide: bool = False) -> Column:
    column: Column = {"jsonPath": path, "name": name, "type": type_}
    return column | {"priority": 1} if wide else column


def _condition(
    name: str, type_: str | None = None, *, field: str = "status", wide: bool = False, quote: str = "'"
) -> Column:
    return _column(name, f".status.conditions[?(@.type=={quote}{type_ or name}{quote})].{field}", wide=wide)


_AGE = _column("Age", ".metadata.creationTimestamp", "date")
_READY_STATE = _column("Ready", ".status.state")
_IDENTITY = (
    _column("Disabled", ".spec.disabled", "boolean"),
    _column("Version", ".spec.version"),
    _column("Vendor", ".spec.vendor"),
)
_FORMATS = ".spec.supportedModelFormats[*]"

_MODEL = (
    *_IDENTITY,
    _column("Framework", ".spec.modelFramework.name"),
    _column("FrameworkVersion", ".spec.modelFramework.version"),
    _column("ModelFormat", ".spec.modelFormat.name"),
    _column("Architecture", ".spec.modelArchitecture"),
    _column("Capabilities", ".spec.modelCapabilities[*]"),
    _column("Size", ".spec.modelParameterSize"),
    _column("CompartmentID", ".spec.compartmentID"),
    _READY_STATE,
    _AGE,
)
_RUNTIME = (
    _column("Disabled", ".spec.disabled", "boolean"),
    _column("ModelFormat", f"{_FORMATS}.modelFormat.name"),
    _column("ModelFramework", f"{_FORMATS}.modelFramework.name"),
    _column("ModelFrameworkVersion", f"{_FORMATS}.modelFramework.version"),
    _column("ModelArchitecture", f"{_FORMATS}.modelArchitecture"),
    _column("ModelSizeMin", ".spec.modelSizeRange.min"),
    _column("ModelSizeMax", ".spec.modelSizeRange.max"),
    _column("Images", ".spec.containers[*].image"),
    _AGE,
)

COLUMNS: dict[str, tuple[Column, ...]] = {
    "InferenceService": (
        _column("URL", ".status.url"),
        _condition("Ready"),
        _column("BaseModel", ".spec.model.name"),
        _column("Runtime", ".spec.runtime.name"),
        _column("Placement", ".status.placement.phase", wide=True),
        _column("Plan-Source", ".status.rollout.activeRun.plan.groups[0].source", wide=True),
        _condition("Plan-Drift", "RolloutPlanDrift", wide=True),
        _AGE,
    ),
    "BaseModel": _MODEL,
    "ClusterBaseModel": _MODEL,
    "FineTunedWeight": (
        *_IDENTITY,
        _column("CompartmentID", ".spec.compartmentID"),
        _column("ModelType", ".spec.modelType"),
        _READY_STATE,
        _AGE,
    ),
    "ServingRuntime": _RUNTIME,
    "ClusterServingRuntime": _RUNTIME,
    "AcceleratorClass": (
        _column("Vendor", ".spec.vendor"),
        _column("Family", ".spec.family"),
        _column("Memory", ".spec.capabilities.memoryGB"),
        _column("Nodes", ".status.availableNodes", "integer"),
    ),
    "BenchmarkJob": (_AGE, _column("Status", ".status.state")),
    "InferenceReplica": (
        _column("Component", ".spec.component"),
        _column("Desired", ".spec.replicas", "integer"),
        _column("Current", ".status.replicas", "integer"),
        _column("Ready", ".status.readyReplicas", "integer"),
        _column("Available", ".status.availableReplicas", "integer"),
        _AGE,
    ),
    "AutoscalerPolicy": (
        _column("Class", ".spec.class"),
        _condition("Ready"),
        _column("Attached", ".status.attachedComponents", "integer"),
        _AGE,
    ),
    "RolloutPolicy": (
        _condition("Ready"),
        _column("Digest", ".status.portableDigest"),
        _column("Refs", ".status.attachedGroups", "integer"),
        _AGE,
    ),
    "AcceleratorQuota": (
        _column("Role", ".spec.role"),
        _column("Parent", ".spec.parentRef.name"),
        _column("Resource", ".status.budgets[0].resourceName"),
        _column("Flavor", ".status.budgets[0].resourceFlavor"),
        _column("Nominal", ".status.budgets[0].nominal"),
        _column("Admitted", ".status.budgets[0].admitted"),
        _column("Borrowed", ".status.budgets[0].borrowed", wide=True),
        _condition("Ready", quote='"'),
        _condition("Degraded", quote='"'),
        _AGE,
    ),
    "WorkloadCluster": (_condition("Reachable", "Ready"), _AGE),
    "TrafficMap": (
        _column("Mode", ".spec.mode"),
        _condition("Published"),
        _condition("Routable"),
        _condition("Override", "OverrideActive"),
        _condition("Reason", "Routable", field="reason"),
        _AGE,
    ),
}
"""The columns of ``kubectl get`` by kind; those with a priority appear with ``-o wide`` only."""
