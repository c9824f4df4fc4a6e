"""Which autoscaler a component has: one block from the first place that gives one (reference 10 §3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from omec.api.gotext import parse_integer, quoted
from omec.api.shapes import Struct
from omec.api.shapes.autoscaling import COMPONENT_AUTOSCALER
from omec.compile.autoscaling import rules
from omec.compile.autoscaling.policy import RenderedPolicy
from omec.compile.components import Component
from omec.compile.inputs import Object
from omec.compile.problems import Origin, Place, Problem, RenderError

CLASS_ANNOTATION = "ome.io/autoscalerClass"
UTILIZATION_ANNOTATION = "ome.io/targetUtilizationPercentage"
METRICS_ANNOTATION = "ome.io/metrics"


class ScalerClass(StrEnum):
    """Who decides on the number of replicas; the values are those of ``autoscaler.class``."""

    HPA = "HPA"
    KEDA = "KEDA"
    EXTERNAL = "External"
    NONE = "None"


LEGACY_CLASSES = {"hpa": ScalerClass.HPA, "keda": ScalerClass.KEDA, "external": ScalerClass.EXTERNAL}
"""The values of the annotation that came before the block."""


class Source(StrEnum):
    """What gives a block, in order of precedence; the values are those of OME's status."""

    SERVICE = "isvc"
    POLICY = "policy"
    RUNTIME = "runtime"
    LEGACY = "legacy"
    DEFAULT = "default"


class Autoscaler(msgspec.Struct, frozen=True):
    """The autoscaler of a component: ``block`` as OME holds it, ``place`` where it is written."""

    block: Object
    source: Source
    place: Place

    @property
    def scaler(self) -> ScalerClass:
        return ScalerClass(self.block["class"])

    @property
    def fixes_replicas(self) -> bool:
        """Whether the number of replicas stands in the workload; else whatever scales it owns the number.

        A number in Git would be reset by every sync while an autoscaler changes it.
        """
        return self.scaler is ScalerClass.NONE


def component_autoscaler(
    component: Component, annotations: Mapping[str, str], policy: RenderedPolicy | None, *, legacy: bool
) -> Autoscaler:
    """The autoscaler of ``component`` with the merged ``annotations``; blocks are never merged field by field.

    ``policy`` is what its AutoscalerPolicy renders to, where it names one. ``legacy``: whether the annotations for
    autoscalers count, which is so for Deployments only. Raises :class:`RenderError` for an annotation that OME cannot
    read.
    """
    if component.own.get("autoscaler") is not None:
        return _typed(component.own["autoscaler"], Source.SERVICE, component.place("autoscaler"))
    if policy is not None:
        return _typed(policy.block, Source.POLICY, component.place("autoscalerPolicyRef"))
    if component.config.get("autoscaler") is not None:
        return _typed(component.config["autoscaler"], Source.RUNTIME, component.place("autoscaler"))
    found = _legacy(component, annotations) if legacy else None
    return found or Autoscaler({"class": ScalerClass.HPA.value}, Source.DEFAULT, component.place())


def annotation_place(component: Component, key: str) -> Place:
    """Where the annotation ``key`` of a component stands: on the component, else on the service."""
    if key in (component.spec.get("annotations") or {}):
        return component.place("annotations", key)
    return Place(Origin.SERVICE, ("metadata", "annotations", key))


def _typed(block: Object, source: Source, place: Place) -> Autoscaler:
    shape: Struct = COMPONENT_AUTOSCALER
    normalised = shape.normalise(block) or {}
    if normalised.get("class") not in list(ScalerClass):
        message = (
            f"AutoscalerClassUnknown: autoscaler.class {quoted(str(normalised.get('class') or ''))} is not one of "
        )
        problem = Problem(rules.AUTOSCALER_INVALID, f"{message}HPA|KEDA|External|None", place, "set class")
        raise RenderError(problem)
    return Autoscaler(normalised, source, place)


def _legacy(component: Component, annotations: Mapping[str, str]) -> Autoscaler | None:
    wanted, utilization = annotations.get(CLASS_ANNOTATION), annotations.get(UTILIZATION_ANNOTATION)
    if wanted is None and utilization is None:
        return None
    key = UTILIZATION_ANNOTATION if wanted is None else CLASS_ANNOTATION
    scaler = ScalerClass.HPA if wanted is None else LEGACY_CLASSES.get(wanted)
    place = annotation_place(component, key)
    if scaler is None:
        message = f"unknown legacy autoscaler class {quoted(wanted or '')} in {CLASS_ANNOTATION} annotation"
        raise RenderError(Problem(rules.LEGACY_ANNOTATION, message, place, "write hpa or external"))
    block: Object = {"class": scaler.value}
    if scaler is ScalerClass.HPA and utilization is not None and (target := parse_integer(utilization, 32)) is not None:
        block["hpa"] = {"metrics": [cpu_metric(target)]}
    return Autoscaler(block, Source.LEGACY, place)


def cpu_metric(utilization: int) -> Object:
    """The metric that keeps the CPU at ``utilization`` percent."""
    target = {"type": "Utilization", "averageUtilization": utilization}
    return {"type": "Resource", "resource": {"name": "cpu", "target": target}}
