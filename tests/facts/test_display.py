"""Strangers' names and paths in messages."""

from __future__ import annotations

from omec.facts.display import printable, readable, shown


def test_names_are_short_and_cannot_steer_a_terminal() -> None:
    assert shown("a.b_c é") == "a.b_c é"
    assert shown("a\x1b[2J\n") == "a\\x1b[2J\\n"
    assert len(shown("x" * 1000)) == 61


def test_paths_keep_their_end() -> None:
    assert printable("a/b.json") == "a/b.json"
    long = printable("x/" * 1000 + "config.json")
    assert len(long) == 301
    assert long.endswith("x/config.json")


def test_bytes_that_are_no_text() -> None:
    assert readable("a\udcff\udcfe") == "a\ufffd\ufffd"
    assert readable("\x9b1m\u202e") == "\\x9b1m\\u202e"
