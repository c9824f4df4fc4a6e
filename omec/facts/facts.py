"""What the files of a model say, under the names of the model's spec fields."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import msgspec

from omec.facts.attention import Attention
from omec.facts.filling import fill_as_agent, fill_as_controller
from omec.facts.int64 import wrap
from omec.facts.size import format_count


class FactWarning(msgspec.Struct, frozen=True):
    """Something about a model that its owner should know; ``reported`` is what OME logs, if it logs anything."""

    message: str
    reported: str = ""


class NameAndVersion(msgspec.Struct, frozen=True):
    """``spec.modelFormat`` or ``spec.modelFramework``; a version of ``None`` is left out, an empty one is not."""

    name: str
    version: str | None = None

    def to_dict(self) -> dict[str, str]:
        return {"name": self.name} if self.version is None else {"name": self.name, "version": self.version}


class Facts(msgspec.Struct, frozen=True):
    """What OME derives from a model's files.

    ``config_file`` is the file that describes the model, relative to its directory. ``origins`` says for each spec
    field which file and key it came from. ``configuration`` is ``spec.modelConfiguration``, ``diffusion_pipeline`` is
    ``spec.diffusionPipeline`` (``None`` for other models). ``weight_bytes`` (by type of tensor, empty where no weights
    were seen) and ``attention`` are for estimates of memory; OME does not derive them. ``unknown`` names the spec
    fields that the source could not tell, which stay open. Where ``skipped`` holds a reason, nothing was read and OME
    leaves the spec alone.
    """

    config_file: str = ""
    model_type: str = ""
    architecture: str = ""
    format: NameAndVersion = NameAndVersion("")
    framework: NameAndVersion = NameAndVersion("")
    parameter_count: int = 0
    context_length: int = 0
    capabilities: tuple[str, ...] = ()
    quantization: str = ""
    configuration: Mapping[str, Any] = msgspec.field(default_factory=dict)
    diffusion_pipeline: Mapping[str, Any] | None = None
    weight_bytes: Mapping[str, int] = msgspec.field(default_factory=dict)
    attention: Attention | None = None
    unknown: frozenset[str] = frozenset()
    origins: Mapping[str, str] = msgspec.field(default_factory=dict)
    warnings: tuple[FactWarning, ...] = ()
    skipped: str = ""

    @property
    def parameter_size(self) -> str:
        """``spec.modelParameterSize``: the count as text."""
        return format_count(self.parameter_count)

    @property
    def max_tokens(self) -> int:
        """The context length as OME keeps it, in 32 bits; written to the spec only where it is positive."""
        return wrap(self.context_length, 32)

    def spec(self) -> dict[str, Any]:
        """The fields that OME writes into a spec that sets none of them."""
        return {} if self.skipped else fill_as_agent({}, self._derived())

    def fill(self, spec: Mapping[str, Any]) -> dict[str, Any]:
        """A copy of ``spec`` with the fields that it leaves unset, as the model agent writes them.

        Source: reference 08 §9.
        """
        return dict(spec) if self.skipped else fill_as_agent(spec, self._derived())

    def fill_rest(self, spec: Mapping[str, Any]) -> dict[str, Any]:
        """``spec`` with what OME's controller adds from the node's ConfigMap, after the agent or in its place (PVC)."""
        return dict(spec) if self.skipped else fill_as_controller(spec, self._derived())

    def to_dict(self) -> dict[str, Any]:
        """The facts as JSON.

        The spec fields under their names; ``parameterCount``, the number behind the size; ``memory``, what estimates of
        memory need; ``factsFrom``, the place of each field; ``configFile``; ``warnings`` (texts); and ``skipped`` (the
        reason) where nothing was read.
        """
        result = self.spec()
        if self.skipped:
            result["skipped"] = self.skipped
        else:
            result |= {"configFile": self.config_file, "parameterCount": self.parameter_count, "memory": self.memory()}
        places = {name: place for name, place in self.origins.items() if name in result}
        return result | {"factsFrom": places, "warnings": [warning.message for warning in self.warnings]}

    def memory(self) -> dict[str, Any]:
        """``weights`` (bytes by type) and ``attention`` (the dimensions of the KV cache), as far as they are known."""
        memory: dict[str, Any] = {"weights": dict(sorted(self.weight_bytes.items()))} if self.weight_bytes else {}
        return memory | {"attention": self.attention.to_dict()} if self.attention else memory

    def _derived(self) -> dict[str, Any]:
        """Every derived field by its spec name, those that OME does not write included."""
        derived = deepcopy(
            {
                "modelType": self.model_type,
                "modelArchitecture": self.architecture,
                "modelFramework": self.framework.to_dict(),
                "modelFormat": self.format.to_dict(),
                "modelParameterSize": self.parameter_size,
                "maxTokens": self.max_tokens,
                "modelCapabilities": list(self.capabilities),
                "quantization": self.quantization,
                "modelConfiguration": dict(self.configuration),
                "diffusionPipeline": self.diffusion_pipeline,
            }
        )
        return {name: value for name, value in derived.items() if name not in self.unknown}
