"""What a class must meet to be chosen by policy: ``spec.acceleratorSelector.constraints`` (reference 03 §5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from omec.compile.accel.classes import AcceleratorClass

_DOTTED_CAPITAL_I = "\u0130"


class Constraints(msgspec.Struct, frozen=True):
    """The constraints of a service; those on throughput and precision exclude nothing, they only score."""

    min_memory: int | None = None
    max_memory: int | None = None
    min_throughput: int = 0
    min_architecture: str | None = None
    features: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    precisions: tuple[str, ...] = ()

    @classmethod
    def of(cls, value: Mapping[str, Any] | None) -> Constraints:
        """The constraints written as ``value``; none are like empty ones."""
        given = value or {}
        return cls(
            min_memory=given.get("minMemory"),
            max_memory=given.get("maxMemory"),
            min_throughput=given.get("minComputePerformanceTFLOPS") or 0,
            min_architecture=given.get("minArchitectureVersion"),
            features=tuple(given.get("requiredFeatures") or ()),
            excluded=tuple(given.get("excludedClasses") or ()),
            families=tuple(given.get("architectureFamilies") or ()),
            precisions=tuple(given.get("preferredPrecisions") or ()),
        )

    def exclusion(self, candidate: AcceleratorClass) -> str | None:
        """Why ``candidate`` is out of the question, in OME's words; ``None`` where it is not."""
        if candidate.name in self.excluded:
            return "explicitly excluded"
        if self.families and not any(_is_family(entry, candidate) for entry in self.families):
            return f"architecture family {lowered(candidate.family)} not in allowed list"
        return self._memory_exclusion(candidate) or self._capability_exclusion(candidate)

    def _memory_exclusion(self, candidate: AcceleratorClass) -> str | None:
        if self.min_memory is None and self.max_memory is None:
            return None
        memory = candidate.gibibytes
        if memory is None:
            return "missing memory specification for memory check"
        if self.min_memory is not None and memory < self.min_memory:
            return f"memory {memory}GB < required {self.min_memory}GB"
        if self.max_memory is not None and memory > self.max_memory:
            return f"memory {memory}GB > max allowed {self.max_memory}GB"
        return None

    def _capability_exclusion(self, candidate: AcceleratorClass) -> str | None:
        features = set(map(lowered, candidate.features))
        for feature in self.features:
            if lowered(feature) not in features:
                return f"missing required feature: {feature}"
        if self.min_architecture is None:
            return None
        capability = candidate.compute_capability
        if not capability:
            return "missing compute capability for architecture version check"
        if capability < self.min_architecture:  # as texts: OME takes 10.0 for less than 9.0
            return f"compute capability {capability} < required {self.min_architecture}"
        return None


def _is_family(entry: str, candidate: AcceleratorClass) -> bool:
    """Whether ``entry`` names the family, with the vendor before it where it has a hyphen."""
    family = f"{candidate.vendor}-{candidate.family}" if "-" in entry else candidate.family
    return folded(entry) == folded(family)


def lowered(text: str) -> str:
    """``text`` in lower case as Go makes it: character by character, each becoming one."""
    return "".join("i" if c == _DOTTED_CAPITAL_I else c.lower() for c in text)


def folded(text: str) -> str:
    """``text`` for comparisons that ignore case as Go does: character by character, so ``ß`` is not ``ss``."""
    return "".join(next(fold for fold in (c.casefold(), c.lower(), c) if len(fold) == 1) for c in text)
