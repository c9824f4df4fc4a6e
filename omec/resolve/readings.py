"""What OME may read from the weights of a model whose manifest leaves facts out.

OME reads ``config.json`` or ``model_index.json`` (reference 08 §2, §6, §8). Choosing a runtime compares the facts with
finitely many values that the runtimes mention, so finitely many readings stand for all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise, product

import msgspec
from msgspec.structs import replace

from omec.api.size import parse_size
from omec.api.version import try_parse_version
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
from omec.resolve.pipeline import pipeline_mismatch

ANY_ARCHITECTURE = "SomeOtherArchitecture"
UNREADABLE_VERSION = "unreadable"
"""Values that no runtime asks for: the readings under which as little as possible matches."""


class _Origin(msgspec.Struct, frozen=True):
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


class _Directories(msgspec.Struct, frozen=True):
    """Directories of one kind: every pair of format and framework that they can give the model."""

    diffusion: bool
    names: tuple[tuple[Versioned, Versioned | None], ...]


def favourable(open_facts: OpenFacts, matchers: Iterable[RuntimeMatcher]) -> Iterator[ModelFacts]:
    """For each entry, the readings under which it matches with as little beside it as possible, sizes apart.

    Whatever else a reading makes match, it cannot let a runtime win that does not win under one of these.
    """
    entries = _unlike(matchers)
    directories = _directories(open_facts, _versions(entries))
    for entry in entries:
        yield from _matching(open_facts, entry, directories)


def adverse(open_facts: OpenFacts, matchers: Iterable[RuntimeMatcher]) -> Iterator[ModelFacts]:
    """The readings under which as few entries as possible match, sizes apart."""
    given = open_facts.given
    architecture = ANY_ARCHITECTURE if ARCHITECTURE in open_facts.fields else given.architecture
    quantizations = [None, *QUANTIZATIONS] if open_facts.is_free(QUANTIZATION) else [given.quantization]
    for directory in _directories(open_facts, [UNREADABLE_VERSION, *_versions(_unlike(matchers))]):
        pipeline: Data | None = given.pipeline
        if directory.diffusion and open_facts.is_free(PIPELINE) and not open_facts.pvc:
            pipeline = {"className": architecture or ANY_ARCHITECTURE}
        for (model_format, framework), quantization in product(directory.names, quantizations):
            yield replace(
                given,
                format=model_format,
                framework=framework,
                architecture=architecture,
                quantization=quantization,
                pipeline=pipeline,
            )


def can_match(open_facts: OpenFacts, matcher: RuntimeMatcher) -> list[Entry]:
    """The entries of a runtime that match under some reading, or as the manifest stands."""
    return [entry for entry in matcher.entries if entry.matches(open_facts.given) or _may_match(open_facts, entry)]


def _may_match(open_facts: OpenFacts, entry: Entry) -> bool:
    """Whether ``entry`` matches under some reading; only the versions that it asks for itself can tell."""
    if not _fits_but_for_names(open_facts, entry):
        return False
    return next(_matching(open_facts, entry, _directories(open_facts, _versions([entry]))), None) is not None


def _unlike(matchers: Iterable[RuntimeMatcher]) -> list[Entry]:
    """The entries of ``matchers``, one of those that match the same models: their readings are the same too."""
    return list({entry.demand: entry for matcher in matchers for entry in matcher.entries}.values())


def _directories(open_facts: OpenFacts, versions: Iterable[str]) -> list[_Directories]:
    """Both kinds of directories, for frameworks of each of ``versions`` and of none."""
    known = list(versions)
    found = []
    for origin in _ORIGINS:
        pairs = (
            (origin.format(open_facts, version), origin.framework(open_facts, version))
            for version in ["" if origin.diffusion else None, *known]
        )
        found.append(_Directories(origin.diffusion, tuple(dict.fromkeys(pairs))))
    return found


def _matching(open_facts: OpenFacts, entry: Entry, directories: Iterable[_Directories]) -> Iterator[ModelFacts]:
    """Readings under which ``entry`` matches, without regard to the size."""
    if not _fits_but_for_names(open_facts, entry):
        return
    given, fields = open_facts.given, open_facts.fields
    for directory in directories:
        pipeline = _read_pipeline(open_facts, entry) if directory.diffusion else given.pipeline
        if pipeline_mismatch(entry.pipeline, pipeline) is not None:
            continue
        for model_format, framework in directory.names:
            if entry.accepts(model_format, framework):
                yield replace(
                    given,
                    format=model_format,
                    framework=framework,
                    architecture=entry.architecture if ARCHITECTURE in fields else given.architecture,
                    quantization=entry.quantization if QUANTIZATION in fields else given.quantization,
                    pipeline=pipeline,
                )


def _fits_but_for_names(open_facts: OpenFacts, entry: Entry) -> bool:
    """Whether some reading has the architecture and the quantization that ``entry`` asks for."""
    given, fields = open_facts.given, open_facts.fields
    if ARCHITECTURE not in fields:
        if entry.architecture != given.architecture:
            return False
    elif entry.architecture is None and not open_facts.pvc:
        return False  # the agent writes an architecture even where it finds none; then it is the empty text
    if QUANTIZATION not in fields:
        return entry.quantization == given.quantization and not given.sharded
    return entry.quantization in (None, *QUANTIZATIONS) and not given.sharded


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


def _versions(entries: Iterable[Entry]) -> list[str]:
    """For every version that an entry asks for: itself, the next one, and the lowest of its form.

    Between two neighbours of these, all versions with that many numbers compare alike with every entry.
    """
    required = (each for entry in entries for each in (entry.format, entry.framework) if each is not None)
    asked = dict.fromkeys(each.version for each in required if each.version is not None)
    return list(dict.fromkeys(version for text in asked for version in (text, *_neighbours(text))))


def _neighbours(text: str) -> list[str]:
    version = try_parse_version(text)
    if version is None or version.unofficial:
        return []
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
