"""Go's template language (``text/template``), as far as the fields of OME's configuration use it.

Text, fields (``{{ .Labels.team }}``), ``index`` with strings, comments and trim markers are evaluated, with Go's
answers and error texts. Every other action is kept as an :class:`Unsupported` node, so that the caller can say what it
thinks of it.

Source: Go documentation, text/template.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from omec.api.gotext import quoted


class TemplateError(Exception):
    """A template that Go would not parse or execute; the message is Go's."""


class Field(NamedTuple):
    """``.A.b``; ``position`` is where Go says that it stands."""

    names: tuple[str, ...]
    position: int


class Literal(NamedTuple):
    """A string constant, and how it is written."""

    text: str
    source: str


class Index(NamedTuple):
    """``index`` with its operands."""

    operands: tuple[Field | Literal, ...]
    position: int


class Unsupported(NamedTuple):
    """An action that is not evaluated; ``source`` is the text between its braces."""

    source: str


Node = str | Field | Literal | Index | Unsupported
"""A template is a list of nodes; a ``str`` is text to be copied."""


class Template(NamedTuple):
    """A parsed template: ``name`` is for error texts, ``type_name`` the Go type of what it is executed with."""

    name: str
    text: str
    type_name: str
    nodes: tuple[Node, ...]

    def execute(self, fields: Mapping[str, Any]) -> str:
        """The text for ``fields``, whose values are strings or maps of strings.

        Raises :class:`TemplateError`; no node may be :class:`Unsupported`.
        """
        return "".join(
            node if isinstance(node, str) else _printed(self._value(node, fields))
            for node in self.nodes
            if not isinstance(node, Unsupported)
        )

    def _value(self, node: Field | Literal | Index, fields: Mapping[str, Any]) -> Any:
        """The value of a node; ``None`` is Go's "no value"."""
        if isinstance(node, Literal):
            return node.text
        return self._field(node, fields) if isinstance(node, Field) else self._indexed(node, fields)

    def _field(self, node: Field, fields: Mapping[str, Any]) -> Any:
        name, *rest = node.names
        if name not in fields:
            raise self._failure(node, f"can't evaluate field {name} in type {self.type_name}")
        value = fields[name]
        for step in rest:
            if isinstance(value, str):
                raise self._failure(node, f"can't evaluate field {step} in type string")
            value = None if value is None else value.get(step)
        return value

    def _indexed(self, node: Index, fields: Mapping[str, Any]) -> Any:
        if not node.operands:
            raise self._failure(node, "wrong number of args for index: want at least 1 got 0")
        value, *keys = (self._value(operand, fields) for operand in node.operands)
        for key in keys:
            if value is None:
                raise self._failure(node, "error calling index: index of untyped nil")
            if isinstance(value, str) or not isinstance(key, str):
                raise self._failure(node, "error calling index: cannot index slice/array with type string")
            value = value.get(key, "")
        return value

    def _failure(self, node: Field | Index, why: str) -> TemplateError:
        line = self.text.count("\n", 0, node.position) + 1
        column = node.position - (self.text.rfind("\n", 0, node.position) + 1)
        place = f"template: {self.name}:{line}:{column}"
        return TemplateError(f"{place}: executing {quoted(self.name)} at <{_source(node)}>: {why}")


def parse(text: str, name: str, type_name: str = "") -> Template:
    """``text`` as the template called ``name``; raises :class:`TemplateError`."""
    return Template(name, text, type_name, tuple(_Parser(text, name).nodes()))


# --- Parsing -----------------------------------------------------------------------------------------------------

_SPACE = " \t\r\n"
_END = re.compile(r"[ \t\r\n]+-}}|}}")
_TOKEN = re.compile(
    r"(?P<end>[ \t\r\n]+-}}|}})"
    r"|(?P<space>[ \t\r\n]+)"
    r"|(?P<field>\.[^\W\d]\w*)"
    r"|(?P<word>[^\W\d]\w*)"
    r"|(?P<raw>`[^`]*`)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<other>\$\w*|[(|)'0-9+,-]|:=|=|\.)"
    r"|(?P<char>.)",
    re.DOTALL,
)
_WORD_ENDS = (*_SPACE, ".", ",", "|", ":", ")", "(")
_UNTERMINATED = {"`": "unterminated raw quoted string", '"': "unterminated quoted string"}
_BUILT_IN = frozenset(
    {
        *("and", "call", "eq", "ge", "gt", "html", "index", "js", "le", "len", "lt", "ne", "not", "or", "print"),
        *("printf", "println", "slice", "urlquery"),
        *("block", "break", "continue", "define", "else", "end", "if", "range", "template", "with"),
        *("true", "false", "nil"),
    }
)


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class _Parser:
    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._name = name

    def nodes(self) -> Iterator[Node]:
        text, position, trim = self._text, 0, False
        while (start := text.find("{{", position)) >= 0:
            before = text[position:start].lstrip(_SPACE) if trim else text[position:start]
            inside = start + 2
            if text.startswith("-", inside) and text[inside + 1 : inside + 2] in tuple(_SPACE):
                before = before.rstrip(_SPACE)
                inside += 2
            if before:
                yield before
            if text.startswith("/*", inside):
                position = self._comment(inside)
            else:
                position, node = self._action(inside)
                yield node
            trim = text.startswith("-}}", position - 3)
        if rest := text[position:].lstrip(_SPACE) if trim else text[position:]:
            yield rest

    def _comment(self, start: int) -> int:
        end = self._text.find("*/", start)
        if end < 0:
            raise self._error("unclosed comment", start)
        closing = _END.match(self._text, end + 2)
        if closing is None:
            raise self._error("comment ends before closing delimiter", end)
        return closing.end()

    def _action(self, start: int) -> tuple[int, Node]:
        tokens = list(self._tokens(start))
        end = tokens.pop()
        said = [token for token in tokens if token.kind != "space"]
        if not said:
            raise self._error("missing value for command", start)
        for token in said:
            if token.kind == "word" and token.text not in _BUILT_IN:
                raise self._error(f"function {quoted(token.text)} not defined", token.start)
        source = self._text[start : end.start].strip(_SPACE)
        return end.end, _node(tokens) or Unsupported(source)

    def _tokens(self, position: int) -> Iterator[_Token]:
        """The tokens of the action that begins at ``position``; the last is its end."""
        while (match := _TOKEN.match(self._text, position)) is not None:
            kind, token, start = match.lastgroup or "", match[0], match.start()
            position = match.end()
            if kind == "char":
                raise self._error(_UNTERMINATED.get(token) or f"unexpected {quoted(token)} in command", start)
            if kind in ("field", "word") and position < len(self._text):
                following = self._text[position]
                if following not in _WORD_ENDS and not self._text.startswith("}}", position):
                    raise self._error(f"bad character U+{ord(following):04X} '{following}'", position)
            yield _Token(kind, token, start, position)
            if kind == "end":
                return
        raise self._error("unclosed action", position)

    def _error(self, why: str, position: int) -> TemplateError:
        line = self._text.count("\n", 0, position) + 1
        return TemplateError(f"template: {self._name}:{line}: {why}")


def _node(tokens: list[_Token]) -> Field | Literal | Index | None:
    """What ``tokens`` say if that is a field, a string, or ``index`` over such."""
    operands = _operands(tokens)
    if operands is not None:
        return operands[0] if len(operands) == 1 else None
    first = next(token for token in tokens if token.kind != "space")
    operands = _operands(tokens[tokens.index(first) + 1 :]) if first.text == "index" else None
    return None if operands is None else Index(tuple(operands), first.start)


def _operands(tokens: list[_Token]) -> list[Field | Literal] | None:
    """The fields and strings that ``tokens`` are, ``None`` where there is anything else."""
    found: list[Field | Literal] = []
    previous = ""
    for token in tokens:
        if token.kind == "field":
            last = found[-1] if found else None
            if previous == "field" and isinstance(last, Field):
                found[-1] = Field((*last.names, token.text[1:]), last.position if len(last.names) > 1 else token.start)
            else:
                found.append(Field((token.text[1:],), token.start))
        elif token.kind == "raw":
            found.append(Literal(token.text[1:-1], token.text))
        elif token.kind == "string":
            text = _unquoted(token.text)
            if text is None:
                return None
            found.append(Literal(text, token.text))
        elif token.kind != "space":
            return None
        previous = token.kind
    return found


def _unquoted(source: str) -> str | None:
    """The text of a quoted string; ``None`` for escapes that JSON does not have."""
    try:
        text = json.loads(source)
    except ValueError:
        return None
    return text if isinstance(text, str) else None


# --- Printing ----------------------------------------------------------------------------------------------------


def _source(node: Field | Literal | Index) -> str:
    if isinstance(node, Field):
        return "".join(f".{name}" for name in node.names)
    if isinstance(node, Literal):
        return node.source
    return " ".join(("index", *map(_source, node.operands)))


def _printed(value: Any) -> str:
    if value is None:
        return "<no value>"
    if isinstance(value, Mapping):
        return f"map[{' '.join(f'{key}:{item}' for key, item in sorted(value.items()))}]"
    return str(value)
