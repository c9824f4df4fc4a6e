"""What libyaml's errors mean, in words that say what to change."""

from __future__ import annotations

import re
from typing import Any

import yaml

from omec.repo import rules
from omec.repo.yaml.problem import Problem, Span

_NOT_TEXT = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")

# libyaml's phrase -> what to do about it.
_REMEDIES = {
    "mapping values are not allowed in this context": (
        "a second “: ” on one line, or a key that is indented differently from its neighbours: quote the value or fix "
        "the indentation"
    ),
    "did not find expected key": "align the keys of one mapping in one column, and close every quote before this line",
    "could not find expected ':'": "write “key: value”, or indent the line as a continuation of the one above",
    "did not find expected '-' indicator": "align the items of one list in one column",
    "block sequence entries are not allowed in this context": "put “- ” on a line of its own below the key",
    "mapping keys are not allowed in this context": "quote the value that begins with ?",
    "did not find expected ',' or ']'": "close the bracket [ or separate its items by commas",
    "did not find expected ',' or '}'": "close the brace { or separate its items by commas",
    "did not find expected node content": "remove the stray indicator, or write the missing value",
    "found undefined tag handle": "remove the tag, or quote the text that begins with !",
    "found unknown escape character": "write the backslash twice, or use single quotes",
    "found invalid Unicode character escape code": "write the character itself, or its code as \\U and eight digits",
    "did not find expected <document start>": "remove the directive before ---, or the text before it",
    "did not find expected alphabetic or numeric character": "quote the value that begins with * or &",
}


def explain(error: yaml.YAMLError, text: str) -> Problem:
    """The problem that a parser's error stands for; ``text`` is what was parsed."""
    hidden = _NOT_TEXT.search(text)
    if hidden and not isinstance(error, yaml.MarkedYAMLError):
        return _control_character(hidden)
    if not isinstance(error, yaml.MarkedYAMLError):
        return Problem(rules.SYNTAX, str(error), Span(0, 0))
    mark: Any = error.problem_mark or error.context_mark
    start = min(mark.index, len(text)) if mark else 0
    context: Any = error.context_mark
    problem = str(error.problem)
    if "quoted scalar" in str(error.context) and context and problem.startswith("found unexpected"):
        return _open_quote(Span(context.index, context.index + 1))
    if text[start : start + 1] == "\t" or "tab character" in problem:
        return _tab(text, start)
    earlier = context is not None and context.index < start
    related = ((Span(context.index, context.index + 1), str(error.context)),) if earlier else ()
    return Problem(rules.SYNTAX, _sentence(problem, text, start), Span(start, start + 1), _remedy(problem), related)


def _sentence(problem: str, text: str, start: int) -> str:
    if problem == "found character that cannot start any token":
        return f"a value cannot begin with “{text[start : start + 1]}” unless it is quoted"
    return problem


def _remedy(problem: str) -> str:
    if problem == "found character that cannot start any token":
        return "put the value in quotes"
    return _REMEDIES.get(problem, "correct the YAML here")


def _control_character(match: re.Match[str]) -> Problem:
    return Problem(
        rules.SYNTAX,
        f"control character U+{ord(match[0]):04X} is not allowed in YAML",
        Span(*match.span()),
        help="delete the character, or write it as an escape in double quotes",
    )


def _open_quote(span: Span) -> Problem:
    return Problem(
        rules.SYNTAX,
        "the quoted string that begins here is never closed",
        span,
        help="add the closing quote at the end of the string",
    )


def _tab(text: str, start: int) -> Problem:
    line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    tab = text.find("\t", line_start)
    start = tab if tab >= 0 else start
    return Problem(
        rules.SYNTAX,
        "a tab is used as indentation, which YAML does not allow",
        Span(start, start + 1),
        help="indent with spaces",
    )
