"""One suppression: which rules it silences, and where."""

from __future__ import annotations

import msgspec

from omec.finding import Finding, ObjectRef, Position
from omec.repo.settings_lint import exactness


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

    def silences(self, finding: Finding) -> bool:
        """Whether ``finding`` is meant; remembers which selectors did it."""
        if not self._covers(finding):
            return False
        named = {name for name, _ in self.selectors if exactness((name,), finding.rule.code, finding.rule.slug)}
        self.used |= named
        return bool(named)

    def _covers(self, finding: Finding) -> bool:
        if self.ref is not None:
            return finding.object == self.ref
        return finding.position.path == self.path and self.line in (None, finding.position.line)
