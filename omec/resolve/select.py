"""Automatic selection: which runtime OME picks for a model, and what became of every other one.

OME docs: reference/matching/runtime-selection-scoring; reference 01 §2, §10.3, §13.2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from omec.catalog import Catalog
from omec.resolve import reasons
from omec.resolve.facts import ModelFacts
from omec.resolve.match import NO_DEMANDS, Demands, RuntimeMatcher, RuntimeVerdict


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


@dataclass(frozen=True, slots=True)
class Selection:
    """The outcome of automatic selection.

    ``ranking`` holds the runtimes that may be chosen, best first; ``skipped`` those that serve the model but are not
    selectable, ``excluded`` those that fail a check, both with namespaced runtimes first, then by name. All are empty
    when the model itself is refused.
    """

    model: ModelFacts
    namespace: str
    ranking: tuple[RuntimeVerdict, ...] = ()
    skipped: tuple[RuntimeVerdict, ...] = ()
    excluded: tuple[RuntimeVerdict, ...] = ()

    @property
    def selected(self) -> RuntimeVerdict | None:
        return self.ranking[0] if self.ranking else None

    @property
    def verdicts(self) -> tuple[RuntimeVerdict, ...]:
        """Every runtime: those that may be chosen, best first, then the skipped, then the excluded ones."""
        return self.ranking + self.skipped + self.excluded

    @property
    def error_kind(self) -> ErrorKind | None:
        if not self.model.format.name:
            return ErrorKind.MODEL_VALIDATION
        return None if self.ranking else ErrorKind.NO_RUNTIME_FOUND

    @property
    def error(self) -> str | None:
        """OME's own text where no runtime is selected. It leaves the order of the excluded runtimes open; omec sorts.

        Reasons are kept by name alone: of an excluded runtime of each scope with one name, the cluster's is listed.
        """
        if self.error_kind is None:
            return None
        if self.error_kind is ErrorKind.MODEL_VALIDATION:
            return reasons.FORMAT_REQUIRED
        by_name = {verdict.resource.name: verdict for verdict in self.excluded}
        namespaced = sum(verdict.runtime.namespaced for verdict in self.verdicts)
        return reasons.no_runtime_found(
            self.model.format.name,
            self.namespace,
            namespaced,
            len(self.verdicts) - namespaced,
            ((name, verdict.reason or "") for name, verdict in sorted(by_name.items())),
        )


class Candidates:
    """The runtimes of a catalog, each parsed once for automatic selection: its own stored spec, nothing inherited."""

    def __init__(self, catalog: Catalog) -> None:
        self._cluster = [RuntimeMatcher(r, r.spec) for r in catalog.of_kind("ClusterServingRuntime")]
        self._namespaced: dict[str, list[RuntimeMatcher]] = {}
        for resource in catalog.of_kind("ServingRuntime"):
            matcher = RuntimeMatcher(resource, resource.spec)
            self._namespaced.setdefault(resource.namespace or "", []).append(matcher)

    def visible_from(self, namespace: str) -> list[RuntimeMatcher]:
        """The ServingRuntimes of ``namespace``, then the ClusterServingRuntimes, each by name."""
        return self._namespaced.get(namespace, []) + self._cluster

    def scope(self, namespace: str) -> str | None:
        """``namespace``, or ``None`` where it sees nothing but the cluster's runtimes, as most others do."""
        return namespace if namespace in self._namespaced else None


def select(
    model: ModelFacts, namespace: str, candidates: Iterable[RuntimeMatcher], demands: Demands = NO_DEMANDS
) -> Selection:
    """Judge every candidate and rank those that automatic selection may choose."""
    if not model.format.name:
        return Selection(model, namespace)
    selectable, skipped, excluded = [], [], []
    for candidate in sorted(candidates, key=_scope_and_name):
        verdict = candidate.verdict(model, demands)
        if verdict.failed is not None:
            excluded.append(verdict)
        elif verdict.auto_selectable:
            selectable.append(verdict)
        else:
            skipped.append(verdict)
    return Selection(model, namespace, tuple(rank(selectable)), tuple(skipped), tuple(excluded))


def rank(verdicts: Iterable[RuntimeVerdict]) -> list[RuntimeVerdict]:
    """``verdicts`` best first: namespaced before cluster, then by score, size distance and name.

    Distances that differ by less than one parameter are equal for OME, which is not transitive, so that no sort key
    can express it. The order is therefore that of an insertion sort that starts from the names, which is what Go does
    with up to twelve runtimes; it depends on nothing but the verdicts.
    """
    ranked: list[RuntimeVerdict] = []
    for verdict in sorted(verdicts, key=lambda verdict: _scope_and_name(verdict.runtime)):
        place = len(ranked)
        while place and _outranks(verdict, ranked[place - 1]):
            place -= 1
        ranked.insert(place, verdict)
    return ranked


def best(verdicts: Iterable[RuntimeVerdict]) -> RuntimeVerdict | None:
    """The first of :func:`rank` without the order of the others, ``None`` where there is none."""
    leaders: list[RuntimeVerdict] = []
    for verdict in verdicts:
        if leaders and _standing(verdict) < _standing(leaders[0]):
            continue
        if leaders and _standing(verdict) > _standing(leaders[0]):
            leaders.clear()
        leaders.append(verdict)
    distances = sorted({verdict.distance for verdict in leaders})
    if any(not far - near >= 1 for near, far in pairwise(distances)):
        return rank(leaders)[0]
    return min(leaders, key=lambda verdict: (verdict.distance, verdict.resource.name), default=None)


def _standing(verdict: RuntimeVerdict) -> tuple[bool, int]:
    return verdict.runtime.namespaced, verdict.score


def _outranks(a: RuntimeVerdict, b: RuntimeVerdict) -> bool:
    """Whether ``a``, which comes later by scope and name, is nevertheless the better one."""
    if a.runtime.namespaced != b.runtime.namespaced:
        return False
    if a.score != b.score:
        return a.score > b.score
    return b.distance - a.distance >= 1


def _scope_and_name(runtime: RuntimeMatcher) -> tuple[bool, str]:
    return not runtime.namespaced, runtime.resource.name
