"""Resources of containers: amounts, and the accelerators among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from omec.api.quantity import Quantity, QuantityError, parse
from omec.compile.accelerators import NO_ACCELERATOR
from omec.compile.problems import Steps
from omec.lint.pods.view import Container, Pod

TPU = "google.com/tpu"

ACCELERATORS = ("nvidia.com/gpu", "amd.com/gpu", TPU)
"""Resources that are devices of their own, one for each rank of an engine."""

_VISIBLE = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES")


class Gpus(NamedTuple):
    """How many accelerators a container has, and where that is written below it."""

    number: int
    steps: Steps


def quantity(value: Any) -> Quantity | None:
    """``value`` as a quantity, ``None`` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return parse(str(value))
    except QuantityError:
        return None


def amounts(container: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    """The ``limits`` or ``requests`` of a container."""
    return (container.get("resources") or {}).get(kind) or {}


def gpus_of(container: Container) -> Gpus | None:
    """The accelerators that the container gets, ``None`` for none."""
    resources = container.body.get("resources")
    if not resources:
        return None
    for kind in ("limits", "requests"):
        given = resources.get(kind) or {}
        for name in ACCELERATORS:
            if name in given:
                amount = quantity(given[name])
                return None if amount is None or amount.units < 1 else Gpus(amount.units, ("resources", kind, name))
    return None


def certain_gpus(pod: Pod) -> Gpus | None:
    """The accelerators of the pod's main container where nothing else decides which of them its engine sees.

    A runtime that lists accelerator classes gets its GPUs from the class that a service chooses.
    """
    main = pod.main
    if main is None or any(name in main.environment for name in _VISIBLE):
        return None
    required = pod.origin.spec.get("acceleratorRequirements") or {}
    if pod.origin.use is None and pod.origin.accelerator is NO_ACCELERATOR and required.get("acceleratorClasses"):
        return None
    return gpus_of(main)


def extended_resources(container: Mapping[str, Any]) -> Iterator[str]:
    """The names of the container's resources that Kubernetes never overcommits, such as GPUs."""
    names = {*amounts(container, "limits"), *amounts(container, "requests")}
    return (
        name for name in sorted(map(str, names)) if "/" in name and not name.partition("/")[0].endswith("kubernetes.io")
    )
