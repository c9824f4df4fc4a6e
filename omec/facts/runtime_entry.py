"""What a runtime has to declare so that it accepts a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.api.size import parse_size
from omec.api.version import try_parse_version

_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"))
_SMALLEST = "1M"
"""OME reads no size below a million (``92.56K`` counts as 0), so such models can only be given an upper bound."""


class NoEntryError(Exception):
    """A model that no entry accepts: the text says why, ``field`` is the one to set."""

    def __init__(self, problem: str, field: str) -> None:
        super().__init__(problem)
        self.field = field


def runtime_entry(spec: Mapping[str, Any]) -> dict[str, Any]:
    """``supportedModelFormats`` with one entry, and ``modelSizeRange``, that accept a model with the filled ``spec``.

    The range has whole numbers around the size. Raises :class:`NoEntryError` where the format is not known, or a
    version is none that OME can compare. Source: OME docs: reference/matching; reference 01 §4, §5, §6.
    """
    model_format = _versioned(spec, "modelFormat")
    if model_format is None:
        raise NoEntryError("nothing tells its format", "modelFormat")
    entry: dict[str, Any] = {"modelFormat": model_format}
    if (framework := _versioned(spec, "modelFramework")) is not None:
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


def _versioned(spec: Mapping[str, Any], field: str) -> dict[str, str] | None:
    """A name with its version, if it has one; ``None`` without a name."""
    value = spec.get(field)
    if not isinstance(value, dict) or not isinstance(value.get("name"), str) or not value["name"]:
        return None
    version = value.get("version")
    if not isinstance(version, str):
        return {"name": value["name"]}
    if try_parse_version(version) is None:
        raise NoEntryError(f"{version!r} of its {field} is no version that OME can compare", f"{field}.version")
    return {"name": value["name"], "version": version}


def _pipeline(value: Any) -> dict[str, Any]:
    """The class of a pipeline, which tells it from others; of one without a class, its parts."""
    if not isinstance(value, dict):
        return {}
    name = value.get("className")
    return {"className": name} if name else dict(value)
