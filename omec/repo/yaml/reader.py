"""The values of one document, in one pass over the events.

This is the hot path of lint and compile: nothing is recorded here but the value. What is unusual about a document
(duplicate keys, merges, tags, values without a JSON form) is only noticed; :mod:`omec.repo.yaml.outline` reads such a
document again to say what it is and where.
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
    StreamEndEvent,
)

from omec.repo.yaml.anchors import MAX_DEPTH, Anchors
from omec.repo.yaml.events import NextEvent, events
from omec.repo.yaml.memo import Memo
from omec.repo.yaml.scalars import MERGE_TAG, Scalar, key_text, resolve, resolve_key, resolve_tagged, resolve_tagged_key


class UnusualError(ValueError):
    """The outline has to read the document: it says why kubectl refuses it, or merges what is to be merged."""


# go-yaml reads YAML 1.1 only, and says so of a %YAML directive that names another version.
ACCEPTED_VERSIONS = (None, (1, 1))

# A string object of its own, so that a quoted "<<" is not taken for it.
MERGE = "".join(("<", "<"))


def _plain_key(text: str) -> str:
    return MERGE if text == "<<" else resolve_key(text)


_SCALARS: Memo[Scalar] = Memo(resolve)
_KEYS: Memo[str] = Memo(_plain_key)  # which also makes equal keys of all documents one object


def read_value(text: str) -> tuple[Any, bool]:
    """The value of the first document in ``text`` (``None`` for an empty one), and whether it is unusual.

    Raises ``yaml.YAMLError`` for text that is not YAML, :class:`UnusualError` or :class:`UnusableScalarError` (both
    ``ValueError``) for YAML that has no JSON form.
    """
    next_event = events(text)
    next_event()
    start: Any = next_event()
    if start.__class__ is StreamEndEvent:
        return None, False
    if start.version not in ACCEPTED_VERSIONS:
        raise UnusualError
    reader = _Reader(next_event)
    value = reader.node(next_event(), 0)
    next_event()
    return value, reader.unusual


class _Reader:
    __slots__ = ("anchors", "next_event", "unusual")

    def __init__(self, next_event: NextEvent) -> None:
        self.next_event = next_event
        self.anchors: Anchors[Any] = Anchors(_itself)
        self.unusual = False

    def mapping(self, depth: int) -> dict[str, Any]:
        if depth > MAX_DEPTH:
            raise UnusualError
        next_event, keys, scalars = self.next_event, _KEYS, _SCALARS
        result: dict[str, Any] = {}
        while True:
            event: Any = next_event()
            if event.__class__ is ScalarEvent and event.tag is None and event.anchor is None:
                key = event.value if event.style else keys[event.value]
            elif event.__class__ is MappingEndEvent:
                return result
            else:
                key = self.key(event, depth)
            if key is MERGE:
                raise UnusualError
            event = next_event()
            if key in result:
                self.unusual = True
            if event.__class__ is ScalarEvent and event.tag is None and event.anchor is None:
                result[key] = event.value if event.style else scalars[event.value]
            else:
                result[key] = self.node(event, depth)

    def sequence(self, depth: int) -> list[Any]:
        if depth > MAX_DEPTH:
            raise UnusualError
        next_event, scalars = self.next_event, _SCALARS
        result: list[Any] = []
        while True:
            event: Any = next_event()
            if event.__class__ is ScalarEvent and event.tag is None and event.anchor is None:
                result.append(event.value if event.style else scalars[event.value])
            elif event.__class__ is SequenceEndEvent:
                return result
            else:
                result.append(self.node(event, depth))

    def node(self, event: Any, depth: int) -> Any:
        """The value that begins with ``event``, whatever it is."""
        if event.__class__ is AliasEvent:
            return self.alias(event, depth)
        if event.tag is not None:
            self.unusual = True
        if event.anchor is None:
            return self.content(event, depth)
        self.anchors.begin(event.anchor)
        value = self.content(event, depth)
        self.anchors.end(event.anchor, value)
        return value

    def content(self, event: Any, depth: int) -> Any:
        if event.__class__ is MappingStartEvent:
            return self.mapping(depth + 1)
        if event.__class__ is SequenceStartEvent:
            return self.sequence(depth + 1)
        return scalar_value(event)

    def alias(self, event: Any, depth: int) -> Any:
        try:
            return self.anchors.use(event.anchor, depth)
        except (KeyError, ValueError) as error:
            raise UnusualError from error

    def key(self, event: Any, depth: int) -> str:
        """The key that begins with an event other than a plain or quoted scalar."""
        if event.__class__ is ScalarEvent:
            if event.tag is not None:
                self.unusual = True
            if event.anchor is not None:
                self.anchors.begin(event.anchor)
                self.anchors.end(event.anchor, scalar_value(event))
            return scalar_key(event)
        if event.__class__ is not AliasEvent:
            raise UnusualError
        value = self.alias(event, depth)
        if isinstance(value, (dict, list)):
            raise UnusualError
        return key_text(value)


def _itself(value: Any) -> Any:
    return value


def scalar_value(event: Any) -> Scalar:
    """The value of a scalar event, by its tag and style."""
    if event.tag is not None:
        return resolve_tagged(event.tag, event.value)
    value: Scalar = event.value if event.style else _SCALARS[event.value]
    return value


def scalar_key(event: Any) -> str:
    """The key of a scalar event, by its tag and style; :data:`MERGE` itself for a merge key."""
    if event.tag is not None:
        return MERGE if event.tag == MERGE_TAG and event.value == "<<" else resolve_tagged_key(event.tag, event.value)
    key: str = event.value if event.style else _KEYS[event.value]
    return key
