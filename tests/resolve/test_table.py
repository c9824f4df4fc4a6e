"""Tables as ``kubectl ome`` lays them out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.resolve.table import display_width, format_table, wrap

WRAPPED = [
    ("short", 10, ["short"]),
    ("", 5, [""]),
    ("alpha beta gamma", 11, ["alpha beta", "gamma"]),
    ("alpha  beta", 20, ["alpha  beta"]),
    # A break takes one blank, the others of the run begin the next line.
    ("alpha  beta", 7, ["alpha", " beta"]),
    ("value  ", 5, ["value", "  "]),
    # Words break after a delimiter where that is enough, else anywhere.
    ("srt-llama-3-2-1b-instruct", 12, ["srt-llama-3-", "2-1b-", "instruct"]),
    ("ab-cdefghij", 5, ["ab-", "cdefg", "hij"]),
    ("abcdefghij klm", 4, ["abcd", "efgh", "ij", "klm"]),
    ("abcdefghij k", 4, ["abcd", "efgh", "ij k"]),
]


@pytest.mark.parametrize(("text", "width", "lines"), WRAPPED)
def test_wrap(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines


def test_columns_that_fit() -> None:
    assert format_table(["NAME", "READY"], [["llama-70b", "True"], ["m", ""]], 80) == (
        "NAME        READY\nllama-70b   True\nm\n"
    )


def test_columns_grow_in_turn() -> None:
    """Both columns want more than they get: each has grown by three when the width is used up."""
    table = format_table(["A", "B"], [["aaaaaaaa", "bbbbbbbb"]], 11)
    assert table == "A      B\naaaa   bbbb\naaaa   bbbb\n"


def test_without_room_for_the_headers_rows_become_blocks() -> None:
    table = format_table(["FIRST-ONE", "SECOND-ONE"], [["yes", "a long enough text"], ["no", ""]], 20)
    assert table == "FIRST-ONE:    yes\nSECOND-ONE:\n  a long enough text\n\nFIRST-ONE:    no\nSECOND-ONE:\n"


def test_control_characters_are_written_out() -> None:
    assert format_table(["A"], [["tab\tline\nreturn\rescape\x1b\u202e"]], 80) == (
        "A\ntab\\tline\\nreturn\\rescape\\u001b\\u202e\n"
    )


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("界", 2), ("e\u0301", 1), ("\u200b", 0)])
def test_display_width(text: str, width: int) -> None:
    assert display_width(text) == width


texts = st.text(alphabet="ab-_/.: 界", max_size=40)


@given(texts, st.integers(2, 12))
def test_lines_keep_to_the_width_and_lose_only_blanks(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert all(display_width(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=4), st.integers(20, 90))
def test_tables_keep_to_the_width(rows: list[tuple[str, str, str]], width: int) -> None:
    for line in format_table(["ONE", "TWO", "THREE"], rows, width).splitlines():
        assert display_width(line) <= width
