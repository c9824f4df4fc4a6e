"""Counts as text: the vectors of reference 08 §5.5."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.facts.size import estimate_bytes, format_bytes, format_count


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (100, "100"),
        (999, "999"),
        (1000, "1K"),
        (1234, "1.23K"),
        (1500, "1.5K"),
        (10500, "10.5K"),
        (92564, "92.56K"),
        (151500, "151.5K"),
        (999999, "1000.00K"),
        (1000000, "1M"),
        (1234567, "1.23M"),
        (1500000, "1.5M"),
        (10500000, "10.5M"),
        (110000000, "110M"),
        (151500000, "151.5M"),
        (999999999, "1000.00M"),
        (1000000000, "1B"),
        (1100000000, "1.10B"),
        (1150000000, "1.15B"),
        (1235814400, "1.24B"),
        (1250000000, "1.2B"),
        (1350000000, "1.4B"),
        (1026097152, "1.03B"),
        (1500000000, "1.5B"),
        (2850000000, "2.9B"),
        (3210000000, "3.2B"),
        (3212749824, "3.21B"),
        (8030261248, "8.03B"),
        (46700000000, "46.7B"),
        (70553706496, "70.55B"),
        (405853388800, "405.85B"),
        (685000000000, "685B"),
        (999999999999, "1000.00B"),
        (1000000000000, "1T"),
        (1512300000000, "1.51T"),
        (-1000, "-1000"),
    ],
)
def test_count_as_text(count: int, text: str) -> None:
    assert format_count(count) == text


@given(st.integers(min_value=1, max_value=2**63 - 1))
def test_the_text_is_near_the_count(count: int) -> None:
    text = format_count(count)
    unit = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}.get(text[-1], 1)
    assert float(text.rstrip("KMBT")) * unit == pytest.approx(count, abs=unit * 0.051)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.00 KB"),
        (1048575, "1024.00 KB"),
        (1048576, "1.00 MB"),
        (1024**3, "1.00 GB"),
        (1024**5, "1024.00 TB"),
    ],
)
def test_bytes_as_text(size: int, text: str) -> None:
    assert format_bytes(size) == text


@pytest.mark.parametrize(
    ("count", "dtype", "size"),
    [
        (7_000_000_000, "bfloat16", 14_000_000_000),
        (7_000_000_000, "", 28_000_000_000),
        (3, "int4", 1),
        (7_000_000_000, "BF16", 14_000_000_000),
        (8224276480, "bfloat16", 16448552960),
        (92564, "float32", 370256),
        (2**63 - 1, "float32", -(2**63)),
    ],
)
def test_bytes_of_parameters(count: int, dtype: str, size: int) -> None:
    assert estimate_bytes(count, dtype) == size
