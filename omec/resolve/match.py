"""Whether a whole runtime serves a model, for the service that asks.

Each runtime is parsed once into a :class:`RuntimeMatcher`; a repository asks for thousands of verdicts. The texts of a
verdict are made only when somebody reads them (reference 01 §3, §8, §9).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, Final

import msgspec

from omec.api.size import SizeRange
from omec.catalog import Resource
from omec.resolve import reasons
from omec.resolve.entry import Entry
from omec.resolve.facts import Data, ModelFacts, as_text

DEPLOYMENT_MODE = "ome.io/deploymentMode"
ACCELERATOR_CLASS = "ome.io/accelerator-class"

DEPLOYMENT_MODES: Final = frozenset({"RawDeployment", "OMENative", "MultiNode", "VirtualDeployment"})
"""The values of the annotation that declare a mode; any other value counts as none."""


class Demands(msgspec.Struct, frozen=True):
    """What an InferenceService asks of its runtime beside the model.

    ``classes`` are the accelerator classes it names, ``modes`` pairs of component and deployment mode, engine first.
    """

    classes: frozenset[str] = frozenset()
    modes: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, spec: Data, annotations: Data) -> Demands:
        """The demands of an InferenceService with this stored spec and these annotations.

        ``spec.deploymentMode`` counts for a component without a mode of its own, as the v1.3 documentation says,
        although the sources that could be seen read only the component annotations.
        """
        engine, decoder = _mapping(spec.get("engine")), _mapping(spec.get("decoder"))
        named = [
            annotations.get(ACCELERATOR_CLASS),
            _mapping(spec.get("acceleratorSelector")).get("acceleratorClass"),
            _mapping(engine.get("acceleratorOverride")).get("acceleratorClass"),
            _mapping(decoder.get("acceleratorOverride")).get("acceleratorClass"),
        ]
        service_mode = _mode(spec.get("deploymentMode"))
        modes = [("engine", _declared_mode(engine) or service_mode)]
        if isinstance(spec.get("decoder"), dict):
            modes.append(("decoder", _declared_mode(decoder) or service_mode))
        return cls(
            frozenset(text for name in named if (text := as_text(name)) is not None),
            tuple((component, mode) for component, mode in modes if mode is not None),
        )


NO_DEMANDS = Demands()


class Check(Enum):
    """The checks of a runtime, in OME's order."""

    DISABLED = "disabled"
    ACCELERATOR_CLASS = "accelerator class"
    DEPLOYMENT_MODE = "deployment mode"
    FORMAT = "format"
    SIZE = "size"


class RuntimeMatcher:
    """A runtime's spec, parsed for matching.

    ``spec`` is the runtime's own stored spec for automatic selection and the merged one for a named runtime.
    """

    __slots__ = ("auto_select", "classes", "disabled", "entries", "modes", "resource", "size_range")

    def __init__(self, resource: Resource, spec: Data) -> None:
        self.resource = resource
        self.disabled = spec.get("disabled") is True
        self.entries = tuple(_entries(spec.get("supportedModelFormats")))
        self.auto_select = any(entry.auto_select for entry in self.entries)
        self.classes = frozenset(_class_names(spec))
        self.modes = {
            component: mode
            for component, field in (("engine", "engineConfig"), ("decoder", "decoderConfig"))
            if (mode := _declared_mode(_mapping(spec.get(field)))) is not None
        }
        bounds = spec.get("modelSizeRange")
        self.size_range = (
            SizeRange.of(as_text(bounds.get("min")), as_text(bounds.get("max"))) if isinstance(bounds, dict) else None
        )

    @property
    def namespaced(self) -> bool:
        return self.resource.namespace is not None

    def verdict(self, model: ModelFacts, demands: Demands = NO_DEMANDS) -> RuntimeVerdict:
        """The judgement about serving ``model`` for a service with these ``demands``."""
        if (failed := self.refusal(demands)) is not None:
            return RuntimeVerdict(self, model, demands, failed)
        fit = self.fit(model)
        return RuntimeVerdict(self, model, demands, Check.FORMAT) if fit is None else fit.verdict(model, demands)

    def fit(self, model: ModelFacts) -> Fit | None:
        """How the runtime serves ``model`` but for its size, ``None`` where no entry matches."""
        entry = next((entry for entry in self.entries if entry.matches(model)), None)
        return None if entry is None else Fit(self, entry, self.score(model))

    def refusal(self, demands: Demands) -> Check | None:
        """The first check that fails whatever the model, ``None`` where the model decides."""
        if self.disabled:
            return Check.DISABLED
        if not demands.classes <= self.classes:
            return Check.ACCELERATOR_CLASS
        if demands.modes and self.modes and self.mode_conflict(demands) is not None:
            return Check.DEPLOYMENT_MODE
        return None

    def score(self, model: ModelFacts) -> int:
        """The highest score of the entries that do not opt out of automatic selection, at least 0."""
        scores = [e.score(model, e.effective_priority) for e in self.entries if e.auto_select is not False]
        return max(0, *scores) if scores else 0

    def accelerator_entry(self, model: ModelFacts, *, named: bool) -> int | None:
        """The index of the entry whose ``acceleratorConfig`` applies (reference 01 §10.5).

        Every entry of a named runtime counts, of an auto-selected one those with ``autoSelect: true``; priorities are
        ignored, the first of equal scores wins.
        """
        best, best_score = None, 0
        for entry in self.entries:
            if (named or entry.auto_select) and (score := entry.score(model, 1)) > best_score:
                best, best_score = entry.index, score
        return best

    def mode_conflict(self, demands: Demands) -> tuple[str, str, str] | None:
        """Component, the runtime's mode and the requested one, where the two differ."""
        for component, requested in demands.modes:
            mode = self.modes.get(component)
            if mode is not None and mode != requested:
                return component, mode, requested
        return None


def selection_part(spec: Data) -> Data:
    """What :class:`RuntimeMatcher` reads of a runtime's ``spec``: a spec that selection cannot tell from it."""
    fields = ("disabled", "supportedModelFormats", "acceleratorRequirements", "modelSizeRange")
    part: dict[str, Any] = {field: spec[field] for field in fields if field in spec}
    for field in ("engineConfig", "decoderConfig"):
        if (mode := _declared_mode(_mapping(spec.get(field)))) is not None:
            part[field] = {"annotations": {DEPLOYMENT_MODE: mode}}
    return part


class Fit(msgspec.Struct, frozen=True):
    """A runtime that serves a model unless the size forbids it.

    ``entry`` is the first that matches, ``score`` the runtime's; neither hangs on the size.
    """

    runtime: RuntimeMatcher
    entry: Entry
    score: int

    @property
    def auto_selectable(self) -> bool:
        """Whether automatic selection may choose the runtime for some size."""
        return self.runtime.auto_select and self.score > 0

    def verdict(self, model: ModelFacts, demands: Demands) -> RuntimeVerdict:
        """The judgement about ``model``, which may differ in size from the one that fits."""
        bounds = self.runtime.size_range
        if model.size is not None and bounds is not None and not bounds.contains(model.size_value):
            return RuntimeVerdict(self.runtime, model, demands, Check.SIZE, self.entry)
        return RuntimeVerdict(self.runtime, model, demands, None, self.entry, self.score)


class RuntimeVerdict(msgspec.Struct, frozen=True):
    """What became of one runtime.

    ``failed`` is the first check that failed, ``entry`` the first matching entry (it supplies the details that are
    shown), ``score`` the runtime's score, 0 for one that does not serve the model.
    """

    runtime: RuntimeMatcher
    model: ModelFacts
    demands: Demands
    failed: Check | None
    entry: Entry | None = None
    score: int = 0

    @property
    def resource(self) -> Resource:
        return self.runtime.resource

    @property
    def compatible(self) -> bool:
        return self.failed is None

    @property
    def auto_selectable(self) -> bool:
        """Whether automatic selection may choose the runtime."""
        return self.failed is None and self.runtime.auto_select and self.score > 0

    @property
    def reason(self) -> str | None:
        """Why the runtime does not serve the model, ``None`` where it does."""
        match self.failed:
            case None:
                return None
            case Check.DISABLED:
                return reasons.DISABLED
            case Check.ACCELERATOR_CLASS:
                return reasons.ACCELERATOR_CLASS
            case Check.DEPLOYMENT_MODE:
                conflict = self.runtime.mode_conflict(self.demands)
                assert conflict is not None
                return reasons.deployment_mode(*conflict)
            case Check.SIZE:
                assert self.model.size is not None
                assert self.runtime.size_range is not None
                return reasons.size_outside(self.model.size, self.runtime.size_range.label)
        return reasons.unsupported_format(
            self.model.label, (entry.mismatch(self.model) for entry in self.runtime.entries)
        )

    @property
    def skip_reason(self) -> str | None:
        """Why automatic selection does not choose the runtime, ``None`` where it may (reference 01 §14.3)."""
        if self.failed is not None:
            return self.reason
        if not self.runtime.auto_select:
            return reasons.NOT_AUTO_SELECT
        if self.score > 0:
            return None
        if self.entry is not None and not self.entry.auto_select:
            return reasons.entry_not_auto_select(self.model.format.name)
        if self.entry is not None and self.entry.priority == 0:
            return reasons.SCORE_ZERO_PRIORITY
        return reasons.SCORE_ZERO

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of OME's compatibility report; only a runtime that serves the model has any."""
        if self.failed is not None:
            return ()
        warnings = [] if self.runtime.auto_select else [reasons.WARN_NOT_AUTO_SELECT]
        if self.model.size is None and self.runtime.size_range is not None:
            warnings.append(reasons.WARN_NO_SIZE)
        return tuple(warnings)

    @property
    def distance(self) -> float:
        """How far the runtime's size range is from the model's size; 0 without a range or a size."""
        if self.runtime.size_range is None or self.model.size is None:
            return 0.0
        return self.runtime.size_range.distance(self.model.size_value)


def _entries(value: Any) -> Iterator[Entry]:
    if isinstance(value, list):
        yield from (Entry.of(index, _mapping(item)) for index, item in enumerate(value))


def _class_names(spec: Data) -> Iterator[str]:
    names = _mapping(spec.get("acceleratorRequirements")).get("acceleratorClasses")
    if isinstance(names, list):
        yield from (text for name in names if (text := as_text(name)) is not None)


def _declared_mode(component: Data) -> str | None:
    return _mode(_mapping(component.get("annotations")).get(DEPLOYMENT_MODE))


def _mode(value: Any) -> str | None:
    return value if isinstance(value, str) and value in DEPLOYMENT_MODES else None


def _mapping(value: Any) -> Data:
    return value if isinstance(value, dict) else {}
