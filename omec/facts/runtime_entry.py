"""What a runtime has to declare so that it accepts a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.api.size import parse_size

_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"))
_SMALLEST = "1M"
"""OME reads no size below a million (``92.56K`` counts as 0), so such models can only be given an upper bound."""


def runtime_entry(spec: Mapping[str, Any]) -> dict[str, Any] | None:
    """``supportedModelFormats`` with one entry, and ``modelSizeRange``, that accept a model with the filled ``spec``.

    ``None`` where the format is not known: no entry accepts such a model. The range has whole numbers around the size.
    Source: OME docs: reference/matching; reference 01 §4, §6.
    """
    model_format = _versioned(spec.get("modelFormat"))
    if model_format is None:
        return None
    entry: dict[str, Any] = {"modelFormat": model_format}
    if (framework := _versioned(spec.get("modelFramework"))) is not None:
        entry["modelFramework"] = framework
    for name in ("modelArchitecture", "quantization"):
        if isinstance(value := spec.get(name), str):
            entry[name] = value
    if pipeline := _pipeline(spec.get("diffusionPipeline")):
        entry["diffusionPipeline"] = pipeline
    declared: dict[str, Any] = {"supportedModelFormats": [entry | {"autoSelect": True, "priority": 1}]}
    size = spec.get("modelParameterSize")
    return declared | {"modelSizeRange": size_range(size)} if isinstance(size, str) else declared


def size_range(size: str) -> dict[str, str]:
    """The bounds around ``size``, as OME reads it."""
    value = parse_size(size)
    for unit, suffix in _UNITS:
        if value >= unit:
            lower = int(value // unit)
            return {"min": f"{lower}{suffix}", "max": f"{lower + 1}{suffix}"}
    return {"max": _SMALLEST}


def _versioned(value: Any) -> dict[str, str] | None:
    """A name with its version, if it has one; ``None`` without a name."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str) or not value["name"]:
        return None
    return {key: value[key] for key in ("name", "version") if isinstance(value.get(key), str)}


def _pipeline(value: Any) -> dict[str, Any]:
    """The class of a pipeline, which tells it from others; of one without a class, its parts."""
    if not isinstance(value, dict):
        return {}
    name = value.get("className")
    return {"className": name} if name else dict(value)
