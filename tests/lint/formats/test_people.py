"""The formats with excerpts, and with one line only."""

from __future__ import annotations

import pytest

from omec.finding import Position
from omec.lint.excerpt import excerpt
from omec.lint.formats import concise, full
from omec.lint.result import LintResult
from omec.lint.statistics import statistics, table


def test_concise(result: LintResult) -> None:
    assert concise.render(result).splitlines()[:2] == [
        "a b/x,y.yaml: info[OME901] hint 100%",
        'm.yaml:3:8: error[OME201] parent "a\\nb" not found: <x> & y',
    ]


def test_full(result: LintResult) -> None:
    assert full.render(result).split("\n\n")[1].splitlines() == [
        'm.yaml:3:8: error[OME201] parent "a\\nb" not found: <x> & y',
        "    |",
        "  2 | spec:",
        "  3 |     name: 日本 <b>&x",
        "    |           ^^^^",
        "  p.yaml:1:2: child here",
        "  help: did you mean z?",
    ]


@pytest.mark.parametrize(
    ("position", "text", "shown"),
    [
        (Position("a", 1, 1, 1, 2), "x: 1\n", ["    |", "  1 | x: 1", "    | ^"]),
        (Position("a", 1, 4, 3, 2), "x: |\n  a\n  b\n", ["    |", "  1 | x: |", "    |    ^"]),
        (Position("a", 1, 5, 1, 5), "x: 1\n", ["    |", "  1 | x: 1", "    |     ^"]),
        (Position("a", 2, 1, 2, 2), "\r\nx: 1\r\n", ["    |", "  2 | x: 1", "    | ^"]),
        (Position("a", 1, 4, 1, 6), "x: \x1b[0m\n", ["    |", "  1 | x: \\u001b[0m", "    |    ^^^^^^^"]),
        (Position("a", 9, 1, 9, 2), "x: 1\n", []),
        (Position("a"), "x: 1\n", []),
    ],
)
def test_excerpt(position: Position, text: str, shown: list[str]) -> None:
    assert excerpt(position, text) == shown


def test_a_token_is_not_shown() -> None:
    token = "hf_abcdefghijklmnopqrstuvwx"
    for end in (4 + len(token), 20):
        assert not any("abcdefgh" in line for line in excerpt(Position("a", 1, 4, 1, end), f"x: {token} y\n"))


def test_a_long_line_is_cut_around_the_place() -> None:
    lines = excerpt(Position("a", 1, 501, 1, 503), f"{'x' * 500}yy{'z' * 500}\n")
    assert all(len(line) < 110 for line in lines)
    assert lines[1][lines[2].index("^") :].startswith("yyzz")


def test_statistics(result: LintResult) -> None:
    rows = statistics(result.findings)
    assert [(row["code"], row["count"]) for row in rows] == [
        ("OME201", 2), ("OME501", 1), ("OME801", 1), ("OME901", 1),
    ]  # fmt: skip
    assert table(rows).splitlines()[0] == "2  OME201  error    bad-parent"
