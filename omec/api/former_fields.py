"""Fields that ome.io/v1beta1 no longer has, and fields that published samples use although no release had them.

Source: OME docs, "Removed in v1.3"; reference 06 §15.
"""

from __future__ import annotations

import msgspec

from omec.finding import FieldPath

_SERVICE_COMPONENTS = ("engine", "decoder", "router")
_RUNTIME_COMPONENTS = ("engineConfig", "decoderConfig", "routerConfig")
_RUNTIMES = ("ServingRuntime", "ClusterServingRuntime")

_KEDA = "an autoscaler on the component: class: KEDA and a prometheus entry in autoscaler.keda.triggers"
_HPA_METRIC = "autoscaler.class: HPA and autoscaler.hpa.metrics[0].resource.name (cpu or memory)"
_HPA_TARGET = "autoscaler.hpa.metrics[0].resource.target.averageUtilization"


class FormerField(msgspec.Struct, frozen=True):
    """``last_in`` is the last release whose schema had the field, ``""`` if none ever had it.

    ``replacement`` completes "use …"; ``""`` where nothing replaces the field.
    """

    last_in: str
    replacement: str = ""


def _table() -> dict[tuple[str, FieldPath], FormerField]:
    table: dict[tuple[str, FieldPath], FormerField] = {}

    def add(kinds: str | tuple[str, ...], path: str, field: FormerField) -> None:
        for kind in (kinds,) if isinstance(kinds, str) else kinds:
            table[kind, tuple(path.split("."))] = field

    add("InferenceService", "spec.kedaConfig", FormerField("1.2", _KEDA))
    add("InferenceService", "spec.predictor", FormerField("0.1", "spec.model, spec.runtime and spec.engine"))
    add(_RUNTIMES, "spec.workers", FormerField("1.2", "spec.engineConfig.leader and spec.engineConfig.worker"))
    for kinds, components in (("InferenceService", _SERVICE_COMPONENTS), (_RUNTIMES, _RUNTIME_COMPONENTS)):
        for component in components:
            add(kinds, f"spec.{component}.kedaConfig", FormerField("1.2", _KEDA))
            add(kinds, f"spec.{component}.scaleMetric", FormerField("1.2", _HPA_METRIC))
            add(kinds, f"spec.{component}.scaleTarget", FormerField("1.2", _HPA_TARGET))
            add(kinds, f"spec.{component}.canaryTrafficPercent", FormerField("0.1", "spec.rollout.groups[].canary"))
            add(kinds, f"spec.{component}.containerConcurrency", FormerField("0.1"))

    for path, replacement in {
        "spec.modelRef": "spec.model with the model's name",
        "spec.model.modelName": "spec.model.name",
        "spec.model.runtime": "spec.runtime.name",
        "spec.deployment": "spec.engine.minReplicas, spec.engine.maxReplicas and spec.engine.autoscaler",
        "spec.minReplicas": "spec.engine.minReplicas",
        "spec.maxReplicas": "spec.engine.maxReplicas",
        "spec.scaleTarget": "spec.engine.autoscaler",
        "spec.acceleratorSelector.preferredClasses": "spec.acceleratorSelector.acceleratorClass (one name)",
    }.items():
        add("InferenceService", path, FormerField("", replacement))
    performance = "spec.capabilities.performance"
    for path, replacement in {
        "spec.discovery.nodeSelectorTerms": "spec.discovery.affinity.nodeAffinity",
        "spec.nodeSelector": "spec.discovery.nodeSelector",
        f"{performance}.fp16TFLOPS": f"{performance}.fp16Tflops",
        f"{performance}.fp32TFLOPS": f"{performance}.fp32Tflops",
        f"{performance}.int8TOPS": f"{performance}.int8Tops",
        f"{performance}.int4TOPS": f"{performance}.int4Tops",
        f"{performance}.fp8TFLOPS": "",
        "spec.capabilities.rocmVersion": "",
        "spec.capabilities.minComputeCapability": "spec.capabilities.computeCapability",
    }.items():
        add("AcceleratorClass", path, FormerField("", replacement))
    return table


FORMER_FIELDS = _table()


def former_field(kind: str, path: FieldPath) -> FormerField | None:
    """What is known about an unknown field at ``path`` of an object of ``kind``."""
    return FORMER_FIELDS.get((kind, path))
