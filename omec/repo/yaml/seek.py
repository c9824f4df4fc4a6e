"""The place of one scalar or key, without an outline of the whole document.

Most documents with a finding have one or two, near their beginning. The events up to there are enough; what is rarer
(mappings and sequences, merges, aliases, keys that are not written as they read) is left to the outline.
"""

from __future__ import annotations

from typing import Any

from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from omec.finding import FieldPath
from omec.repo.yaml.events import NextEvent, events
from omec.repo.yaml.problem import Span

_STARTS = (MappingStartEvent, SequenceStartEvent)
_ENDS = (MappingEndEvent, SequenceEndEvent)


def seek(text: str, path: FieldPath, *, key: bool) -> Span | None:
    """The span of the scalar at ``path``, or of its key, as the outline of ``text`` has it.

    ``None`` where it takes the outline. The document is known to be YAML without duplicate keys.
    """
    if not path:
        return None
    next_event = events(text)
    next_event()
    next_event()
    key_event: Any = None
    event: Any = next_event()
    for step in path:
        found = _child(next_event, event, step)
        if found is None:
            return None
        key_event, event = found
    if key:
        return _span(key_event) if key_event is not None else None
    is_inline = event.__class__ is ScalarEvent and event.style not in ("|", ">")
    return _span(event) if is_inline else None


def _child(next_event: NextEvent, parent: Any, step: str | int) -> tuple[Any, Any] | None:
    """The events of the key (if there is one) and of the value at ``step`` of the collection that has just begun."""
    if parent.__class__ is SequenceStartEvent and isinstance(step, int):
        for _ in range(step):
            if not _skip(next_event, next_event()):
                return None
        event = next_event()
        return None if event.__class__ in (SequenceEndEvent, AliasEvent) else (None, event)
    if parent.__class__ is not MappingStartEvent:
        return None
    while (key := next_event()).__class__ is ScalarEvent and (key.value != "<<" or key.style):
        value = next_event()
        if key.value == step:
            return None if value.__class__ is AliasEvent else (key, value)
        _skip(next_event, value)
    return None


def _skip(next_event: NextEvent, event: Any) -> bool:
    """Pass over the value that begins with ``event``; whether there was one."""
    if event.__class__ in _ENDS:
        return False
    depth = int(event.__class__ in _STARTS)
    while depth:
        event = next_event()
        depth += (event.__class__ in _STARTS) - (event.__class__ in _ENDS)
    return True


def _span(event: Any) -> Span:
    return Span(event.start_mark.index, event.end_mark.index)
