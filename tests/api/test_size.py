"""Parameter sizes and ranges: the tables of reference 01 §6, and how floats read against Go."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.api.size import SizeRange, is_clean_size, parse_size

# Reference 01 §6.1.
SIZES = {
    "7B": 7e9,
    "3.21B": 3.21e9,
    "0.5B": 5e8,
    "500M": 5e8,
    "1500M": 1.5e9,
    "350M": 3.5e8,
    "1.5T": 1.5e12,
    "999": 999,
    "1000": 1000,
    ".5B": 5e8,
    "5.B": 5e9,
    "07B": 7e9,
    "+7B": 7e9,
    "1e3M": 1e9,
    "1E9": 1e9,
    "1e-3B": 1e6,
    "7_000M": 7e9,
    "1_0B": 1e10,
    "0x_1p0": 1,
    "0x1_0p0": 16,
    "0x1p3": 8,
    "0B": 0,
    "0": 0,
    "-7B": -7e9,
    "inf": math.inf,
    "infB": math.inf,
    "+InfB": math.inf,
    "-infinityM": -math.inf,
    "1e308T": math.inf,
    "2.01B": 2009999999.9999998,
    "1.07B": 1070000000.0000001,
    "0x1p-1080": 0,
    "1_0e1_0": 1e11,
}

UNREADABLE = [
    "4b", "7m", "7t", "", "B", "T", "7BB", "7MB", "7BM", "1BT", "7GB", "7K", "7G", "7Q", " 7B", "7B ", "7 B", "7,5B",
    "1.2.3B", "1/2B", "_7B", "0x10", "0x1B", "0b1B", "1eB", "1e400", "1e400B", "7_B", "7__0B", "1._5", "1_.5",
    "0x_.8p1", "0xp1", "0x1p5000", "+nan", "-nan", "1e_5", "inf_", "infin", "\u0667B", "\uff11B", "7B\n",
]  # fmt: skip

# Reference 01 §6.2: min, max, size, passes.
RANGES = [
    ("2B", "4B", "3.21B", True),
    ("2B", "4B", "2B", True),
    ("2B", "4B", "4B", True),
    ("500M", "2B", "3.21B", False),
    ("1B", "4B", "1500M", True),
    ("70B", None, "405B", True),
    (None, "13B", "3.21B", True),
    (None, None, "3.21B", True),
    ("2B", "4b", "3.21B", False),
    ("2b", "4B", "1M", True),
    ("2B", "4B", "3.21b", False),
    (None, "4B", "3.21b", True),
    ("2B", "4B", "", False),
    ("10B", "5B", "7B", False),
    ("2010M", "4B", "2.01B", False),
    ("1B", "10B", "70B", False),
    ("2B", "4B", "nan", True),
]

# Reference 01 §6.3.
LABELS = [
    ("500M", "2B", "[500M, 2B]"),
    ("70B", None, "[70B, inf)"),
    (None, "13B", "(-inf, 13B]"),
    ("2B", "4b", "[2B, 4b]"),
    (None, None, "(-inf, inf)"),
]

# Reference 01 §10.2: the distances of ranges from 3.21B.
DISTANCES = [
    ("1B", "8B", 7e9),
    ("1B", "70B", 69e9),
    ("2B", "4B", 2e9),
    ("2B", None, 1.21e9),
    (None, "4B", 0.79e9),
    ("2b", "4B", 4e9),
    (None, None, 0),
]


@pytest.mark.parametrize(("text", "value"), SIZES.items())
def test_parse(text: str, value: float) -> None:
    assert parse_size(text) == value


@pytest.mark.parametrize("text", UNREADABLE)
def test_unreadable_is_zero(text: str) -> None:
    assert parse_size(text) == 0
    assert not is_clean_size(text)


@pytest.mark.parametrize("text", ["nan", "NaNB", "NAN"])
def test_not_a_number(text: str) -> None:
    assert math.isnan(parse_size(text))


@pytest.mark.parametrize(
    ("text", "clean"), [("4B", True), ("1.5T", True), ("999", True), ("-4B", False), (".5B", False)]
)
def test_clean(text: str, clean: bool) -> None:
    assert is_clean_size(text) is clean


@pytest.mark.parametrize(("minimum", "maximum", "size", "passes"), RANGES)
def test_range(minimum: str | None, maximum: str | None, size: str, passes: bool) -> None:
    assert SizeRange.of(minimum, maximum).contains(parse_size(size)) is passes


@pytest.mark.parametrize(("minimum", "maximum", "label"), LABELS)
def test_label(minimum: str | None, maximum: str | None, label: str) -> None:
    assert SizeRange.of(minimum, maximum).label == label


@pytest.mark.parametrize(("minimum", "maximum", "distance"), DISTANCES)
def test_distance(minimum: str | None, maximum: str | None, distance: float) -> None:
    assert SizeRange.of(minimum, maximum).distance(parse_size("3.21B")) == distance


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_reads_what_is_printed(value: float) -> None:
    assert parse_size(repr(value)) == value
    assert parse_size(value.hex()) == value


@given(st.text(alphabet="0123456789.eE+-_xXpPinfaNTBMK ", max_size=10))
def test_never_raises(text: str) -> None:
    assert isinstance(parse_size(text), float)
