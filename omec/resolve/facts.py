"""What a model declares about itself, as far as it counts for choosing a runtime."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any

import msgspec

from omec.api.size import parse_size
from omec.api.version import Version, try_parse_version

Data = Mapping[str, Any]


class Versioned(msgspec.Struct, frozen=True):
    """A model's format or framework. ``parsed`` is ``None`` where the version is unset or no version."""

    name: str
    version: str | None
    parsed: Version | None

    @classmethod
    def of(cls, value: Any) -> Versioned | None:
        """The format or framework written as ``value``, ``None`` where that is not an object."""
        if not isinstance(value, dict):
            return None
        version = as_text(value.get("version"))
        return cls(as_text(value.get("name")) or "", version, try_parse_version(version))


NO_FORMAT = Versioned("", None, None)


class ModelFacts(msgspec.Struct, frozen=True):
    """The fields of a model's spec that selection reads; ``None`` means unset, an empty text is set."""

    format: Versioned
    framework: Versioned | None
    architecture: str | None
    quantization: str | None
    pipeline: Data | None
    size: str | None
    size_value: float
    sharded: bool

    @classmethod
    def of(cls, spec: Data) -> ModelFacts:
        """The facts in the stored ``spec`` of a BaseModel or ClusterBaseModel."""
        pipeline = spec.get("diffusionPipeline")
        size = as_text(spec.get("modelParameterSize"))
        return cls(
            format=Versioned.of(spec.get("modelFormat")) or NO_FORMAT,
            framework=Versioned.of(spec.get("modelFramework")),
            architecture=as_text(spec.get("modelArchitecture")),
            quantization=as_text(spec.get("quantization")),
            pipeline=pipeline if isinstance(pipeline, dict) else None,
            size=size,
            size_value=0.0 if size is None else parse_size(size),
            sharded=spec.get("distribution") == "Sharded",
        )

    @property
    def unsized_key(self) -> Hashable:
        """What two models share that differ in nothing but, perhaps, the size."""
        return (
            self.format,
            self.framework,
            self.architecture,
            self.quantization,
            pipeline_key(self.pipeline),
            self.sharded,
        )

    @property
    def label(self) -> str:
        """The model as OME's messages name it: ``mt:`` and every part that is set."""
        parts = [f"mt:{self.format.name}", self.format.version, self.architecture, self.quantization]
        if self.framework is not None:
            parts += [self.framework.name, self.framework.version]
        return ":".join(part for part in parts if part is not None)


def pipeline_key(pipeline: Data | None) -> str | None:
    """What two equal pipelines share, which are not hashable themselves."""
    return None if pipeline is None else json.dumps(pipeline, sort_keys=True)


def as_text(value: Any) -> str | None:
    """``value`` of a text field. What is not a text (an error of the manifest's structure) reads as it is written."""
    return value if value is None or isinstance(value, str) else json.dumps(value)
