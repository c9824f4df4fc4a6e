"""Where everything in a document stands, and what is odd about it.

The outline reads the same events by the same rules as :mod:`omec.repo.yaml.reader`, but keeps the span of every key and
value and goes on after a problem. It is made only for documents that have a finding, because it costs about twice as
much.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from yaml.events import AliasEvent, MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent, StreamEndEvent

from omec.finding import FieldPath
from omec.repo.yaml import checks
from omec.repo.yaml.anchors import MAX_DEPTH, Anchors, ExpansionError, SelfReferenceError, UnknownAnchorError
from omec.repo.yaml.events import NextEvent, events
from omec.repo.yaml.problem import Problem, ProblemError, Span
from omec.repo.yaml.reader import ACCEPTED_VERSIONS, MERGE, scalar_key, scalar_value
from omec.repo.yaml.scalars import UnusableScalarError, key_text


class Node(msgspec.Struct):
    """One value: its span, and for a mapping or sequence its children (and the spans of the keys)."""

    value: Any
    span: Span
    keys: dict[str, Span] = msgspec.field(default_factory=dict)
    children: dict[str | int, Node] = msgspec.field(default_factory=dict)


class Outline(msgspec.Struct):
    """The nodes of one document (``root`` is ``None`` for an empty one) and its problems in the order of the text."""

    root: Node | None
    problems: list[Problem]

    def find(self, path: FieldPath, *, key: bool) -> Span:
        """The span of the value at ``path``, or of its key; of the nearest existing parent where there is none."""
        if self.root is None:
            return Span(0, 0)
        node, span = self.root, self.root.span
        for step in path:
            child = node.children.get(step)
            if child is None:
                return span
            span = node.keys.get(str(step), child.span) if key else child.span
            node = child
        return span


def outline(text: str) -> Outline:
    """The outline of the first document in ``text``.

    Raises ``yaml.YAMLError`` where the text is not YAML, :class:`ProblemError` where reading must stop.
    """
    next_event = events(text)
    next_event()
    start: Any = next_event()
    if start.__class__ is StreamEndEvent:
        return Outline(None, [])
    if start.version not in ACCEPTED_VERSIONS:
        raise ProblemError(checks.version(_span(start)))
    outliner = _Outliner(text, next_event)
    root = outliner.node(next_event(), 0)
    end: Any = next_event()
    outliner.report(checks.dropped(text, end.end_mark.index))
    return Outline(root, sorted(outliner.problems, key=lambda problem: problem.span))


class _Outliner:
    """Builds nodes from events; one instance per document."""

    def __init__(self, text: str, next_event: NextEvent) -> None:
        self.text = text
        self.next_event = next_event
        self.anchors: Anchors[Node] = Anchors(lambda node: node.value)
        self.problems: list[Problem] = []

    def report(self, problem: Problem | None) -> None:
        if problem is not None:
            self.problems.append(problem)

    def node(self, event: Any, depth: int) -> Node:
        """The node that begins with ``event``."""
        if event.__class__ is AliasEvent:
            return self.alias(event, depth)
        if event.tag is not None:
            self.report(checks.tag(event.tag, _span(event)))
        if event.anchor is None:
            return self.content(event, depth)
        self.anchors.begin(event.anchor)
        node = self.content(event, depth)
        self.anchors.end(event.anchor, node)
        return node

    def content(self, event: Any, depth: int) -> Node:
        if event.__class__ is ScalarEvent:
            return self.scalar(event)
        if depth >= MAX_DEPTH:
            raise ProblemError(checks.nesting(_span(event)))
        return (self.mapping if event.__class__ is MappingStartEvent else self.sequence)(event, depth + 1)

    def scalar(self, event: Any) -> Node:
        span = _span(event)
        if event.style == '"':
            self.report(checks.escapes(self.text, span))
        elif event.style in ("|", ">"):
            # The event of a block scalar ends where the next token begins.
            span = Span(span.start, span.start + len(self.text[span.start : span.end].rstrip()))
        try:
            value = scalar_value(event)
        except UnusableScalarError as error:
            self.report(checks.unusable_value(str(error), span))
            value = None
        return Node(value, span)

    def sequence(self, start: Any, depth: int) -> Node:
        node = Node([], _span(start))
        end = node.span.end
        while (event := self.next_event()).__class__ is not SequenceEndEvent:
            child = self.node(event, depth)
            node.children[len(node.value)] = child
            node.value.append(child.value)
            end = child.span.end
        return _closed(node, start, event, end)

    def mapping(self, start: Any, depth: int) -> Node:
        node = Node({}, _span(start))
        merged: set[str] = set()
        end = node.span.end
        while (event := self.next_event()).__class__ is not MappingEndEvent:
            key_span = _span(event)
            key = self.key(event, depth)
            value_event = self.next_event()
            child = self.node(value_event, depth)
            end = child.span.end
            if key is MERGE:
                self.merge(node, merged, key_span, child, is_alias=value_event.__class__ is AliasEvent)
            elif key is not None:
                self.entry(node, merged, key, key_span, child)
                if event.__class__ is ScalarEvent and not event.style:
                    self.report(checks.key(key, key_span))
                    self.report(checks.missing_space(start, event, value_event, key_span))
        return _closed(node, start, event, end)

    def entry(self, node: Node, merged: set[str], key: str, key_span: Span, child: Node) -> None:
        first = node.keys.get(key)
        if first is not None and key in merged:
            self.report(checks.override(key, first, key_span, by_merge=False))
            merged.discard(key)
        elif first is not None:
            self.report(checks.duplicate(key, first, key_span))
        node.value[key], node.keys[key], node.children[key] = child.value, key_span, child

    def merge(self, node: Node, merged: set[str], key_span: Span, child: Node, *, is_alias: bool) -> None:
        """Apply ``<<`` where it stands, as the reader does."""
        in_list = isinstance(child.value, list) and not is_alias
        sources = list(child.children.values())[::-1] if in_list else [child]
        brought: dict[str, tuple[Span, Node]] = {}
        for source in sources:
            if not isinstance(source.value, dict):
                self.report(checks.merge_of(source.span))
                continue
            brought.update({key: (span, source.children[key]) for key, span in source.keys.items()})
        for key, (span, value) in brought.items():
            if key in node.keys:
                self.report(checks.override(key, node.keys[key], key_span, by_merge=True))
            node.value[key], node.keys[key], node.children[key] = value.value, span, value
        merged.update(brought)

    def alias(self, event: Any, depth: int) -> Node:
        """The anchored node, at the place of the alias; its children stay where they are."""
        name, span = event.anchor, _span(event)
        try:
            target = self.anchors.use(name, depth)
        except UnknownAnchorError:
            self.report(checks.unknown_anchor(name, span))
        except SelfReferenceError:
            self.report(checks.self_reference(name, span))
        except ExpansionError:
            raise ProblemError(checks.expansion(name, span)) from None
        else:
            return Node(target.value, span, target.keys, target.children)
        return Node(None, span)

    def key(self, event: Any, depth: int) -> str | None:
        """The key that begins with ``event``; ``None`` (and a problem) where it cannot be one."""
        if event.__class__ is not ScalarEvent:
            node = self.node(event, depth)
            if isinstance(node.value, (dict, list)):
                templated = self.text.startswith("{{", node.span.start - 1)
                self.report(checks.unusable_key("it is a list or a mapping", templated, node.span))
                return None
            return self.usable(lambda: key_text(node.value), node.span)
        if event.tag is not None:
            self.report(checks.tag(event.tag, _span(event)))
        key = self.usable(lambda: scalar_key(event), _span(event))
        if event.anchor is not None:
            self.anchors.begin(event.anchor)
            self.anchors.end(event.anchor, Node(None, _span(event)) if key is None else self.scalar(event))
        return key

    def usable(self, make_key: Callable[[], str], span: Span) -> str | None:
        try:
            return make_key()
        except UnusableScalarError as error:
            self.report(checks.unusable_key(str(error), False, span))
            return None


def _span(event: Any) -> Span:
    return Span(event.start_mark.index, event.end_mark.index)


def _closed(node: Node, start: Any, end_event: Any, last_child_end: int) -> Node:
    """``node`` with the span that its closing bracket, or in block style its last child, gives it."""
    end = end_event.end_mark.index if start.flow_style else last_child_end
    node.span = Span(node.span.start, max(node.span.start, end))
    return node
