"""Go's ``%q``."""

from __future__ import annotations

import pytest

from omec.api.gotext import parse_integer, quoted


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("profile", '"profile"'),
        (' a"b\\c', '" a\\"b\\\\c"'),
        ("\a\b\f\n\r\t\v", '"\\a\\b\\f\\n\\r\\t\\v"'),
        ("\x00\x7f", '"\\x00\\x7f"'),
        ("é\uff11", '"é\uff11"'),
        ("\u200b\U000e0001", '"\\u200b\\U000e0001"'),
    ],
)
def test_quoted(text: str, printed: str) -> None:
    assert quoted(text) == printed


@pytest.mark.parametrize(
    ("text", "bits", "number"),
    [
        ("+07", 64, 7),
        ("-0", 64, 0),
        ("0" * 5000 + "5", 64, 5),
        ("2147483647", 32, 2**31 - 1),
        ("2147483648", 32, None),
        ("-2147483648", 32, -(2**31)),
        ("-9223372036854775808", 64, -(2**63)),
        ("9223372036854775808", 64, None),
        ("9" * 5000, 64, None),
        ("", 64, None),
        ("1_0", 64, None),
        (" 1", 64, None),
        ("\u0663", 64, None),
    ],
)
def test_parse_integer(text: str, bits: int, number: int | None) -> None:
    assert parse_integer(text, bits) == number
