"""What the webhook checks of an InferenceReplica whoever writes it (reference 05 §4 step 4, 09 A4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.api.duration import duration_error
from omec.api.gotext import quoted
from omec.compile.autoscaling.admission import block_fault
from omec.compile.problems import Steps

_INT32_MAX = 2**31 - 1

Fault = tuple[Steps, str]
"""A field of a replica that OME refuses, and OME's message about it."""


def shape_refusals(spec: Mapping[str, Any]) -> Iterator[Fault]:
    """The rules that ``spec`` breaks, in OME's order."""
    fault = None if spec.get("autoscaler") is None else block_fault(spec["autoscaler"], spec.get("replicas"))
    if fault is not None:
        yield ("spec", "autoscaler", *fault[0]), fault[1]
    yield from _pacing_refusals(spec)
    for index, runner in enumerate(spec.get("runners") or ()):
        yield from _volume_refusals(runner, ("spec", "runners", index))


def _pacing_refusals(spec: Mapping[str, Any]) -> Iterator[Fault]:
    partition = (spec.get("pacing") or {}).get("partition")
    replicas = spec.get("replicas") or 1
    if partition is not None and partition > replicas:
        message = (
            f"spec.pacing.partition ({partition}) must be <= spec.replicas ({replicas}); an over-partition silently "
            "holds every Instance back forever"
        )
        yield ("spec", "pacing", "partition"), message


def _volume_refusals(runner: Mapping[str, Any], path: Steps) -> Iterator[Fault]:
    pod = (runner.get("template") or {}).get("spec") or {}
    volumes = {volume["name"] for volume in pod.get("volumes") or ()}
    for field in ("initContainers", "containers"):
        for index, container in enumerate(pod.get(field) or ()):
            for number, mount in enumerate(container.get("volumeMounts") or ()):
                if mount["name"] not in volumes:
                    place = (*path, "template", "spec", field, index, "volumeMounts", number, "name")
                    yield place, _unmatched_mount(runner, container, mount)


def _unmatched_mount(runner: Mapping[str, Any], container: Mapping[str, Any], mount: Mapping[str, Any]) -> str:
    return (
        f"runner {quoted(runner['name'])} container {quoted(container.get('name', ''))}: volumeMount "
        f"{quoted(mount['name'])} has no matching volume in the pod (for a multi-node runtime declare it "
        "under engineConfig.leader.volumes / engineConfig.worker.volumes)"
    )


def undecodable(spec: Mapping[str, Any]) -> Fault | None:
    """Why Go cannot read ``spec`` although the schema accepts it: text that is no duration, or a number too large."""
    timeout = (spec.get("lifecycle") or {}).get("instanceReadyTimeout")
    if timeout is not None and (error := duration_error(timeout)) is not None:
        return ("spec", "lifecycle", "instanceReadyTimeout"), error
    for field in ("replicas", "minReadySeconds", "revisionHistoryLimit", "placementReplicaLimit"):
        if (number := spec.get(field)) is not None and number > _INT32_MAX:
            return ("spec", field), _too_large(number, field)
    for index, runner in enumerate(spec.get("runners") or ()):
        if runner["size"] > _INT32_MAX:
            return ("spec", "runners", index, "size"), _too_large(runner["size"], "runners.size")
    return None


def _too_large(number: int, field: str) -> str:
    return f"json: cannot unmarshal number {number} into Go struct field .spec.{field} of type int32"
