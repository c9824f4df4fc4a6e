"""Scalars beyond the published vectors; every answer was asked of kubectl 1.35 (``label --local -o json``)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.repo.yaml.floats import go_float, go_float32, integral
from omec.repo.yaml.scalars import (
    UnusableScalarError,
    is_timestamp,
    resolve,
    resolve_key,
    resolve_tagged,
)

CORE = "tag:yaml.org,2002:"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("._5", "._5"),
        (".5_0", 0.5),
        (".5__0", ".5__0"),
        (".5_", ".5_"),
        (".5e3", 500),
        (".5e999", ".5e999"),
        (".e3", ".e3"),
        ("0x1p3", "0x1p3"),
        ("0b_", "0b_"),
        ("0o_7", 7),
        ("+0b1", 1),
        ("-0x1F", -31),
        ("1e1_0", 10000000000),
        ("+.5_0", 0.5),
        ("0xFFFFFFFFFFFFFFFF", 2**64 - 1),
        ("0xFFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFFF"),
        ("+18446744073709551615", 1.8446744073709552e19),
        ("-9223372036854775808", -(2**63)),
        ("08_1", 81),
        ("-_1", -1),
        ("-_", "-_"),
        ("00.0", 0),
        ("~a", "~a"),
        ("1" * 5000, "1" * 5000),
        ("0" * 5000, 0),
    ],
)
def test_plain(text: str, value: object) -> None:
    result = resolve(text)
    assert (result, type(result)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1.1", "1.1"),
        ("1e3", "1000"),
        ("1e6", "1e+06"),
        ("1.23456789", "1.2345679"),  # keys are 32-bit floats
        ("123456789.5", "1.2345679e+08"),
        ("16777217.0", "1.6777216e+07"),
        ("1e-4", "0.0001"),
        ("0.00001", "1e-05"),
        ("-0.0", "-0"),
        ("1e-46", "0"),
        ("1e39", ".inf"),
        ("-.Inf", "-.inf"),
        (".nan", ".nan"),
        ("1e20", "1e+20"),
        ("+7", "7"),
        ("1_0", "10"),
        ("off", "false"),
    ],
)
def test_keys(text: str, key: str) -> None:
    assert resolve_key(text) == key


@pytest.mark.parametrize("text", ["~", "", "null", "9223372036854775808", "18446744073709551615"])
def test_unusable_keys(text: str) -> None:
    with pytest.raises(UnusableScalarError):
        resolve_key(text)


@pytest.mark.parametrize(
    ("tag", "text", "value"),
    [
        (CORE + "float", ".5", 0.5),
        (CORE + "float", "0x10", 16),
        (CORE + "int", "-0b1", -1),
        (CORE + "int", "1_0", 10),
        (CORE + "str", "~", "~"),
        (CORE + "null", "~", None),
        (CORE + "bool", "on", True),
        (CORE + "binary", "gIGC", "\ufffd\ufffd\ufffd"),
        (CORE + "binary", "aG\nk=", "hi"),
        (CORE + "timestamp", "2001-01-01T10:00:00Z", "2001-01-01T10:00:00Z"),
        (CORE + "value", "x", "x"),
        ("!foo", "12", "12"),
        ("!", "123", "123"),
    ],
)
def test_tags(tag: str, text: str, value: object) -> None:
    assert resolve_tagged(tag, text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("int", "1.5"),
        ("int", "1.0"),
        ("int", ""),
        ("int", "yes"),
        ("int", "99999999999999999999"),
        ("float", "x"),
        ("float", "1e400"),
        ("float", ".inf"),
        ("bool", "x"),
        ("null", "x"),
        ("timestamp", "foo"),
        ("binary", "*"),
    ],
)
def test_tags_that_contradict_the_text(name: str, text: str) -> None:
    with pytest.raises(UnusableScalarError):
        resolve_tagged(CORE + name, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2001-12-14", True),
        ("2001-1-1", True),
        ("0000-02-29", True),
        ("2024-02-30", False),
        ("2001-13-01", False),
        ("2001-12-14t21:59:43.10-05:00", True),
        ("2001-12-14T21:59:43Z", True),
        ("2001-12-14T24:00:00Z", False),
        ("2001-12-14 21:59:43", True),
        ("2001-12-14 21:59:43.10 -5", False),
        ("2001-12-14T21:59:43", False),
        ("12001-12-14", False),
    ],
)
def test_timestamps(text: str, expected: bool) -> None:
    assert is_timestamp(text) is expected


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (12.0, 12),
        (-0.0, 0),
        (1e17, 10**17),
        (157127622018743872.0, 157127622018743870),  # the shortest digits, not the exact value
        (-9.223372036854775e18, -9223372036854775000),
        (-(2.0**63), -(2.0**63)),
        (2.0**64, 2.0**64),
        (1.5, 1.5),
    ],
)
def test_integral_floats(number: float, value: float) -> None:
    result = integral(number)
    assert (result, type(result)) == (value, type(value))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_go_float_reads_back(number: float) -> None:
    assert float(go_float(number)) == number


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_go_float32_has_at_most_nine_digits(number: float) -> None:
    text = go_float32(number)
    assert len(text.lstrip("-").partition("e")[0].replace(".", "").strip("0")) <= 9
