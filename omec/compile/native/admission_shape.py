"""What the webhook checks of an InferenceReplica whoever writes it (reference 05 §4 step 4, 09 A4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.api.duration import parse_duration
from omec.api.gotext import quoted

_CLASSES = ("HPA", "KEDA", "External", "None")
_METRIC_FIELDS = {
    "Resource": "resource",
    "Pods": "pods",
    "Object": "object",
    "External": "external",
    "ContainerResource": "containerResource",
}
_INT32_MAX = 2**31 - 1


def shape_refusals(spec: Mapping[str, Any]) -> Iterator[str]:
    """The rules that ``spec`` breaks, in OME's order."""
    if spec.get("autoscaler") is not None:
        yield from autoscaler_refusals(spec["autoscaler"], spec.get("replicas"))
    yield from _pacing_refusals(spec)
    for runner in spec.get("runners") or ():
        yield from _volume_refusals(runner)


def autoscaler_refusals(autoscaler: Mapping[str, Any], minimum: int | None) -> Iterator[str]:
    """The rules that an autoscaler block breaks beside ``minReplicas: minimum``."""
    name = autoscaler.get("class") or ""
    if name not in _CLASSES:
        yield f"AutoscalerClassUnknown: autoscaler.class {quoted(name)} is not one of {'|'.join(_CLASSES)}"
    keda = autoscaler.get("keda") or {}
    if name == "KEDA" and not keda.get("triggers"):
        yield "KedaTriggersRequired: class=keda requires at least 1 trigger"
    if name == "HPA":
        for index, metric in enumerate((autoscaler.get("hpa") or {}).get("metrics") or ()):
            yield from _metric_refusals(index, metric)
    idle = keda.get("idleReplicaCount")
    if name == "KEDA" and idle is not None and minimum is not None and idle >= minimum:
        yield (
            "KedaIdleBelowMin: keda.idleReplicaCount must be < minReplicas "
            f"(got idleReplicaCount={idle}, minReplicas={minimum})"
        )


def _metric_refusals(index: int, metric: Mapping[str, Any]) -> Iterator[str]:
    place, type_ = f"hpa.metrics[{index}]", metric.get("type") or ""
    field = _METRIC_FIELDS.get(type_)
    if not type_:
        yield f"HPAMetricMalformed: {place}.type is empty; must be one of {'|'.join(_METRIC_FIELDS)}"
    elif field is None:
        yield f"HPAMetricMalformed: {place}.type {quoted(type_)} is not one of {'|'.join(_METRIC_FIELDS)}"
    elif metric.get(field) is None:
        yield f"HPAMetricMalformed: {place}.type={type_} but {place}.{field} is nil"


def _pacing_refusals(spec: Mapping[str, Any]) -> Iterator[str]:
    partition = (spec.get("pacing") or {}).get("partition")
    replicas = spec.get("replicas") or 1
    if partition is not None and partition > replicas:
        yield (
            f"spec.pacing.partition ({partition}) must be <= spec.replicas ({replicas}); an over-partition silently "
            "holds every Instance back forever"
        )


def _volume_refusals(runner: Mapping[str, Any]) -> Iterator[str]:
    pod = (runner.get("template") or {}).get("spec") or {}
    volumes = {volume["name"] for volume in pod.get("volumes") or ()}
    for container in (*(pod.get("initContainers") or ()), *(pod.get("containers") or ())):
        for mount in container.get("volumeMounts") or ():
            if mount["name"] not in volumes:
                yield (
                    f"runner {quoted(runner['name'])} container {quoted(container.get('name', ''))}: volumeMount "
                    f"{quoted(mount['name'])} has no matching volume in the pod (for a multi-node runtime declare it "
                    "under engineConfig.leader.volumes / engineConfig.worker.volumes)"
                )


def undecodable(spec: Mapping[str, Any]) -> str | None:
    """Why Go cannot read ``spec`` although the schema accepts it: text that is no duration, or a number too large."""
    timeout = (spec.get("lifecycle") or {}).get("instanceReadyTimeout")
    if timeout is not None:
        try:
            parse_duration(timeout)
        except ValueError:
            return f"time: invalid duration {quoted(timeout)}"
    for field in ("replicas", "minReadySeconds", "revisionHistoryLimit", "placementReplicaLimit"):
        if (number := spec.get(field)) is not None and number > _INT32_MAX:
            return f"json: cannot unmarshal number {number} into Go struct field .spec.{field} of type int32"
    for runner in spec.get("runners") or ():
        if runner["size"] > _INT32_MAX:
            return (
                f"json: cannot unmarshal number {runner['size']} into Go struct field .spec.runners.size of type int32"
            )
    return None
