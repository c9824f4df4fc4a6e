"""The classes of the reference's tables (reference 03 §1.1 and §6.4)."""

from __future__ import annotations

from typing import Any

from omec.compile.accel.classes import AcceleratorClass

Object = dict[str, Any]


def spec(**fields: Any) -> Object:
    """A class spec; ``memory``, ``capability``, ``bandwidth``, ``features``, ``performance`` belong to capabilities."""
    names = {
        "memory": "memoryGB",
        "capability": "computeCapability",
        "bandwidth": "memoryBandwidthGBps",
        "features": "features",
        "performance": "performance",
    }
    capabilities = {name: fields.pop(key) for key, name in names.items() if key in fields}
    return {"discovery": {}, "capabilities": capabilities, **fields}


def accelerator(name: str = "x", **fields: Any) -> AcceleratorClass:
    return AcceleratorClass.of(name, spec(**fields))


GPUS = [{"name": "nvidia.com/gpu", "quantity": "8"}]

CLASSES: dict[str, Object] = {
    "nvidia-h100": spec(
        vendor="nvidia",
        family="hopper",
        memory="80Gi",
        capability="9.0",
        bandwidth=3350,
        features=["tensor-cores", "fp8", "nvlink"],
        performance={"fp16Tflops": 989, "int8Tops": 1979},
        resources=GPUS,
        cost={"perHour": 4.5, "spotPerHour": "2.1", "tier": "high"},
    ),
    "nvidia-l40s": spec(
        vendor="nvidia",
        family="ada",
        memory="48Gi",
        capability="8.9",
        bandwidth=864,
        features=["tensor-cores", "fp8"],
        performance={"fp16Tflops": 362, "int8Tops": 733},
        resources=GPUS,
        cost={"perHour": "1.8", "spotPerHour": "0.8", "tier": "medium"},
    ),
    "nvidia-h200": spec(
        vendor="nvidia",
        family="hopper",
        memory="141Gi",
        capability="9.0",
        bandwidth=4800,
        features=["fp8", "nvlink"],
        performance={"fp16Tflops": 989},
        cost={"perHour": 12},
    ),
    # Those of OME's own tests.
    "H100": spec(
        memory="80Gi",
        bandwidth=3000,
        features=["cuda", "tensor-cores", "nvlink", "fp8"],
        performance={"fp16Tflops": 1979, "int8Tops": 3958},
        cost={"perHour": 4, "spotPerHour": 2},
    ),
    "A100": spec(
        memory="40Gi",
        bandwidth=1555,
        features=["cuda", "tensor-cores", "nvlink"],
        performance={"fp16Tflops": 312, "int8Tops": 624},
        cost={"perHour": 2, "spotPerHour": 1},
    ),
    "T4": spec(
        memory="16Gi",
        bandwidth=320,
        features=["cuda", "tensor-cores"],
        performance={"fp16Tflops": 65, "int8Tops": 130},
        cost={"perHour": 1, "spotPerHour": 0},
    ),
}


def named(*names: str) -> list[AcceleratorClass]:
    return [AcceleratorClass.of(name, CLASSES[name]) for name in names]
