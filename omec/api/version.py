"""Versions of model formats and frameworks, and the operators that compare them.

The grammar is OME's own, not semver's: ``[v]1``, ``[v]1.2`` or ``[v]1.2.3`` with the suffixes ``.dev``, ``-pre`` and
``+build`` after the third number only (OME docs: reference/matching/model-version-matching; reference 01 §5).
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Final

import msgspec

from omec.api.gotext import quoted

EQUAL: Final = "Equal"
GREATER_THAN: Final = "GreaterThan"
GREATER_THAN_OR_EQUAL: Final = "GreaterThanOrEqual"
OPERATORS: Final = (EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL)

_DIGITS = frozenset("0123456789")
_UINT64_MAX = 2**64 - 1

Pieces = tuple[str, ...]


class VersionError(ValueError):
    """A text that is not a version; the message is OME's own."""


class Version(msgspec.Struct, frozen=True, dict=True):
    """A parsed version.

    ``prefix`` is ``"v"`` or ``""``; ``pre``, ``build`` and ``dev`` are the dot-separated pieces of the suffixes;
    ``precision`` counts the numbers that were written, 1 to 3.
    """

    major: int
    minor: int
    patch: int
    prefix: str
    pre: Pieces
    build: Pieces
    dev: Pieces
    precision: int

    @cached_property
    def order(self) -> tuple[int, int, int, Pieces, Pieces, Pieces]:
        """What comparison goes by. Code point order is the byte order of UTF-8, so Python's tuple order is OME's."""
        return (self.major, self.minor, self.patch, self.pre, self.build, self.dev)

    @property
    def unofficial(self) -> bool:
        """Whether the version carries any suffix."""
        return bool(self.pre or self.build or self.dev)


def parse_version(text: str) -> Version:
    """The version written as ``text``; raises :class:`VersionError` with OME's message."""
    if not text:
        raise VersionError("Version string empty")
    major, *rest = text.split(".", 2)
    precision = 1 + len(rest)
    prefix = ""
    if major.startswith("v"):
        prefix, major = "v", major[1:]
    major_number = _number("major", major)
    minor = _number("minor", rest[0]) if rest else 0
    patch, build = _cut(rest[1] if precision == 3 else "0", "+")
    patch, pre = _cut(patch, "-")
    patch, dev = _cut(patch, ".")
    patch_number = _number("patch", patch)
    for what, pieces in (("prerelease", pre), ("build", build), ("dev", dev)):
        if "" in pieces:
            raise VersionError(f"{what} meta data is empty")
    return Version(major_number, minor, patch_number, prefix=prefix, pre=pre, build=build, dev=dev, precision=precision)


@lru_cache(maxsize=4096)
def try_parse_version(text: str | None) -> Version | None:
    """The version written as ``text``, or ``None`` where there is none or it is not a version."""
    if text is None:
        return None
    try:
        return parse_version(text)
    except VersionError:
        return None


def compare_versions(a: Version, b: Version) -> int:
    """-1, 0 or 1. A version with a suffix is greater than the same one without, and build suffixes count."""
    return (a.order > b.order) - (a.order < b.order)


def version_matches(entry: Version | None, operator: str | None, model: Version | None) -> bool:
    """Whether the version of a runtime's entry accepts the model's; ``None`` stands for a text that is no version.

    The entry stands on the left of the operator, so an ordering operator makes the entry's version an upper limit.
    A suffix on either side turns every operator into equality; any operator but the two ordering ones, known or not,
    asks for equality too, but then also for the same precision and prefix unless it is ``Equal`` (or unset).
    """
    if entry is None or model is None:
        return False
    if operator in (None, EQUAL) or entry.unofficial or model.unofficial:
        return entry.order == model.order
    if entry.precision != model.precision or entry.prefix != model.prefix:
        return False
    if operator == GREATER_THAN:
        return entry.order > model.order
    if operator == GREATER_THAN_OR_EQUAL:
        return entry.order >= model.order
    return entry.order == model.order


def _cut(text: str, separator: str) -> tuple[str, Pieces]:
    """What stands before the first ``separator``, and the dot-separated pieces after it."""
    before, found, after = text.partition(separator)
    return before, tuple(after.split(".")) if found else ()


def _number(what: str, text: str) -> int:
    if not _DIGITS.issuperset(text):
        raise VersionError(f"invalid character(s) in {what} number {quoted(text)}")
    if len(text) > 1 and text[0] == "0":
        raise VersionError(f"{what} must not have leading zeroes: {quoted(text)}")
    if not text:
        raise VersionError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > 20 or int(text) > _UINT64_MAX:
        raise VersionError(f"strconv.ParseUint: parsing {quoted(text)}: value out of range")
    return int(text)
