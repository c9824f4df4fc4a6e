"""Runtimes that compete for the same models: which of them automatic selection can ever pick.

Entries with one demand match the same models, so runtimes are compared within groups of equal demands; comparing every
runtime with every other would take too long for thousands of them. Demands that merely overlap are not compared.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from omec.api.size import SizeRange
from omec.lint.rules.selection.typical import typical_model
from omec.resolve.entry import Entry
from omec.resolve.match import RuntimeMatcher


class Rival(NamedTuple):
    """A runtime that automatic selection may pick for the models of ``entry``, with its score for them."""

    matcher: RuntimeMatcher
    entry: Entry
    score: int

    @property
    def name(self) -> str:
        return self.matcher.resource.name

    @property
    def models(self) -> str:
        """What the score is for: an architecture, by which models are told apart best."""
        return self.entry.architecture or "models without an architecture"

    @property
    def low(self) -> float:
        bounds = self.matcher.size_range
        return -math.inf if bounds is None or bounds.min_text is None else bounds.min

    @property
    def high(self) -> float:
        bounds = self.matcher.size_range
        return math.inf if bounds is None or bounds.max_text is None else bounds.max

    @property
    def width(self) -> float:
        """The distance from every size within the range; 0 without a range, NaN where it depends on the size."""
        bounds: SizeRange | None = self.matcher.size_range
        if bounds is None:
            return 0.0
        return self.high - self.low if math.isfinite(self.high - self.low) else math.nan

    def covers(self, other: Rival) -> bool:
        """Whether it serves every size and every demand that ``other`` serves."""
        modes = all(other.matcher.modes.get(part) == mode for part, mode in self.matcher.modes.items())
        sizes = self.low <= other.low and other.high <= self.high
        return modes and sizes and other.matcher.classes <= self.matcher.classes


Group = list[Rival]


def groups(matchers: Iterable[RuntimeMatcher]) -> Iterator[Group]:
    """The rivals of each scope for the models of each demand, by name; a runtime that has no rival is left out."""
    found: dict[Hashable, dict[str, tuple[RuntimeMatcher, Entry]]] = {}
    for matcher in matchers:
        if matcher.auto_select and not matcher.disabled:
            for entry in matcher.entries:
                key = (matcher.resource.namespace, entry.demand)
                found.setdefault(key, {}).setdefault(matcher.resource.name, (matcher, entry))
    for members in found.values():
        if len(members) > 1:
            yield [rival for _, (matcher, entry) in sorted(members.items()) for rival in _rival(matcher, entry)]


def _rival(matcher: RuntimeMatcher, entry: Entry) -> Iterator[Rival]:
    model = typical_model(entry)
    score = 0 if model is None else matcher.score(model)
    if score > 0:
        yield Rival(matcher, entry, score)
