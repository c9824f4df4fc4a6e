"""JSON documents as kubectl reads them: a stream that begins with ``{`` is strict JSON values, one after another."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

from omec.repo import rules
from omec.repo.yaml import checks
from omec.repo.yaml.anchors import MAX_DEPTH
from omec.repo.yaml.floats import MAX_UINT64, MIN_INT64, integral
from omec.repo.yaml.outline import Node, Outline
from omec.repo.yaml.problem import Problem, ProblemError, Span

_SPACE = re.compile(r"[ \t\r\n]*")
_TOKEN = re.compile(r'[ \t\r\n]*(?:([{}\[\],:])|"((?:[^"\\]|\\.)*)"|([^\s{}\[\],:"]+))', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class JsonDocument(NamedTuple):
    """One value of a stream, where it begins, and its problems (with spans of the whole stream)."""

    value: Any
    offset: int
    problems: tuple[Problem, ...] = ()


class JsonReader:
    """Reads a stream value by value."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._has_duplicates = False
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=_integer, parse_float=_float, parse_constant=_constant
        )

    def documents(self) -> tuple[list[JsonDocument], Problem | None]:
        """The documents, and the problem that ended the reading, if any."""
        found: list[JsonDocument] = []
        start = self._skip_space(0)
        while start < len(self._text):
            self._has_duplicates = False
            try:
                value, end = self._decoder.raw_decode(self._text, start)
                if _SURROGATE.search(self._text, start, end):
                    value = _replace_surrogates(value)
                odd = self._has_duplicates or _depth(value) > MAX_DEPTH
                problems = tuple(json_outline(self._text, start).problems) if odd else ()
            except json.JSONDecodeError as error:
                return found, _syntax_problem(self._text, error)
            except RecursionError:
                return found, _nesting_problem(self._text, start)
            except ProblemError as error:
                return found, error.problem
            except ValueError as error:
                return found, checks.unusable_value(str(error), Span(start, start + 1))
            found.append(JsonDocument(value, start, problems))
            start = self._skip_space(end)
        return found, None

    def _skip_space(self, index: int) -> int:
        match = _SPACE.match(self._text, index)
        return match.end() if match else index

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) != len(pairs):
            self._has_duplicates = True
        return result


def json_outline(text: str, start: int) -> Outline:
    """The outline of the valid JSON value that begins at ``start``; spans are of ``text``."""
    scanner = _Scanner(text, start)
    root = scanner.value(0)
    return Outline(root, scanner.problems)


class _Scanner:
    def __init__(self, text: str, start: int) -> None:
        self.tokens = _TOKEN.finditer(text, start)
        self.problems: list[Problem] = []

    def value(self, depth: int) -> Node:
        return self.node(next(self.tokens), depth)

    def node(self, token: re.Match[str], depth: int) -> Node:
        if token[1] not in ("{", "["):
            return Node(None, _token_span(token))
        span = _token_span(token)
        if depth >= MAX_DEPTH:
            raise ProblemError(checks.nesting(span))
        node = Node(None, span)
        end = self.members(node, depth + 1) if token[1] == "{" else self.items(node, depth + 1)
        node.span = Span(span.start, end)
        return node

    def members(self, node: Node, depth: int) -> int:
        while (token := next(self.tokens))[1] != "}":
            if token[1] == ",":
                continue
            key, span = json.loads(f'"{token[2]}"', strict=False), _token_span(token)
            next(self.tokens)  # the colon
            if key in node.keys:
                self.problems.append(checks.duplicate(key, node.keys[key], span))
            node.keys[key], node.children[key] = span, self.value(depth)
        return token.end()

    def items(self, node: Node, depth: int) -> int:
        while (token := next(self.tokens))[1] != "]":
            if token[1] != ",":
                node.children[len(node.children)] = self.node(token, depth)
        return token.end()


def _token_span(token: re.Match[str]) -> Span:
    start = token.start(token.lastindex or 0)
    return Span(start - 1, token.end()) if token[2] is not None else Span(start, token.end())


def _integer(text: str) -> int | float:
    if len(text) <= len(str(MIN_INT64)):
        value = int(text)
        if MIN_INT64 <= value <= MAX_UINT64:
            return value
    return _float(text)


def _float(text: str) -> int | float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"the number {text[:20]} is too large")
    return integral(number)


def _constant(text: str) -> Any:
    raise ValueError(f"{text} has no JSON form")


def _replace_surrogates(value: Any) -> Any:
    """``value`` with U+FFFD for halves of surrogate pairs, as Go reads them."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_replace_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(item) for key, item in value.items()}
    return value


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(_depth, value), default=0)
    return 0


def _nesting_problem(text: str, start: int) -> Problem:
    depth = 0
    for token in _TOKEN.finditer(text, start):
        depth += (token[1] in ("{", "[")) - (token[1] in ("}", "]"))
        if depth > MAX_DEPTH:
            return checks.nesting(_token_span(token))
    return checks.nesting(Span(start, start + 1))


def _syntax_problem(text: str, error: json.JSONDecodeError) -> Problem:
    return Problem(
        rules.SYNTAX,
        f"a file that begins with {{ is read as JSON, and this is not: {error.msg.lower()}",
        Span(error.pos, min(error.pos + 1, len(text))),
        help="correct the JSON (keys in double quotes, no trailing comma), or write --- on the first line to use YAML",
    )
