"""What the webhook checks of an InferenceReplica whoever writes it (reference 05 §4 step 4, 09 A4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.api.duration import parse_duration
from omec.api.gotext import quoted
from omec.compile.autoscaling.admission import block_fault

_INT32_MAX = 2**31 - 1


def shape_refusals(spec: Mapping[str, Any]) -> Iterator[str]:
    """The rules that ``spec`` breaks, in OME's order."""
    fault = None if spec.get("autoscaler") is None else block_fault(spec["autoscaler"], spec.get("replicas"))
    if fault is not None:
        yield fault[1]
    yield from _pacing_refusals(spec)
    for runner in spec.get("runners") or ():
        yield from _volume_refusals(runner)


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
