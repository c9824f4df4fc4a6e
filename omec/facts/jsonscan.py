"""JSON read in place: strict, iterative, and without building what nobody asked for.

The files of a model come from strangers. :mod:`json` turns ten megabytes of ``[[],[],…`` into hundreds of megabytes of
lists, recurses on nesting, takes ``NaN``, and forgets duplicate keys. This scanner works on the bytes, keeps only
offsets, and accepts exactly what Go's ``encoding/json`` accepts, because OME decodes the same files with it: at most
10,000 levels, no control characters in texts, invalid UTF-8 and lone surrogates read as U+FFFD.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator

import msgspec

MAX_DEPTH = 10_000

# Repeated groups have an upper bound: without one, a match keeps a record of every repetition to go back to, which a
# long text of escapes turns into hundreds of megabytes. Longer ones are read piece by piece. Possessive groups would
# do, but Python before 3.11.5 gets them wrong.
_SPACE = rb"[ \t\n\r]*+"
_PIECE = rb'[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+){0,15}'
_TEXT = rb'"' + _PIECE + rb'"'
_NUMBER = rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
_SCALAR = rb"(?:" + _TEXT + rb"|" + _NUMBER + rb"|true|false|null)"


def _few(item: bytes) -> bytes:
    """None to eight of ``item``, separated by commas."""
    return _SPACE + rb"(?:" + item + rb"(?:" + _SPACE + rb"," + _SPACE + item + rb"){0,7})?" + _SPACE


# Small containers of one or two levels are matched in one go, as the tensors of a safetensors header are.
_SHALLOW_LEVELS = 2
_FLAT_LIST = rb"\[" + _few(_SCALAR) + rb"\]"
_FLAT_MEMBER = _TEXT + _SPACE + rb":" + _SPACE + rb"(?:" + _SCALAR + rb"|" + _FLAT_LIST + rb")"
_SHALLOW = _SCALAR + rb"|" + _FLAT_LIST + rb"|\{" + _few(_FLAT_MEMBER) + rb"\}"

_BLANK = re.compile(_SPACE)
_TEXT_PIECE = re.compile(_PIECE)
_VALUE = re.compile(_SPACE + rb"(?:(" + _SHALLOW + rb")|([\[{]))")
_SCALAR_VALUE = re.compile(_SPACE + rb"(?:(" + _SCALAR + rb")|([\[{]))")
_KEY = re.compile(_SPACE + rb"(" + _TEXT + rb")" + _SPACE + rb":")
_COLON = re.compile(_SPACE + rb":")
_SHALLOW_MEMBER = re.compile(
    _SPACE + rb'"(' + _PIECE + rb')"' + _SPACE + rb":" + _SPACE + rb"(" + _SHALLOW + rb")" + _SPACE + rb"([,}])"
)
_AFTER_VALUE = re.compile(_SPACE + rb"([,\]}])")
_CLOSERS = {b"[": b"]", b"{": b"}"}

_KINDS = {ord('"'): "a text", ord("{"): "an object", ord("["): "a list", ord("n"): "null", ord("t"): "true"}
_KINDS |= {ord("f"): "false", ord("-"): "a number"} | {ord(digit): "a number" for digit in "0123456789"}

_SURROGATES = re.compile("[\ud800-\udfff]")


class JsonError(ValueError):
    """What is wrong with a JSON text, ending in the line and column (in bytes) where it shows."""


class Value(msgspec.Struct, frozen=True):
    """One value in a JSON text: ``data[start:end]``, known to be well-formed."""

    data: bytes
    start: int
    end: int

    @property
    def kind(self) -> str:
        """``a text``, ``a number``, ``an object``, ``a list``, ``true``, ``false`` or ``null``."""
        return _KINDS[self.data[self.start]]

    @property
    def literal(self) -> bytes:
        """The value as it is written."""
        return self.data[self.start : self.end]

    def text(self) -> str:
        """What the text literal says, ill-formed parts replaced by U+FFFD as Go does."""
        return _unquote(self.data[self.start + 1 : self.end - 1])

    def members(self) -> Iterator[tuple[str, Value]]:
        """The members of an object in the order written, duplicate keys included."""
        return _members(self.data, self.start)

    def items(self) -> Iterator[Value]:
        """The items of a list."""
        at = _enter(self.data, self.start)
        separator = self.data[at : at + 1]
        while separator != b"]":
            item = _value(self.data, at)
            yield item
            separator, at = _separator(self.data, item.end, b"]")

    def where(self) -> str:
        return place(self.data, self.start)


def parse(data: bytes) -> Value:
    """The value that ``data`` holds; raises :class:`JsonError` unless it is one well-formed JSON text."""
    value = _value(data, 0)
    _expect_end(data, value.end)
    return value


def stream(data: bytes) -> Iterator[tuple[str, Value]]:
    """The members of the object that ``data`` holds (``null`` has none), checked while they are read.

    One pass, for texts of megabytes. What comes after an error has been handed out is not well-formed, so a caller
    must not use anything before the iteration has ended.
    """
    start = _skip_blank(data, 0)
    if data[start : start + 1] == b"{":
        end = yield from _members(data, start)
    else:
        value = _value(data, start)
        if value.kind != "null":
            raise JsonError(f"the file holds {value.kind}, expected an object ({value.where()})")
        end = value.end
    _expect_end(data, end)


def place(data: bytes, offset: int) -> str:
    """``line L, column C`` of ``offset``, both from 1, the column in bytes."""
    line = data.count(b"\n", 0, offset) + 1
    column = offset - data.rfind(b"\n", 0, offset)
    return f"line {line}, column {column}"


def _value(data: bytes, at: int) -> Value:
    match = _VALUE.match(data, at)
    if match and match.lastindex == 1:
        return Value(data, match.start(1), match.end())
    return Value(data, _skip_blank(data, at), _skip_value(data, at))


def _skip_value(data: bytes, at: int) -> int:
    """The end of the value at ``at``; an explicit stack instead of recursion, since depth is the writer's choice."""
    open_containers: list[bytes] = []
    while True:
        pattern = _VALUE if len(open_containers) <= MAX_DEPTH - _SHALLOW_LEVELS else _SCALAR_VALUE
        match = pattern.match(data, at)
        at = match.end() if match else _skip_text(data, at, "a value")
        if match and (opener := match[2]):
            open_containers.append(_CLOSERS[opener])
            if len(open_containers) > MAX_DEPTH:
                raise JsonError(f"more than {MAX_DEPTH} levels of nesting ({place(data, at - 1)})")
            inside = _skip_blank(data, at)
            if data[inside : inside + 1] != open_containers[-1]:
                at = _key(data, at)[1] if opener == b"{" else at
                continue
        while open_containers:
            separator, at = _separator(data, at, open_containers[-1])
            if separator == b",":
                at = _key(data, at)[1] if open_containers[-1] == b"}" else at
                break
            open_containers.pop()
        else:
            return at


def _members(data: bytes, at: int) -> Generator[tuple[str, Value], None, int]:
    at = _enter(data, at)
    if data[at : at + 1] == b"}":
        return at + 1
    separator = b","
    while separator == b",":
        if match := _SHALLOW_MEMBER.match(data, at):
            yield _unquote(match[1]), Value(data, match.start(2), match.end(2))
            separator, at = match[3], match.end()
        else:
            key, at = _key(data, at)
            value = _value(data, at)
            yield key.text(), value
            separator, at = _separator(data, value.end, b"}")
    return at


def _enter(data: bytes, at: int) -> int:
    """The first place after the bracket at ``at`` that is not blank."""
    return _skip_blank(data, at + 1)


def _key(data: bytes, at: int) -> tuple[Value, int]:
    """The text that is the key at ``at``, and the offset after its colon."""
    match = _KEY.match(data, at)
    if match:
        return Value(data, match.start(1), match.end(1)), match.end()
    end = _skip_text(data, at, "a key")
    colon = _COLON.match(data, end)
    if colon is None:
        raise _unexpected(data, end, "a colon")
    return Value(data, _skip_blank(data, at), end), colon.end()


def _skip_text(data: bytes, at: int, expected: str) -> int:
    """The end of the text at ``at``, however long it is; what was ``expected`` goes into the error if there is none."""
    start = _skip_blank(data, at)
    if data[start : start + 1] != b'"':
        raise _unexpected(data, start, expected)
    end = start + 1
    while (piece := _TEXT_PIECE.match(data, end)) and piece.end() > end:
        end = piece.end()
    if data[end : end + 1] != b'"':
        raise _error(data, end, "a valid character or the end of the text")
    return end + 1


def _separator(data: bytes, at: int, closer: bytes) -> tuple[bytes, int]:
    """The comma or ``closer`` that follows a value, and the offset after it."""
    match = _AFTER_VALUE.match(data, at)
    if match is None or match[1] not in (b",", closer):
        raise _unexpected(data, at, f"a comma or {closer.decode()}")
    return match[1], match.end()


def _skip_blank(data: bytes, at: int) -> int:
    match = _BLANK.match(data, at)
    return match.end() if match else at


def _expect_end(data: bytes, at: int) -> None:
    at = _skip_blank(data, at)
    if at != len(data):
        raise _unexpected(data, at, "the end of the file")


def _unexpected(data: bytes, at: int, expected: str) -> JsonError:
    """The error at ``at``, or after the white space there."""
    return _error(data, _skip_blank(data, at), expected)


def _error(data: bytes, at: int, expected: str) -> JsonError:
    if at >= len(data):
        return JsonError(f"the file ends where {expected} should stand ({place(data, at)})")
    character = chr(data[at])
    found = repr(character) if character.isascii() and character.isprintable() else f"byte 0x{data[at]:02x}"
    return JsonError(f"expected {expected}, found {found} ({place(data, at)})")


def _unquote(inner: bytes) -> str:
    try:
        text = inner.decode()
    except UnicodeDecodeError:
        text = _SURROGATES.sub("\ufffd", inner.decode("utf-8", "surrogateescape"))
    if "\\" not in text:
        return text
    return _SURROGATES.sub("\ufffd", json.loads(f'"{text}"'))
