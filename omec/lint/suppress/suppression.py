"""One suppression: which rules it silences, and where."""

from __future__ import annotations

import msgspec

from omec.finding import Finding, ObjectRef, Position
from omec.repo.settings_lint import exactness

Scope = ObjectRef | tuple[str, int | None] | None
"""An object, or a line of a file, or (without a line) all of it; ``None`` is what a finding about no object is in."""


class Suppression(msgspec.Struct):
    """A suppression of the rules that ``selectors`` name, each with its place.

    It covers the findings about the object ``ref`` where that is given, else those that begin on line ``line`` of the
    file, else all of the file. ``used`` are the selectors that silenced something.
    """

    path: str
    selectors: tuple[tuple[str, Position], ...]
    position: Position
    line: int | None = None
    ref: ObjectRef | None = None
    reason: str = ""
    used: set[str] = msgspec.field(default_factory=set)

    @property
    def scope(self) -> Scope:
        """What it covers, for all findings about one thing to be found together."""
        return (self.path, self.line) if self.ref is None else self.ref

    def silences(self, finding: Finding) -> bool:
        """Whether ``finding``, which is in the scope, is meant; remembers which selectors did it."""
        named = {name for name, _ in self.selectors if exactness((name,), finding.rule.code, finding.rule.slug)}
        self.used |= named
        return bool(named)
