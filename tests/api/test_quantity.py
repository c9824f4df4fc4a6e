"""Quantities: the texts of reference 02 §3.3, and what Kubernetes 1.35's own parser makes of others."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.api.quantity import QuantityError, canonical, parse

SPECIFIED = [
    ("4", "4"),
    ("4.0", "4"),
    ("0.5", "500m"),
    ("1000m", "1"),
    ("1024Mi", "1Gi"),
    ("1.5Gi", "1536Mi"),
    ("30Gi", "30Gi"),
    ("1500M", "1500M"),
    ("1000k", "1M"),
    ("1e3", "1e3"),
    ("12e6", "12e6"),
    ("100u", "100u"),
]

FROM_KUBERNETES = [
    # Below one nano: rounded up, away from zero.
    ("0.0000000001", "1n"),
    ("0.1n", "1n"),
    ("-0.0000000001", "-1n"),
    ("1e-10", "1e-9"),
    # Zero in all spellings.
    ("0", "0"),
    ("-0", "0"),
    ("0.0", "0"),
    ("0Ki", "0"),
    ("0e3", "0"),
    # Binary suffixes: a fraction of a unit, less than one Ki, the cap at 2**63 - 1.
    ("0.5Ki", "512"),
    ("0.1Ki", "102400m"),
    ("1Ki", "1Ki"),
    ("1000Ki", "1000Ki"),
    ("2048Ki", "2Mi"),
    ("7Ei", "7Ei"),
    ("9Ei", "9223372036854775807"),
    # Exponents: multiples of three.
    ("1e1", "10"),
    ("1e-1", "100e-3"),
    ("10e3", "10e3"),
    ("1E2", "100"),
    # Texts that look canonical to Kubernetes are kept as they are.
    ("+1", "+1"),
    ("5.", "5."),
    ("1.500", "1.500"),
    ("4.811k", "4.811k"),
    ("00012", "00012"),
    ("37e0", "37e0"),
    ("+5Gi", "+5Gi"),
    # Beyond the largest suffix none is printed.
    ("1000E", "1"),
    (".5", "500m"),
    ("1234567890123456789", "1234567890123456789"),
]

REFUSED = [
    "",
    " ",
    " 1",
    "1 ",
    ".",
    "+",
    "e3",
    "1K",
    "1ki",
    "1e",
    "1e1.5",
    "0x10",
    "1_000",
    "\uff11",
    "1Gi ",
    "Gi",
    "1.2.3",
]


@pytest.mark.parametrize(("text", "printed"), SPECIFIED + FROM_KUBERNETES)
def test_canonical(text: str, printed: str) -> None:
    assert canonical(text) == printed


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_quantity(text: str) -> None:
    with pytest.raises(QuantityError, match="is not a quantity"):
        parse(text)


def test_a_long_text_is_refused_before_it_costs_anything() -> None:
    with pytest.raises(QuantityError):
        parse("1" * 1001)
    assert canonical("1e999999999") == "1e999999999"


@pytest.mark.parametrize(
    ("text", "value", "units"),
    [
        ("500m", "0.5", 1),
        ("1Gi", "1073741824", 1073741824),
        ("8", "8", 8),
        ("1.5", "1.5", 2),
        ("1e3", "1000", 1000),
        ("-1500m", "-1.5", -1),
    ],
)
def test_values(text: str, value: str, units: int) -> None:
    assert parse(text).value == Decimal(value)
    assert parse(text).units == units


def test_different_texts_of_one_value_compare_equal() -> None:
    assert parse("1Gi").value == parse("1024Mi").value == parse("1073741824").value
    assert parse("500m").value < parse("1").value < parse("1Ki").value


NUMBERS = st.from_regex(r"-?[0-9]{1,18}(\.[0-9]{0,9})?", fullmatch=True)
SUFFIXES = st.sampled_from(["", "m", "u", "n", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "E-2"])


@given(NUMBERS, SUFFIXES)
def test_printing_is_stable_and_keeps_the_value(number: str, suffix: str) -> None:
    quantity = parse(number + suffix)
    assert canonical(quantity.text) == quantity.text
    assert parse(quantity.text).value == quantity.value
