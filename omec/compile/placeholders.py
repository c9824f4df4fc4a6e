"""Placeholders in a runner: Go template actions over the InferenceService's metadata (reference 04 §9.2).

OME serialises the container to JSON, executes that text as a Go ``text/template`` and decodes the result, so a value is
inserted as it is: one that holds a quote or a backslash changes the JSON around it. The documented actions are
evaluated here with Go's own answers and error texts (positions apart): fields (``{{.Name}}``, ``{{.Labels.team}}``),
``index`` with a raw string (``{{index .Labels `a/b`}}``), raw strings, comments and trim markers. Whatever else Go's
template language has (conditions, pipelines, formatting) is refused rather than guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec


class PlaceholderError(Exception):
    """A container that OME cannot fill in; the message is OME's where the cause is OME's.

    ``text`` is the string of the container that is at fault, ``""`` if none is at fault by itself.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.text = ""


class Subject(msgspec.Struct, frozen=True):
    """The metadata that the placeholders speak of."""

    name: str
    namespace: str
    labels: Mapping[str, str]
    annotations: Mapping[str, str]

    def fields(self) -> dict[str, Any]:
        return {
            "Name": self.name,
            "Namespace": self.namespace,
            "Labels": dict(self.labels),
            "Annotations": dict(self.annotations),
        }


def fill_placeholders(container: dict[str, Any], subject: Subject) -> dict[str, Any]:
    """``container`` with its placeholders replaced; the same object when it has none.

    Raises :class:`PlaceholderError`.
    """
    text = _go_json(container)
    if "{{" not in text:
        return container
    try:
        filled: dict[str, Any] = _filled(text, subject)
    except PlaceholderError as error:
        error.text = next(_failing_texts(container, subject), "")
        raise
    return filled


def _filled(text: str, subject: Subject) -> Any:
    result = _execute(_parse(text), subject.fields())
    try:
        return json.loads(result)
    except ValueError as error:
        raise PlaceholderError(
            f"failed to replace placeholders in container: a value that is inserted breaks its JSON ({error})"
        ) from error


def _failing_texts(value: Any, subject: Subject) -> Iterator[str]:
    """The strings in ``value`` that fail on their own, in document order."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _failing_texts(item, subject)
    elif isinstance(value, str) and "{{" in value:
        try:
            _filled(_go_json(value), subject)
        except PlaceholderError:
            yield value


_GO_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def _go_json(value: Any) -> str:
    """``value`` as Go's ``encoding/json`` writes it, compact and with the characters of HTML escaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_GO_ESCAPES)


# --- Parsing -----------------------------------------------------------------------------------------------------


class _Field(NamedTuple):
    names: tuple[str, ...]


class _Raw(NamedTuple):
    text: str


class _Index(NamedTuple):
    operands: tuple[_Field | _Raw, ...]


_Node = str | _Field | _Raw | _Index
"""A template is a list of nodes; a ``str`` is text to be copied."""

_SPACE = " \t\r\n"
_TOKEN = re.compile(
    r"(?P<end>[ \t\r\n]+-}}|}})"
    r"|(?P<space>[ \t\r\n]+)"
    r"|(?P<field>\.[^\W\d]\w*)"
    r"|(?P<dot>\.(?!\d))"
    r"|(?P<word>[^\W\d]\w*)"
    r"|(?P<raw>`[^`]*`)"
    r"|(?P<other>[$(|'0-9+-]|:=|.\d)"
    r"|(?P<char>.)",
    re.DOTALL,
)
_UNTERMINATED = {"`": "unterminated raw quoted string", '"': "unclosed action"}
"""What a character means that can only stand in an action that its string does not close."""
_WORD_ENDS = (*_SPACE, ".", ",", "|", ":", ")", "(")

_KEYWORDS = frozenset({"block", "break", "continue", "define", "else", "end", "if", "range", "template", "with"})
_CONSTANTS = frozenset({"true", "false", "nil"})
_FUNCTIONS = frozenset(
    {
        *("and", "call", "eq", "ge", "gt", "html", "index", "js", "le", "len", "lt", "ne", "not", "or", "print"),
        *("printf", "println", "slice", "urlquery"),
    }
)


def _syntax_error(text: str) -> PlaceholderError:
    return PlaceholderError(f"failed to replace placeholders in container: template: container-tmpl:1: {text}")


def _unsupported(what: str) -> PlaceholderError:
    return PlaceholderError(
        f"omec does not evaluate {what} in a placeholder; it knows {{{{.Name}}}}, {{{{.Namespace}}}}, "
        "{{.Labels.KEY}}, {{.Annotations.KEY}} and {{index .Labels `KEY`}}"
    )


def _parse(text: str) -> list[_Node]:
    nodes: list[_Node] = []
    position = 0
    trim = False
    while (start := text.find("{{", position)) >= 0:
        before = text[position:start]
        inside = start + 2
        before = before.lstrip(_SPACE) if trim else before
        if text.startswith("-", inside) and text[inside + 1 : inside + 2] in tuple(_SPACE):
            before = before.rstrip(_SPACE)
            inside += 2
        nodes.append(before)
        position, node = _comment(text, inside) if text.startswith("/*", inside) else _action(text, inside)
        trim = text.startswith("-}}", position - 3)
        if node is not None:
            nodes.append(node)
    rest = text[position:]
    nodes.append(rest.lstrip(_SPACE) if trim else rest)
    return nodes


def _comment(text: str, start: int) -> tuple[int, None]:
    end = text.find("*/", start)
    if end < 0:
        raise _syntax_error("unclosed comment")
    closing = re.compile(r"[ \t\r\n]+-}}|}}").match(text, end + 2)
    if closing is None:
        raise _syntax_error("comment ends before closing delimiter")
    return closing.end(), None


class _Token(NamedTuple):
    kind: str
    text: str
    end: int


def _tokens(text: str, position: int) -> Iterator[_Token]:
    """The tokens of the action that begins at ``position``, up to its end; lazy, so that errors come in Go's order."""
    while (match := _TOKEN.match(text, position)) is not None:
        kind = match.lastgroup or ""
        position = match.end()
        if kind in ("field", "word") and position < len(text):
            following = text[position]
            if following not in _WORD_ENDS and not text.startswith("}}", position):
                raise _syntax_error(f"bad character U+{ord(following):04X} '{following}'")
        if kind == "char" and match[0] in _UNTERMINATED:
            raise _syntax_error(_UNTERMINATED[match[0]])
        yield _Token(kind, match[0], position)
        if kind == "end":
            return
    raise _syntax_error("unclosed action")


def _action(text: str, start: int) -> tuple[int, _Node]:
    tokens = _tokens(text, start)
    function = ""
    operands: list[_Field | _Raw] = []
    previous = ""
    for token in tokens:
        first = not operands and not function
        if token.kind == "end":
            return token.end, _command(function, operands)
        if token.kind == "field" and previous == "field":
            operands[-1] = _extended(operands[-1], token.text[1:])
        elif token.kind == "field":
            operands.append(_Field((token.text[1:],)))
        elif token.kind == "raw":
            operands.append(_Raw(token.text[1:-1]))
        elif token.kind == "word":
            _check_word(token.text, first=first)
            function = token.text
        elif token.kind == "char":
            raise _syntax_error(f"unexpected {json.dumps(token.text)} in {'command' if first else 'operand'}")
        elif token.kind != "space":
            raise _unsupported(f"'{token.text}'")
        previous = token.kind
    raise _syntax_error("unclosed action")


def _extended(operand: _Field | _Raw, name: str) -> _Field:
    assert isinstance(operand, _Field)
    return _Field((*operand.names, name))


def _check_word(word: str, *, first: bool) -> None:
    if word in ("end", "else") and first:
        raise _syntax_error(f"unexpected {{{{{word}}}}}")
    if word in _KEYWORDS or word in _CONSTANTS:
        raise _unsupported(f"'{word}'")
    if word not in _FUNCTIONS:
        raise _syntax_error(f'function "{word}" not defined')
    if word != "index" or not first:
        raise _unsupported(f"the function '{word}'" if first else f"'{word}' as an argument")


def _command(function: str, operands: list[_Field | _Raw]) -> _Node:
    if function:
        return _Index(tuple(operands))
    if not operands:
        raise _syntax_error("missing value for command")
    if len(operands) > 1:
        raise _execution_error(operands[0], "has arguments, but is not a function")
    return operands[0]


# --- Execution ---------------------------------------------------------------------------------------------------

_CLUSTER_FIELDS = frozenset(
    {
        *("CreationTimestamp", "DeletionGracePeriodSeconds", "DeletionTimestamp", "Finalizers", "GenerateName"),
        *("Generation", "ManagedFields", "OwnerReferences", "ResourceVersion", "SelfLink", "UID"),
    }
)


def _execution_error(node: _Field | _Raw | _Index, text: str) -> PlaceholderError:
    return _syntax_error(f'executing "container-tmpl" at <{_source(node)}>: {text}')


def _source(node: _Field | _Raw | _Index) -> str:
    if isinstance(node, _Field):
        return "".join(f".{name}" for name in node.names)
    if isinstance(node, _Raw):
        return f"`{node.text}`"
    return " ".join(("index", *map(_source, node.operands)))


def _execute(nodes: list[_Node], fields: dict[str, Any]) -> str:
    return "".join(node if isinstance(node, str) else _printed(_evaluate(node, fields)) for node in nodes)


def _evaluate(node: _Field | _Raw | _Index, fields: dict[str, Any]) -> Any:
    """The value of a node; ``None`` is Go's "no value"."""
    if isinstance(node, _Raw):
        return node.text
    return _field_value(node, fields) if isinstance(node, _Field) else _indexed(node, fields)


def _field_value(node: _Field, fields: dict[str, Any]) -> Any:
    name, *rest = node.names
    if name in _CLUSTER_FIELDS:
        raise _unsupported(f"'.{name}', which only the cluster knows,")
    if name not in fields:
        raise _execution_error(node, f"can't evaluate field {name} in type v1.ObjectMeta")
    value = fields[name]
    for step in rest:
        if isinstance(value, str):
            raise _execution_error(node, f"can't evaluate field {step} in type string")
        value = None if value is None else value.get(step)
    return value


def _indexed(node: _Index, fields: dict[str, Any]) -> Any:
    if not node.operands:
        raise _execution_error(node, "wrong number of args for index: want at least 1 got 0")
    value, *keys = (_evaluate(operand, fields) for operand in node.operands)
    for key in keys:
        if value is None:
            raise _execution_error(node, "error calling index: index of untyped nil")
        if isinstance(value, str) or not isinstance(key, str):
            raise _execution_error(node, "error calling index: cannot index slice/array with type string")
        value = value.get(key, "")
    return value


def _printed(value: Any) -> str:
    if value is None:
        return "<no value>"
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{item}' for key, item in sorted(value.items()))}]"
    return str(value)
