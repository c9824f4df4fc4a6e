"""Automatic selection: which runtime OME picks for a model, and what became of every other one.

OME docs: reference/matching/runtime-selection-scoring; reference 01 §2, §10.3, §13.2.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property

from omec.resolve import reasons
from omec.resolve.candidates import Pool
from omec.resolve.facts import ModelFacts
from omec.resolve.match import NO_DEMANDS, Demands, RuntimeVerdict


class ErrorKind(StrEnum):
    """What kind of error leaves a service without a runtime: OME's classes, then what OME has no class for."""

    NO_RUNTIME_FOUND = "NoRuntimeFound"
    MODEL_VALIDATION = "ModelValidation"
    RUNTIME_NOT_FOUND = "RuntimeNotFound"
    RUNTIME_DISABLED = "RuntimeDisabled"
    RUNTIME_COMPATIBILITY = "RuntimeCompatibility"
    MODEL_NOT_FOUND = "ModelNotFound"
    MODEL_DISABLED = "ModelDisabled"
    NOTHING_NAMED = "NothingNamed"


class Selection:
    """The outcome of automatic selection.

    A model that is refused itself is judged against no runtime: then every list is empty.
    """

    def __init__(self, model: ModelFacts, namespace: str, pool: Pool, demands: Demands = NO_DEMANDS) -> None:
        self.model = model
        self.namespace = namespace
        self.judged = (pool if model.format.name else _NO_RUNTIMES).verdicts(model, demands)

    @property
    def selected(self) -> RuntimeVerdict | None:
        return self.judged.selected

    @property
    def ranking(self) -> tuple[RuntimeVerdict, ...]:
        """The runtimes that may be chosen, best first."""
        return self.judged.ranking

    @property
    def skipped(self) -> tuple[RuntimeVerdict, ...]:
        """The runtimes that serve the model but are not selectable, namespaced ones first, then by name."""
        return self.judged.skipped

    @property
    def excluded(self) -> tuple[RuntimeVerdict, ...]:
        """The runtimes that fail a check, namespaced ones first, then by name."""
        return self.judged.excluded

    @property
    def verdicts(self) -> tuple[RuntimeVerdict, ...]:
        """Every runtime: those that may be chosen, best first, then the skipped, then the excluded ones."""
        return self.judged.all

    @property
    def error_kind(self) -> ErrorKind | None:
        if not self.model.format.name:
            return ErrorKind.MODEL_VALIDATION
        return ErrorKind.NO_RUNTIME_FOUND if self.selected is None else None

    @cached_property
    def error(self) -> str | None:
        """OME's own text where no runtime is selected. It leaves the order of the excluded runtimes open; omec sorts.

        Reasons are kept by name alone: of an excluded runtime of each scope with one name, the cluster's is listed.
        """
        if self.error_kind is not ErrorKind.NO_RUNTIME_FOUND:
            return self.error_in_short
        by_name = {verdict.resource.name: verdict.reason or "" for verdict in self.excluded}
        return self._none_found(sorted(by_name.items()))

    @property
    def error_in_short(self) -> str | None:
        """:attr:`error` without the list of excluded runtimes, whose reasons nobody has to word then."""
        if self.error_kind is None:
            return None
        return reasons.FORMAT_REQUIRED if self.error_kind is ErrorKind.MODEL_VALIDATION else self._none_found(())

    def _none_found(self, excluded: Iterable[tuple[str, str]]) -> str:
        pool = self.judged.pool
        cluster = len(pool.runtimes) - pool.namespaced
        return reasons.no_runtime_found(self.model.format.name, self.namespace, pool.namespaced, cluster, excluded)


_NO_RUNTIMES = Pool(())
