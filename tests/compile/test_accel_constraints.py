"""What a class must meet to be chosen by policy (reference 03 §5.1)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.accel.constraints import Constraints, folded, lowered
from tests.compile.accel_classes import accelerator

Object = dict[str, Any]

HOPPER = {"family": "hopper", "vendor": "nvidia"}
CDNA = {"family": "cdna-3", "vendor": "amd"}


@pytest.mark.parametrize(
    ("fields", "constraints", "reason"),
    [
        ({"memory": "80Gi"}, {"minMemory": 80}, None),
        ({"memory": "80G"}, {"minMemory": 75}, "memory 74GB < required 75GB"),
        ({"memory": "80G"}, {"minMemory": 74}, None),
        ({"memory": "80"}, {"minMemory": 1}, "memory 0GB < required 1GB"),
        ({"memory": "81919Mi"}, {"minMemory": 80}, "memory 79GB < required 80GB"),
        ({}, {"maxMemory": 100}, "missing memory specification for memory check"),
        ({}, {}, None),
        ({"memory": "141Gi"}, {"minMemory": 80, "maxMemory": 141}, None),
        ({"memory": "141Gi"}, {"maxMemory": 140}, "memory 141GB > max allowed 140GB"),
        (HOPPER, {"architectureFamilies": ["Hopper"]}, None),
        (HOPPER, {"architectureFamilies": ["NVIDIA-Hopper"]}, None),
        (HOPPER, {"architectureFamilies": ["nvidia-hopper"]}, None),
        (
            HOPPER,
            {"architectureFamilies": ["ampere", "nvidia-ampere"]},
            "architecture family hopper not in allowed list",
        ),
        (CDNA, {"architectureFamilies": ["cdna-3"]}, "architecture family cdna-3 not in allowed list"),
        (CDNA, {"architectureFamilies": ["amd-cdna-3"]}, None),
        ({"family": "hopper"}, {"architectureFamilies": ["-hopper"]}, None),
        (
            {"family": "Hopper"},
            {"architectureFamilies": ["nvidia-hopper"]},
            "architecture family hopper not in allowed list",
        ),
        ({"vendor": "nvidia"}, {"architectureFamilies": [""]}, None),
        ({"vendor": "nvidia"}, {"architectureFamilies": ["nvidia-"]}, None),
        ({"features": ["FP8", "nvlink"]}, {"requiredFeatures": ["fp8", "NVLink"]}, None),
        ({}, {"requiredFeatures": ["fp8"]}, "missing required feature: fp8"),
        ({"features": ["nvlink"]}, {"requiredFeatures": ["NVLink", "FP8"]}, "missing required feature: FP8"),
        ({"capability": "9.0"}, {"minArchitectureVersion": "8.0"}, None),
        ({"capability": "10.0"}, {"minArchitectureVersion": "9.0"}, "compute capability 10.0 < required 9.0"),
        ({"capability": "8.9"}, {"minArchitectureVersion": "8.10"}, None),
        ({"capability": "gfx942"}, {"minArchitectureVersion": "9.0"}, None),
        ({}, {"minArchitectureVersion": ""}, "missing compute capability for architecture version check"),
        ({}, {"excludedClasses": ["x"]}, "explicitly excluded"),
        ({}, {"excludedClasses": ["X"]}, None),
        ({}, {"minComputePerformanceTFLOPS": 900, "preferredPrecisions": ["fp8"]}, None),
    ],
)
def test_exclusion(fields: Object, constraints: Object, reason: str | None) -> None:
    assert Constraints.of(constraints).exclusion(accelerator(**fields)) == reason


def test_order_of_checks() -> None:
    """Each step alone excludes the class; the first that does gives the reason."""
    failing: Object = {
        "excludedClasses": ["x"],
        "architectureFamilies": ["ada"],
        "minMemory": 80,
        "requiredFeatures": ["fp8"],
        "minArchitectureVersion": "9.0",
    }
    reasons = []
    while failing:
        reasons.append(Constraints.of(failing).exclusion(accelerator()))
        del failing[next(iter(failing))]
    assert reasons == [
        "explicitly excluded",
        "architecture family  not in allowed list",
        "missing memory specification for memory check",
        "missing required feature: fp8",
        "missing compute capability for architecture version check",
    ]


def test_no_constraints_are_empty_ones() -> None:
    assert Constraints.of(None) == Constraints.of({}) == Constraints()


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("Straße", "STRASSE", False),
        ("STRAẞE", "straße", True),
        ("ΣΑΣ", "σας", True),
        ("\u212a", "k", True),  # the Kelvin sign
        ("İ", "i", False),
        ("Hopper", "hOPPER", True),
    ],
)
def test_ignoring_case(one: str, other: str, equal: bool) -> None:
    """Character by character, as Go's ``strings.EqualFold``."""
    assert (folded(one) == folded(other)) is equal


def test_lower_case() -> None:
    """As Go's ``strings.ToLower``: no final sigma, no combining dot."""
    assert lowered("ΔΣ İ") == "δ\u03c3 i"
