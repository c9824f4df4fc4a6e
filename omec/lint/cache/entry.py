"""An entry of the cache: the findings of one run as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from omec.finding import Finding, ObjectRef, Position, Related, Rule, Severity
from omec.lint.result import LintResult


class Packed(msgspec.Struct, frozen=True, array_like=True):
    """A :class:`Finding` with the place of its rule in a list of rules."""

    rule: int
    message: str
    position: Position
    object: ObjectRef | None
    field: str | None
    help: str
    related: tuple[Related, ...]
    severity: Severity | None
    environments: tuple[str, ...]


class Entry(msgspec.Struct, frozen=True):
    """What a run found. ``with_secrets`` are the files that hold secrets in plain text, whose values stand nowhere."""

    rules: tuple[Rule, ...]
    findings: tuple[Packed, ...]
    notes: tuple[str, ...]
    files: int
    with_secrets: tuple[str, ...]

    def result(self, sources: Mapping[str, str], texts: Mapping[str, str]) -> LintResult:
        """The result as it was, with the files as they are."""
        return LintResult(tuple(unpacked(self.findings, self.rules)), self.notes, self.files, sources, texts)


def encoded(result: LintResult, with_secrets: Sequence[str]) -> bytes:
    """The entry about ``result``; raises ``ValueError`` for a text that JSON cannot hold."""
    packed, rules = packed_of(result.findings)
    return msgspec.json.encode(Entry(rules, packed, result.notes, result.files, tuple(with_secrets)))


def packed_of(findings: Iterable[Finding]) -> tuple[tuple[Packed, ...], tuple[Rule, ...]]:
    """``findings`` packed, and the rules that they name."""
    places: dict[str, int] = {}
    rules: list[Rule] = []
    packed = []
    for finding in findings:
        place = places.setdefault(finding.rule.code, len(rules))
        if place == len(rules):
            rules.append(finding.rule)
        packed.append(Packed(place, *(getattr(finding, name) for name in Finding.__struct_fields__[1:])))
    return tuple(packed), tuple(rules)


def unpacked(findings: Iterable[Packed], rules: Sequence[Rule]) -> Iterator[Finding]:
    """The findings that were packed."""
    for packed in findings:
        yield Finding(rules[packed.rule], *(getattr(packed, name) for name in Packed.__struct_fields__[1:]))


def decoded(content: bytes) -> Entry | None:
    """The entry; ``None`` where it is none of this omec."""
    try:
        entry = msgspec.json.decode(content, type=Entry)
    except (ValueError, RecursionError):
        return None
    return entry if all(0 <= packed.rule < len(entry.rules) for packed in entry.findings) else None


def texts_in(result: LintResult) -> Iterator[str]:
    """Every text of ``result`` that comes from the manifests."""
    yield from result.notes
    for finding in result.findings:
        yield finding.message
        yield finding.help
        yield finding.field or ""
        yield str(finding.object or "")
        yield finding.position.path
        for related in finding.related:
            yield related.message
            yield related.position.path
