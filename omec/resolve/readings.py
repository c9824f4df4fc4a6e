"""What OME may read from the weights of a model whose manifest leaves facts out.

OME reads ``config.json`` or ``model_index.json`` (reference 08 §2, §6, §8). Choosing a runtime compares the facts with
finitely many values that the runtimes mention, so finitely many readings stand for all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

from omec.api.size import parse_size
from omec.api.version import Version, try_parse_version
from omec.resolve.entry import Entry
from omec.resolve.facts import Data, ModelFacts, Versioned
from omec.resolve.match import RuntimeMatcher
from omec.resolve.open_facts import (
    ARCHITECTURE,
    FORMAT,
    FORMAT_VERSION,
    FRAMEWORK,
    PIPELINE,
    QUANTIZATION,
    QUANTIZATIONS,
    SIZE,
    OpenFacts,
)

ANY_ARCHITECTURE = "SomeOtherArchitecture"
UNREADABLE_VERSION = "unreadable"
"""Values that no runtime asks for: the readings under which as little as possible matches."""


@dataclass(frozen=True, slots=True)
class _Origin:
    """The two kinds of directories, with the name that format and framework get."""

    diffusion: bool

    def format(self, open_facts: OpenFacts, version: str | None) -> Versioned:
        given = open_facts.given.format
        read = _versioned("diffusers", version) if self.diffusion else _versioned("safetensors", "1.0.0")
        if FORMAT in open_facts.fields:
            return read
        return replace(read, name=given.name) if FORMAT_VERSION in open_facts.fields else given

    def framework(self, open_facts: OpenFacts, version: str | None) -> Versioned | None:
        if FRAMEWORK not in open_facts.fields:
            return open_facts.given.framework
        return _versioned("diffusers" if self.diffusion else "transformers", version)


_ORIGINS = (_Origin(diffusion=False), _Origin(diffusion=True))


def favourable(open_facts: OpenFacts, matchers: Sequence[RuntimeMatcher]) -> Iterator[ModelFacts]:
    """For each entry, the readings under which it matches with as little beside it as possible, sizes apart.

    Whatever else a reading makes match, it cannot let a runtime win that does not win under one of these.
    """
    versions = _versions(matchers)
    for matcher in matchers:
        for entry in matcher.entries:
            yield from _matching(open_facts, entry, versions)


def adverse(open_facts: OpenFacts, matchers: Sequence[RuntimeMatcher]) -> Iterator[ModelFacts]:
    """The readings under which as few entries as possible match, sizes apart."""
    given = open_facts.given
    architecture = ANY_ARCHITECTURE if ARCHITECTURE in open_facts.fields else given.architecture
    quantizations = [None, *QUANTIZATIONS] if open_facts.is_free(QUANTIZATION) else [given.quantization]
    versions = _versions(matchers)
    for origin in _ORIGINS:
        pipeline: Data | None = given.pipeline
        if origin.diffusion and open_facts.is_free(PIPELINE) and not open_facts.pvc:
            pipeline = {"className": architecture or ANY_ARCHITECTURE}
        unmatched = [""] if origin.diffusion else [None, UNREADABLE_VERSION]
        for version, quantization in product([*unmatched, *versions], quantizations):
            yield replace(
                given,
                format=origin.format(open_facts, version),
                framework=origin.framework(open_facts, version),
                architecture=architecture,
                quantization=quantization,
                pipeline=pipeline,
            )


def can_match(open_facts: OpenFacts, matcher: RuntimeMatcher) -> list[Entry]:
    """The entries of a runtime that match under some reading, or as the manifest stands."""
    versions = _versions([matcher])
    return [
        entry
        for entry in matcher.entries
        if entry.matches(open_facts.given) or next(_matching(open_facts, entry, versions), None) is not None
    ]


def _matching(open_facts: OpenFacts, entry: Entry, versions: Iterable[str]) -> Iterator[ModelFacts]:
    """Readings under which ``entry`` matches, without regard to the size."""
    given, fields = open_facts.given, open_facts.fields
    if QUANTIZATION in fields:
        if entry.quantization not in (None, *QUANTIZATIONS):
            return
    elif entry.quantization != given.quantization:
        return
    if ARCHITECTURE in fields:
        if entry.architecture is None and not open_facts.pvc:
            return  # the agent writes an architecture even where it finds none; then it is the empty text
    elif entry.architecture != given.architecture:
        return
    for origin in _ORIGINS:
        facts = replace(
            given,
            architecture=entry.architecture if ARCHITECTURE in fields else given.architecture,
            quantization=entry.quantization if QUANTIZATION in fields else given.quantization,
            pipeline=_read_pipeline(open_facts, entry) if origin.diffusion else given.pipeline,
        )
        for version in ["" if origin.diffusion else None, *versions]:
            read = replace(
                facts, format=origin.format(open_facts, version), framework=origin.framework(open_facts, version)
            )
            if entry.matches(read):
                yield read


def _read_pipeline(open_facts: OpenFacts, entry: Entry) -> Data | None:
    """The smallest pipeline that ``entry`` accepts; its class is also the model's architecture where both are read."""
    if PIPELINE not in open_facts.fields or open_facts.pvc:
        return open_facts.given.pipeline
    read: dict[str, object] = {"className": entry.architecture or ANY_ARCHITECTURE, **(entry.pipeline or {})}
    if ARCHITECTURE in open_facts.fields and entry.architecture is not None:
        read["className"] = entry.architecture
    return read


def sized(facts: ModelFacts, sizes: Iterable[str | None]) -> Iterator[ModelFacts]:
    """``facts`` with each of ``sizes``."""
    for size in sizes:
        yield replace(facts, size=size, size_value=0.0 if size is None else parse_size(size))


def _versions(matchers: Iterable[RuntimeMatcher]) -> list[str]:
    """For every version that an entry asks for: itself, the next one, and the lowest of its form.

    Between two neighbours of these, all versions with that many numbers compare alike with every entry.
    """
    found: dict[str, None] = {}
    for matcher in matchers:
        for entry in matcher.entries:
            for required in (entry.format, entry.framework):
                if required is None or required.version is None:
                    continue
                found[required.version] = None
                if required.parsed is not None and not required.parsed.unofficial:
                    found |= dict.fromkeys(_neighbours(required.parsed))
    return list(found)


def _neighbours(version: Version) -> list[str]:
    numbers = [version.major, version.minor, version.patch][: version.precision]
    following = [*numbers[:-1], numbers[-1] + 1]
    return [version.prefix + ".".join(map(str, each)) for each in (following, [0] * len(numbers))]


def sizes(open_facts: OpenFacts, matchers: Iterable[RuntimeMatcher]) -> list[str | None]:
    """The given size; or sizes between which no range check and no order of size distances changes, 0 last."""
    if SIZE not in open_facts.fields:
        return [open_facts.given.size]
    ranges = {matcher.size_range for matcher in matchers if matcher.size_range is not None}
    bounds = {r.min for r in ranges if r.min_text is not None} | {r.max for r in ranges if r.max_text is not None}
    one_sided = {r.max if r.min_text is None else r.min for r in ranges if (r.min_text is None) != (r.max_text is None)}
    widths = {r.distance(r.min) for r in ranges if r.min_text is not None and r.max_text is not None}
    points = bounds | {bound + sign * width for bound in one_sided for width in widths for sign in (1, -1)}
    points |= {(a + b) / 2 for a in one_sided for b in one_sided}
    ordered = sorted(point for point in points | {0.0} if 0 <= point < math.inf)
    between = [(a + b) / 2 for a, b in pairwise(ordered)]
    return [_size_text(point) for point in [2 * ordered[-1] + 1e9, *ordered[1:], *between, 0.0]]


def _size_text(value: float) -> str:
    """``value`` as a size; as people write it where that reads as the same number."""
    short = f"{value / 1e9:g}B"
    return short if parse_size(short) == value else repr(value)


def _versioned(name: str, version: str | None) -> Versioned:
    return Versioned(name, version, try_parse_version(version))
