"""One entry of a runtime's ``supportedModelFormats``: whether it matches a model, why not, and what it scores.

OME docs: reference/matching/model-version-matching, runtime-selection-scoring; reference 01 §4, §10.1.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import msgspec

from omec.api.version import Version, try_parse_version, version_matches
from omec.resolve import reasons
from omec.resolve.facts import Data, ModelFacts, Versioned, as_text, pipeline_key
from omec.resolve.pipeline import pipeline_mismatch

DEFAULT_PRIORITY = 1
FORMAT_WEIGHT = 10
FRAMEWORK_WEIGHT = 5
"""What a weight of 0 counts as, for a format and for a framework."""


class Requirement(msgspec.Struct, frozen=True):
    """The format or framework that an entry asks for."""

    name: str
    version: str | None
    parsed: Version | None
    operator: str | None
    weight: int

    @classmethod
    def of(cls, value: Any) -> Requirement | None:
        """The requirement written as ``value``, ``None`` where that is not an object.

        The schema defaults (``Equal``, weight 1) are filled in before; an absent weight is Go's zero value here.
        """
        if not isinstance(value, dict):
            return None
        version = as_text(value.get("version"))
        return cls(
            name=as_text(value.get("name")) or "",
            version=version,
            parsed=try_parse_version(version),
            operator=as_text(value.get("operator")),
            weight=_integer(value.get("weight")) or 0,
        )

    @property
    def demand(self) -> Hashable:
        """What two requirements share that accept the same models."""
        return self.name, self.version, self.operator

    def accepts(self, model: Versioned) -> bool:
        """Whether the model's name and version match; a version on one side only does not."""
        if self.name != model.name:
            return False
        if self.version is None or model.version is None:
            return self.version is model.version
        return version_matches(self.parsed, self.operator, model.parsed)

    def counts_for(self, model: Versioned) -> bool:
        """Whether the score counts it: as :meth:`accepts`, but a version on one side only is no obstacle."""
        if self.name != model.name:
            return False
        if self.version is None or model.version is None:
            return True
        return version_matches(self.parsed, self.operator, model.parsed)

    def mismatch(self, what: str, model: Versioned) -> str | None:
        """Why ``model`` is not accepted, ``None`` where it is."""
        if self.accepts(model):
            return None
        if self.name != model.name:
            return reasons.differs(f"{what} name", model.name, self.name)
        if self.version is None:
            return reasons.runtime_lacks_version(what)
        if model.version is None:
            return reasons.model_lacks(f"{what} version", self.version)
        return reasons.differs(f"{what} version", model.version, self.version)


class Entry(msgspec.Struct, frozen=True):
    """A parsed entry; ``index`` is its place in the list, from 0."""

    index: int
    format: Requirement | None
    framework: Requirement | None
    architecture: str | None
    quantization: str | None
    pipeline: Data | None
    auto_select: bool | None
    priority: int | None

    @classmethod
    def of(cls, index: int, value: Data) -> Entry:
        pipeline, auto_select = value.get("diffusionPipeline"), value.get("autoSelect")
        return cls(
            index=index,
            format=Requirement.of(value.get("modelFormat")),
            framework=Requirement.of(value.get("modelFramework")),
            architecture=as_text(value.get("modelArchitecture")),
            quantization=as_text(value.get("quantization")),
            pipeline=pipeline if isinstance(pipeline, dict) else None,
            auto_select=auto_select if isinstance(auto_select, bool) else None,
            priority=_integer(value.get("priority")),
        )

    @property
    def demand(self) -> Hashable:
        """What two entries share that match the same models; scores may differ."""
        return (
            self.architecture,
            self.quantization,
            self.format and self.format.demand,
            self.framework and self.framework.demand,
            pipeline_key(self.pipeline),
        )

    def matches(self, model: ModelFacts) -> bool:
        """Whether every attribute matches; an entry without a format never does."""
        if self.architecture != model.architecture or self.quantization != model.quantization:
            return False
        if not self.accepts(model.format, model.framework):
            return False
        return not model.sharded and pipeline_mismatch(self.pipeline, model.pipeline) is None

    def accepts(self, model_format: Versioned, framework: Versioned | None) -> bool:
        """Whether format and framework match."""
        if self.format is None or not self.format.accepts(model_format):
            return False
        if self.framework is None or framework is None:
            return self.framework is None and framework is None
        return self.framework.accepts(framework)

    def mismatch(self, model: ModelFacts) -> str:
        """Why the entry does not match ``model``, as OME words it."""
        return ", ".join(self.mismatches(model)) or reasons.UNKNOWN_MISMATCH

    def mismatches(self, model: ModelFacts) -> Iterator[str]:
        """The reasons one by one, in OME's order; none for a matching entry."""
        if (pipeline := pipeline_mismatch(self.pipeline, model.pipeline)) is not None:
            yield pipeline
        for what, required, given in (
            ("architecture", self.architecture, model.architecture),
            ("quantization", self.quantization, model.quantization),
        ):
            if required != given:
                yield _difference(what, required, given)
        if self.format is not None and (text := self.format.mismatch("format", model.format)):
            yield text
        if self.framework is not None and model.framework is not None:
            if text := self.framework.mismatch("framework", model.framework):
                yield text
        elif self.framework is not None:
            yield reasons.model_lacks("framework", self.framework.name)
        elif model.framework is not None:
            yield reasons.runtime_lacks("framework", model.framework.name)
        if model.sharded:
            yield reasons.NO_CACHE_PROVIDER

    def score(self, model: ModelFacts, priority: int) -> int:
        """(format weight + framework weight) x ``priority``, or 0 where format or framework differ.

        Architecture, quantization, pipeline and size do not count.
        """
        if model.sharded:
            return 0
        weight = 0
        if self.format is not None:
            if not self.format.counts_for(model.format):
                return 0
            weight += self.format.weight or FORMAT_WEIGHT
        if self.framework is not None:
            if model.framework is None or not self.framework.counts_for(model.framework):
                return 0
            weight += self.framework.weight or FRAMEWORK_WEIGHT
        elif model.framework is not None:
            return 0
        return _int64(weight * priority)

    @property
    def effective_priority(self) -> int:
        return DEFAULT_PRIORITY if self.priority is None else self.priority

    @property
    def shown_weight(self) -> int:
        """WEIGHT of ``kubectl ome runtime explain`` for the first matching entry; unlike the score it leaves 0 be."""
        weights = (side.weight for side in (self.format, self.framework) if side is not None)
        return _int64(sum(weight for weight in weights if weight > 0) * self.effective_priority)


def _difference(what: str, required: str | None, given: str | None) -> str:
    if given is None:
        return reasons.model_lacks(what, required or "")
    if required is None:
        return reasons.runtime_lacks(what, given)
    return reasons.differs(what, given, required)


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _int64(value: int) -> int:
    """``value`` in OME's 64-bit arithmetic, which wraps around."""
    return (value + 2**63) % 2**64 - 2**63
