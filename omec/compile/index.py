"""The index of an output folder: which files omec wrote there, and from what (the format is that of docs/output.md).

An index is the licence to delete, so a line that is not understood is an error and never a guess. Lines are sorted and
each holds one property of one file; what changes often (``sha256``) never stands next to the same of another file. Git
therefore merges the indexes of two branches as it merges the files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import msgspec
from msgspec.structs import fields

from omec.compile.output_rules import INDEX_DAMAGED
from omec.errors import OmecError
from omec.repo.walk import OUTPUT_MARK

INDEX_NAME = OUTPUT_MARK
HEADER = "# omec index 1: the files here that omec compile wrote, and from what. Do not edit."

_LINE = re.compile(r"(?P<file>[a-z0-9][a-z0-9.-]*\.yaml) (?P<key>[a-z0-9]+) (?P<value>\S.*)")
_INVISIBLE = r"\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff"
_PLAIN_VALUE = re.compile(rf'(?!")[^\s{_INVISIBLE}](?:[^{_INVISIBLE}]*[^\s{_INVISIBLE}])?')
_CONFLICT_MARKERS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")


class Entry(msgspec.Struct, frozen=True):
    """What an output file holds and what it was made from.

    ``object`` is the object's kind, namespace and name, ``sha256`` the digest of the file, ``source`` the manifest of
    the InferenceService (or of the copied object itself); ``runtime`` and ``chain`` (root first) say what it was
    rendered with. A property that a merge has lost is empty.
    """

    object: str = ""
    sha256: str = ""
    source: str = ""
    runtime: str = ""
    chain: str = ""


_KEYS = tuple(field.name for field in fields(Entry))


class Index(msgspec.Struct, frozen=True):
    """The entries of one folder by file name, and the lines they were read from."""

    entries: Mapping[str, Entry]
    lines: frozenset[str]

    @classmethod
    def of(cls, entries: Mapping[str, Entry]) -> Index:
        return cls(dict(entries), frozenset(_lines(entries)))

    def text(self) -> str:
        """The index as it stands in the file; empty without entries."""
        return "\n".join((HEADER, *sorted(self.lines))) + "\n" if self.lines else ""


EMPTY = Index({}, frozenset())


def parse(text: str, path: str) -> Index:
    """Read an index; ``path`` is the file's name in error messages.

    Order and repetition do not matter, and where a property is given twice (a union merge leaves both) the last one
    stands: what counts is which files are omec's. Raises :class:`OmecError` for any line that is no entry.
    """
    header, _, body = text.partition("\n")
    if header != HEADER:
        raise _damaged(path, 1, header)
    properties: dict[str, dict[str, str]] = {}
    lines = body.split("\n")
    if lines[-1] == "":
        lines.pop()
    for number, line in enumerate(lines, start=2):
        match = _LINE.fullmatch(line)
        value = _value(match["value"]) if match and match["key"] in _KEYS else None
        if match is None or value is None:
            raise _damaged(path, number, line)
        properties.setdefault(match["file"], {})[match["key"]] = value
    entries = {name: Entry(**given) for name, given in properties.items()}
    return Index(entries, frozenset(lines))


def _lines(entries: Mapping[str, Entry]) -> list[str]:
    return [
        f"{name} {key} {_written(value)}"
        for name, entry in entries.items()
        for key in _KEYS
        if (value := getattr(entry, key))
    ]


def _written(value: str) -> str:
    """``value`` as it is, or as a JSON string where it has characters that a line cannot hold."""
    return value if _PLAIN_VALUE.fullmatch(value) else json.dumps(value)


def _value(written: str) -> str | None:
    if not written.startswith('"'):
        return written if _PLAIN_VALUE.fullmatch(written) else None
    try:
        value = json.loads(written)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _damaged(path: str, number: int, line: str) -> OmecError:
    if line.startswith(_CONFLICT_MARKERS):
        return OmecError(
            f"{path}:{number}:1: the index has an unresolved merge conflict",
            hint="keep the lines of both sides, remove the markers and compile again: that puts it in order",
            code=INDEX_DAMAGED.code,
        )
    return OmecError(
        f"{path}:{number}:1: {'not an index of this omec' if number == 1 else 'not a line of an index'}: {line[:60]!r}",
        hint="restore the file from Git; or delete the folder and compile again",
        code=INDEX_DAMAGED.code,
    )
