"""What the parser's errors mean, in words that say what to change."""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.events import ScalarEvent

from omec.repo import rules
from omec.repo.yaml import checks
from omec.repo.yaml.events import events
from omec.repo.yaml.outline import outline
from omec.repo.yaml.problem import Problem, ProblemError, Span

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")

# libyaml's phrase -> what is wrong, and what to do about it.
_EXPLANATIONS = {
    "mapping values are not allowed in this context": (
        "a key cannot stand here: the line has a second “: ”, or is not indented like its neighbours",
        "quote the value, or align the line with the keys of its mapping",
    ),
    "did not find expected key": (
        "a key of the mapping was expected here",
        "align the keys of one mapping in one column, and check the quotes before this place",
    ),
    "could not find expected ':'": (
        "this line has no colon, so it is no key",
        "write “key: value”, or indent the line as a continuation of the one above",
    ),
    "did not find expected '-' indicator": (
        "an item of the list was expected here",
        "align the items of one list in one column, each with “- ”",
    ),
    "block sequence entries are not allowed in this context": (
        "a list item cannot begin here",
        "put “- ” on a line of its own below the key",
    ),
    "mapping keys are not allowed in this context": (
        "a value cannot begin with “? ”",
        "put the value in quotes",
    ),
    "did not find expected ',' or ']'": (
        "the list in brackets is not closed before this place",
        "add the closing ], or a comma between the items",
    ),
    "did not find expected ',' or '}'": (
        "the mapping in braces is not closed before this place",
        "add the closing }, or a comma between the entries",
    ),
    "did not find expected node content": (
        "a value is missing here",
        "write the value, or remove the stray character; in brackets, items need no “- ”",
    ),
    "found undefined tag handle": (
        "the tag has a prefix that nothing declares",
        "remove the tag, or quote the text that begins with !",
    ),
    "found unknown escape character": (
        "the quoted string has an escape that YAML does not know",
        "write the backslash twice, or use single quotes, in which it has no meaning",
    ),
    "found invalid Unicode character escape code": (
        "the escape is no character: halves of a surrogate pair are known to JSON only",
        "write the character itself, or \\U and its code in eight digits",
    ),
    "did not find expected <document start>": (
        "a directive stands before the document",
        "remove the line that begins with %: kubectl cuts it off from its document",
    ),
    "did not find expected alphabetic or numeric character": (
        "an alias or anchor has no name",
        "put the value that begins with * or & in quotes",
    ),
}


def explain(error: yaml.YAMLError, text: str) -> Problem:
    """The problem that a parser's error stands for; ``text`` is what was parsed."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return _unprintable(error, text)
    problem, mark, context = str(error.problem), _index(error.problem_mark), _index(error.context_mark)
    start = min(len(text), mark if mark is not None else context or 0)
    if "quoted scalar" in str(error.context) and context is not None and problem.startswith("found unexpected"):
        return _open_quote(Span(context, context + 1))
    if "tab character" in problem or text[start : start + 1] == "\t":
        return _tab(text, start)
    if problem.startswith("exceeded maximum"):
        return _nesting(text, start)
    if problem == "could not find expected ':'" and context is not None:
        start = context  # the parser notices on a later line that the one it took for a key is none
    if problem == "found character that cannot start any token":
        character = text[start : start + 1]
        return Problem(
            rules.SYNTAX,
            f"a value cannot begin with “{character}” unless it is in quotes",
            Span(start, start + 1),
            help="put the value in quotes",
        )
    if problem.startswith("did not find expected") and (quote := _swallowing_quote(text, start)):
        return quote
    message, remedy = _EXPLANATIONS.get(problem, (problem, "correct the YAML here"))
    related = ((Span(context, context + 1), str(error.context)),) if context is not None and context < start else ()
    return Problem(rules.SYNTAX, message, Span(start, start + 1), remedy, related)


def _nesting(text: str, end: int) -> Problem:
    """The place where ``text`` nests too deeply, which is before ``end``: the parser counts to a thousand itself."""
    try:
        outline(text[:end])
    except ProblemError as error:
        return error.problem
    except yaml.YAMLError:
        pass
    return checks.nesting(Span(end, end + 1))


def _index(mark: Any) -> int | None:
    return None if mark is None else int(mark.index)


def _unprintable(error: yaml.YAMLError, text: str) -> Problem:
    match = _CONTROL.search(text)
    if not match:
        return Problem(rules.SYNTAX, str(error), Span(0, 0), help="correct the YAML")
    return Problem(
        rules.SYNTAX,
        f"the control character U+{ord(match[0]):04X} is not allowed in YAML",
        Span(*match.span()),
        help="delete it, or write it as an escape in double quotes",
    )


def _open_quote(span: Span) -> Problem:
    return Problem(
        rules.SYNTAX,
        "the quoted string that begins here is never closed",
        span,
        help="add the closing quote at the end of the string",
    )


def _swallowing_quote(text: str, end: int) -> Problem | None:
    """The quoted string of several lines right before an error: its closing quote is probably that of a later one."""
    next_event = events(text)
    last: Any = None
    try:
        while (event := next_event()) is not None:
            if event.__class__ is ScalarEvent:
                last = event
    except yaml.YAMLError:
        pass
    if last is None or last.style not in ("'", '"'):
        return None
    start, stop = last.start_mark, last.end_mark
    if start.line == stop.line or text[stop.index : end].strip(" \t,"):
        return None
    return Problem(
        rules.SYNTAX,
        "the quoted string that begins here ends only at the next quote, lines below: its closing quote is missing",
        Span(start.index, start.index + 1),
        help="add the closing quote at the end of the string",
        related=((Span(stop.index - 1, stop.index), "here the string ends"),),
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
