"""Go's ``%q``."""

from __future__ import annotations

import pytest

from omec.api.gotext import quoted


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
