"""Content that could not be read, and what can be told about it all the same.

What is lost may hold anything, and decisions that look at all of a repository hang on it. The kinds that its text names
say which decisions those are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from omec.finding import Position

_KIND = re.compile(r"""^(?:["']?kind["']?\s*:\s*["']?(\w+)|[\s{,]*"kind"\s*:\s*"(\w+))""", re.MULTILINE)


class Lost(msgspec.Struct, frozen=True):
    """A file, or a document of one, that could not be read; ``position`` is that of the finding about it.

    ``kinds`` are the kinds that its text names, ``None`` where nothing can be told: then it may hold any. ``text`` is
    what could be seen of it, ``None`` for nothing.
    """

    position: Position
    kinds: frozenset[str] | None = None
    text: str | None = None

    @classmethod
    def of_text(cls, position: Position, text: str) -> Lost:
        """The lost document with this text."""
        kinds = frozenset(yaml or json for yaml, json in _KIND.findall(text))
        return cls(position, kinds or None, text)

    def may_hold(self, kinds: Iterable[str]) -> bool:
        """Whether an object of one of ``kinds`` may be among what is lost."""
        return self.kinds is None or not self.kinds.isdisjoint(kinds)

    def may_name(self, name: str) -> bool:
        """Whether the name may stand in what is lost."""
        return self.text is None or name in self.text
