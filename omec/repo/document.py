"""One YAML document of a source, and where its parts stand in the file."""

from __future__ import annotations

from typing import Any, Protocol

from omec.finding import FieldPath, Position


class Locator(Protocol):
    """Turns a field path of one document into a place in its file."""

    def __call__(self, path: FieldPath, key: bool) -> Position: ...


class Document:
    """A parsed document: ``value`` (plain dicts, lists and scalars, as kubectl reads them) and its origin.

    ``path`` is the file as shown to the user, ``index`` the document's number in the file, from 0 (the items of a
    ``List`` count as documents). ``source`` is the file's path from the folder of the configuration: the same on every
    machine, for output that gets committed. Positions are worked out only
    when :meth:`locate` asks for one, because most documents never have a finding.
    """

    __slots__ = ("_locator", "index", "path", "source", "value")

    def __init__(
        self, path: str, index: int, value: dict[str, Any], locator: Locator | None = None, source: str | None = None
    ) -> None:
        self.path = path
        self.index = index
        self.value = value
        self.source = path if source is None else source
        self._locator = locator

    def locate(self, path: FieldPath = (), *, key: bool = False) -> Position:
        """The place of the value at ``path`` (with ``key``, of its key); of the nearest existing parent if absent.

        Lines and columns are 1-based; columns count characters (Unicode code points), a tab as one, a byte order mark
        at the start of the file not at all.
        """
        if self._locator is None:
            return Position(self.path)
        return self._locator(path, key)

    def with_value(self, value: dict[str, Any]) -> Document:
        """The same document as if it held ``value``, of which no position is known but the file."""
        return Document(self.path, self.index, value, source=self.source)

    def __repr__(self) -> str:
        return f"Document({self.path!r}, {self.index})"
