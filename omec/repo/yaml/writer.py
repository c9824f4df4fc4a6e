"""Printing: the bytes that ``kubectl get -o yaml`` prints (reference 11 §2).

libyaml's emitter lays the text out; this module gives it the keys in kubectl's order, each scalar in kubectl's style.
Two differences to kubectl are known: it prints a key ``<<`` without quotes, so that nobody can read it back; and
libyaml indents the closing quote after a string that ends in U+2028, U+2029 or NEL.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from typing import Any

import yaml
from yaml.events import (
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from omec.repo.yaml.floats import MAX_UINT64, MIN_INT64, go_float, integral
from omec.repo.yaml.keyorder import ordered
from omec.repo.yaml.lines import LinePrinter, SeveralLinesError
from omec.repo.yaml.memo import Memo
from omec.repo.yaml.scalars import UnusableScalarError, is_timestamp, resolve

_WIDTH = 80
_SEPARATOR = "---\n"
_END_MARK = "...\n"
"""libyaml marks the end of a document with a scalar that keeps its line breaks; kubectl does not."""
_MARKED_ENDS = tuple(f"{line_break}{_END_MARK}" for line_break in "\n\u2028\u2029")
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z")

_STREAM_START, _STREAM_END = StreamStartEvent(), StreamEndEvent()
_DOCUMENT_START, _DOCUMENT_END = DocumentStartEvent(explicit=False), DocumentEndEvent(explicit=False)
_MAPPING_START, _MAPPING_END = MappingStartEvent(None, None, implicit=True, flow_style=False), MappingEndEvent()
_SEQUENCE_START, _SEQUENCE_END = SequenceStartEvent(None, None, implicit=True, flow_style=False), SequenceEndEvent()


def _emitter_class() -> Any:
    try:
        from yaml._yaml import CEmitter  # noqa: PLC0415  (absent on interpreters without the C extension)
    except ImportError:
        return yaml.emitter.Emitter
    return CEmitter


_Emitter = _emitter_class()


def dump(value: Any) -> str:
    """The YAML text of one JSON-like value (dicts with text keys, lists, texts, numbers, booleans, ``None``).

    Raises ``TypeError`` for anything else, ``ValueError`` for infinity and not-a-number.
    """
    if value.__class__ is dict and value:
        try:
            return _LINES.print(value)
        except SeveralLinesError:
            pass
    return _emitted(value)


def _emitted(value: Any) -> str:
    """The text of ``value`` by the emitter."""
    stream = io.StringIO()
    emit = _Emitter(stream, width=_WIDTH, allow_unicode=True).emit
    emit(_STREAM_START)
    emit(_DOCUMENT_START)
    _emit(emit, value)
    emit(_DOCUMENT_END)
    emit(_STREAM_END)
    text = stream.getvalue()
    return text[: -len(_END_MARK)] if text.endswith(_MARKED_ENDS) else text


def dump_all(values: Iterable[Any]) -> str:
    """The YAML text of several documents, separated by ``---``."""
    return _SEPARATOR.join(map(dump, values))


def _emit(emit: Callable[[Event], None], value: Any) -> None:
    if value.__class__ is str:
        emit(_STRINGS[value])
    elif value.__class__ is dict:
        emit(_MAPPING_START)
        for key in ordered(value):
            emit(_STRINGS[key] if key != "<<" else _QUOTED_MERGE)
            _emit(emit, value[key])
        emit(_MAPPING_END)
    elif value.__class__ is list:
        emit(_SEQUENCE_START)
        for item in value:
            _emit(emit, item)
        emit(_SEQUENCE_END)
    else:
        emit(_scalar(_number_text(value), None))


def _number_text(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if MIN_INT64 <= value <= MAX_UINT64 else go_float(float(value))
    if isinstance(value, float):
        number = integral(value)
        return go_float(value) if isinstance(number, float) or value == 0 else str(number)
    raise TypeError(f"{type(value).__name__} has no YAML form")


def _scalar(text: str, style: str | None) -> ScalarEvent:
    return ScalarEvent(None, None, (True, True), text, style=style)


def _string(text: str) -> ScalarEvent:
    """The event of a string: literal if it has lines, in double quotes if it would be read as something else."""
    if "\n" in text:
        return _scalar(text, "|")
    return _scalar(text, None if _reads_as_itself(text) else '"')


def _reads_as_itself(text: str) -> bool:
    try:
        if resolve(text) is not text and resolve(text) != text:
            return False
    except UnusableScalarError:
        return False
    return not (text[0] in "+-0123456789" and (_BASE_60.match(text) or is_timestamp(text)))


_STRINGS: Memo[ScalarEvent] = Memo(_string)
_LINES = LinePrinter(_emitted, _number_text, _reads_as_itself)
_QUOTED_MERGE = _scalar("<<", "'")
