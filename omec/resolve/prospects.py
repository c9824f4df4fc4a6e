"""What the weights of a model could lead to: the runtimes that would stand, reading by reading, sizes apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import msgspec
from msgspec.structs import replace

from omec.catalog import Resource
from omec.resolve.candidates import Pool
from omec.resolve.facts import ModelFacts
from omec.resolve.match import Demands, Fit, RuntimeMatcher
from omec.resolve.open_facts import ARCHITECTURE, OpenFacts
from omec.resolve.ranking import best, by_standing
from omec.resolve.readings import adverse, can_match, favourable


class Situation(msgspec.Struct, frozen=True):
    """The runtimes that could be chosen for some size under ``reading``, in groups of equal standing, best first."""

    reading: ModelFacts
    groups: Sequence[Sequence[Fit]]

    @property
    def runtimes(self) -> list[RuntimeMatcher]:
        return [fit.runtime for group in self.groups for fit in group]

    def choice(self, demands: Demands, reading: ModelFacts) -> Resource | None:
        """What OME chooses under ``reading``, which differs in nothing but the size."""
        for group in self.groups:
            verdicts = (fit.verdict(reading, demands) for fit in group)
            chosen = best(verdict for verdict in verdicts if verdict.compatible)
            if chosen is not None:
                return chosen.resource
        return None


class Prospects:
    """What becomes of a model under every reading of its weights.

    ``runtimes`` are those that could be chosen under some reading. ``chosen`` says whether one is on the given facts:
    without, only a reading under which something matches can change that.
    """

    def __init__(self, pool: Pool, facts: OpenFacts, demands: Demands, *, chosen: bool) -> None:
        self._pool = pool
        self._demands = demands
        likely = pool.runtimes if ARCHITECTURE in facts.fields else pool.made_for(facts.given.architecture)
        self.runtimes = [
            runtime
            for runtime in likely
            if runtime.auto_select and runtime.refusal(demands) is None and can_match(facts, runtime)
        ]
        least = adverse(facts, self.runtimes) if chosen else iter(())
        self._found: list[Situation] = []
        self._rest = self._distinct(chain(least, favourable(facts, self.runtimes)))

    def situations(self) -> Iterator[Situation]:
        """One for all readings that let the same runtimes stand, worked out as far as it is asked for, and once.

        Runtimes made for one architecture mention many versions, and most readings come to the same.
        """
        yield from self._found
        for situation in self._rest:
            self._found.append(situation)
            yield situation

    def _distinct(self, readings: Iterator[ModelFacts]) -> Iterator[Situation]:
        judged, seen = set(), set()
        for reading in readings:
            if (key := reading.unsized_key) in judged:
                continue
            judged.add(key)
            fits = self._pool.fits(reading, self._demands) if reading.format.name else []
            standing = [fit for fit in fits if fit.auto_selectable]
            outcome = tuple((fit.runtime, fit.score) for fit in standing)
            if outcome not in seen:
                seen.add(outcome)
                yield Situation(replace(reading, size=None, size_value=0.0), by_standing(standing))
