"""The order in which automatic selection takes runtimes (OME docs: reference/matching/runtime-selection-scoring)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, pairwise
from typing import TypeVar

from omec.resolve.match import Fit, RuntimeMatcher, RuntimeVerdict

Candidate = TypeVar("Candidate", Fit, RuntimeVerdict)


def rank(verdicts: Iterable[RuntimeVerdict]) -> list[RuntimeVerdict]:
    """``verdicts`` best first: namespaced before cluster, then by score, size distance and name.

    Distances that differ by less than one parameter are equal for OME, which is not transitive, so that no sort key
    can express it. The order is therefore that of an insertion sort that starts from the names, which is what Go does
    with up to twelve runtimes; it depends on nothing but the verdicts.
    """
    by_name = sorted(verdicts, key=lambda verdict: scope_and_name(verdict.runtime))
    return [verdict for equals in by_standing(by_name) for verdict in _by_distance(equals)]


def best(verdicts: Iterable[RuntimeVerdict]) -> RuntimeVerdict | None:
    """The first of :func:`rank` without the order of the others, ``None`` where there is none."""
    leaders: list[RuntimeVerdict] = []
    for verdict in verdicts:
        if leaders and _standing(verdict) < _standing(leaders[0]):
            continue
        if leaders and _standing(verdict) > _standing(leaders[0]):
            leaders.clear()
        leaders.append(verdict)
    if _some_distances_tie(leaders):
        return rank(leaders)[0]
    return min(leaders, key=lambda verdict: (verdict.distance, verdict.resource.name), default=None)


def by_standing(candidates: Iterable[Candidate]) -> list[list[Candidate]]:
    """``candidates`` in groups of equal scope and score, best first; each group keeps its order."""
    ordered = sorted(candidates, key=_standing, reverse=True)
    return [list(equals) for _, equals in groupby(ordered, _standing)]


def scope_and_name(runtime: RuntimeMatcher) -> tuple[bool, str]:
    """The sort key of runtimes that nothing else tells apart."""
    return not runtime.namespaced, runtime.resource.name


def _standing(candidate: Fit | RuntimeVerdict) -> tuple[bool, int]:
    return candidate.runtime.namespaced, candidate.score


def _by_distance(equals: list[RuntimeVerdict]) -> list[RuntimeVerdict]:
    """Verdicts of one standing, in the order of names, sorted by insertion; by a key where that comes to the same."""
    if not _some_distances_tie(equals):
        return sorted(equals, key=lambda verdict: verdict.distance)
    ranked: list[RuntimeVerdict] = []
    for verdict in equals:
        place = len(ranked)
        while place and ranked[place - 1].distance - verdict.distance >= 1:
            place -= 1
        ranked.insert(place, verdict)
    return ranked


def _some_distances_tie(verdicts: Iterable[RuntimeVerdict]) -> bool:
    """Whether some distances differ by less than one parameter, or by no number at all."""
    distances = sorted({verdict.distance for verdict in verdicts})
    return any(not far - near >= 1 for near, far in pairwise(distances))
