"""Texts that are no YAML: what omec says, and where."""

from __future__ import annotations

import pytest

from omec.repo.yaml import parse
from omec.repo.yaml.problem import LineIndex, Problem, ProblemError


def problem_of(text: str) -> Problem:
    with pytest.raises(ProblemError) as caught:
        parse(text)
    return caught.value.problem


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a:\n\tb: 1\n", (2, 1), "a tab is used as indentation"),
        ("a: 1\n\t\nb: 2\n", (2, 1), "a tab is used as indentation"),
        ("a: |\n \tx\n", (2, 2), "a tab is used as indentation"),
        ('a: "x\nb: 1\n', (1, 4), "the quoted string that begins here is never closed"),
        ("é: 'x\nb: 1\n", (1, 4), "the quoted string that begins here is never closed"),
        ('a: "x\nb: "y"\nc: 1\n', (1, 4), "the quoted string that begins here ends only at the next quote"),
        ("a: 'x\nb: 'y'\n", (1, 4), "the quoted string that begins here ends only at the next quote"),
        ('args: ["x, "y"]\n', (1, 13), "the list in brackets is not closed"),
        ("a: @x\n", (1, 4), "a value cannot begin with “@”"),
        ("a: %x\n", (1, 4), "a value cannot begin with “%”"),
        ("a: b: c\n", (1, 5), "a key cannot stand here"),
        ("a:\n   b: 1\n  c: 2\n", (3, 3), "a key of the mapping was expected"),
        ("a: 1\nb\nc: 2\n", (2, 1), "this line has no colon"),
        ("a: - b\n", (1, 4), "a list item cannot begin here"),
        ("a: ? b\n", (1, 4), "a value cannot begin with “? ”"),
        ("a: [1, 2\nb: 3\n", (2, 2), "the list in brackets is not closed"),
        ("a: {x: 1\nb: 3\n", (2, 2), "the mapping in braces is not closed"),
        ("a:\n- b\n c\n- d\n  -e: 1\n", (5, 5), "a key cannot stand here"),
        ("a: [\n  - x\n]\n", (2, 3), "a value is missing here"),
        ("a: *\n", (1, 5), "an alias or anchor has no name"),
        ("a: !e!x y\n", (1, 4), "the tag has a prefix that nothing declares"),
        ('a: "\\q"\n', (1, 5), "the quoted string has an escape that YAML does not know"),
        ('a: "\\ud83d"\n', (1, 7), "the escape is no character"),
        ("%YAML 1.1\n", (2, 1), "a directive stands before the document"),
        ('a: 1\nb: "x\u0001y"\n', (2, 6), "the control character U+0001 is not allowed"),
        ("a: x\u007fy\n", (1, 5), "the control character U+007F is not allowed"),
    ],
)
def test_message_and_place(text: str, place: tuple[int, int], message: str) -> None:
    problem = problem_of(text)
    assert problem.message.startswith(message)
    assert LineIndex(text).place(problem.span.start) == place
    assert problem.help
    assert problem.rule.slug == "yaml-syntax"
