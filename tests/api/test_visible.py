"""Texts of strangers on a terminal."""

from __future__ import annotations

import pytest

from omec.api.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, ünïcode, 界", "plain, ünïcode, 界"),
        ("tab\tline\nreturn\r", "tab\\tline\\nreturn\\r"),
        ("\x1b[5mblink\x00\x7f\x9b", "\\u001b[5mblink\\u0000\\u007f\\u009b"),
        ("evil\u202egnp.exe\u2066\u200f", "evil\\u202egnp.exe\\u2066\\u200f"),
        ("line\u2028paragraph\u2029", "line\\u2028paragraph\\u2029"),
        ("zero\u200bwidth\u00a0space", "zero\u200bwidth\u00a0space"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown
