"""Amounts: how they compare, add up and print."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.api.quantity import QuantityError, canonical, parse
from omec.resolve.quota.amount import ZERO, amount_of, amount_or_zero, total

TEXTS = st.builds(
    lambda sign, number, suffix: f"{sign}{number}{suffix}",
    st.sampled_from(["", "-"]),
    st.one_of(st.integers(0, 10**6).map(str), st.decimals("0", "9999", places=3).map(str)),
    st.sampled_from(["", "m", "k", "M", "Ki", "Mi", "Gi", "e3", "E-3", "u"]),
)


@pytest.mark.parametrize(
    ("text", "printed"),
    [("1000m", "1"), ("0.5", "500m"), ("8.0", "8"), ("1024Gi", "1Ti"), ("2e3", "2e3"), ("1Ki", "1Ki"), (8, "8")],
)
def test_amounts_print_in_canonical_form(text: str | int, printed: str) -> None:
    """Reference 15 §3.3."""
    assert str(amount_of(text)) == printed


@pytest.mark.parametrize("value", [1.5, True, None, "", "1 ", "abc", {}, []])
def test_what_is_no_amount(value: object) -> None:
    with pytest.raises(QuantityError):
        amount_of(value)
    assert amount_or_zero(value) is ZERO


@pytest.mark.parametrize(
    ("text", "places"),
    [("4", 0), ("4000m", 3), ("1k", -3), ("1.50", 2), ("1e3", -3), ("1Gi", 0), ("1.5Gi", 9), ("1n", 9)],
)
def test_the_unit_is_the_last_decimal_that_is_written(text: str, places: int) -> None:
    assert amount_of(text).places == places


def test_an_absurd_exponent_costs_nothing() -> None:
    assert amount_of("1e999999999") > amount_of("9E")
    assert str(total([amount_of("1e999999999"), amount_of("1")]))


@given(TEXTS)
def test_an_amount_is_what_kubernetes_reads(text: str) -> None:
    amount = amount_of(text)
    assert Decimal(amount.nanos).scaleb(-9) == parse(text).value
    assert amount.text == canonical(text)


@given(st.lists(TEXTS, max_size=5))
def test_a_sum_is_exact_and_prints_as_itself(texts: list[str]) -> None:
    found = total(map(amount_of, texts))
    assert found.nanos == sum(amount_of(text).nanos for text in texts)
    assert amount_of(found.text) == found
    assert canonical(found.text) == found.text
