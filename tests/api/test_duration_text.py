"""Go's printed form of durations, and what it says to others (Go documentation, package time)."""

from __future__ import annotations

import pytest

from omec.api.duration import canonical_duration, duration_error


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("0", "0s"),
        ("0s", "0s"),
        ("1ns", "1ns"),
        ("1500us", "1.5ms"),
        ("1.5µs", "1.5µs"),
        ("999999999ns", "999.999999ms"),
        ("30s", "30s"),
        ("1.25s", "1.25s"),
        ("60s", "1m0s"),
        ("90m", "1h30m0s"),
        ("5m", "5m0s"),
        ("24h", "24h0m0s"),
        ("1h0.5s", "1h0m0.5s"),
        ("-90s", "-1m30s"),
        ("-1ms", "-1ms"),
        ("+1h", "1h0m0s"),
    ],
)
def test_printed_form(text: str, printed: str) -> None:
    assert canonical_duration(text) == printed
    assert canonical_duration(printed) == printed


@pytest.mark.parametrize("text", ["", "1", "1d", "s", ".s", "1h 2m", "1.2.3s", "999999999h"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match="duration"):
        canonical_duration(text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1h", None),
        ("", 'invalid duration ""'),
        ("-", 'invalid duration "-"'),
        ("300", 'missing unit in duration "300"'),
        ("1h5", 'missing unit in duration "1h5"'),
        ("1d", 'unknown unit "d" in duration "1d"'),
        ("1h 2m", 'unknown unit "h " in duration "1h 2m"'),
        ("99999999999999999999x", 'invalid duration "99999999999999999999x"'),
        ("9999999999h1x", 'invalid duration "9999999999h1x"'),
        ("9" * 5000 + "s", f'invalid duration "{"9" * 5000}s"'),
        ("\u0665m\t", r'invalid duration "\xd9\xa5m\x09"'),
        ('"\\', r'invalid duration "\"\\"'),
    ],
)
def test_error(text: str, error: str | None) -> None:
    assert duration_error(text) == (error and f"time: {error}")
