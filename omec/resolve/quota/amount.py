"""Amounts of a quota: quantities that are compared, added and split.

A quantity prints with the family of suffixes that it was written with. Adding keeps one of the families and splitting
keeps the unit, so an amount remembers how it was written, not only its value.

Source: Kubernetes documentation, reference/kubernetes-api/common-definitions/quantity; reference 15 §1.4 and §6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import total_ordering
from typing import Any

from omec.api.quantity import Format, QuantityError, canonical, parse

_PARTS = re.compile(r"[+-]?(?P<whole>[0-9]*)(?:\.(?P<fraction>[0-9]*))?(?P<suffix>[A-Za-z]*)(?P<exponent>[+-]?[0-9]*)")
_NANO = 9
_SI = {"n": 9, "u": 6, "m": 3, "": 0, "k": -3, "M": -6, "G": -9, "T": -12, "P": -15, "E": -18}
_BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_MOST_DIGITS = 18
_MOST_ZEROS = 500
_LARGEST = 2**63


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Amount:
    """``nanos`` is the exact value in billionths, ``form`` the family of suffixes, ``text`` the printed form.

    ``places`` is the number of decimal places of the unit that the amount was written in: 0 for ``4``, 3 for
    ``4000m``, -3 for ``4k``. Amounts compare by value alone.
    """

    nanos: int
    form: Format
    text: str
    places: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Amount) and self.nanos == other.nanos

    def __lt__(self, other: Amount) -> bool:
        return self.nanos < other.nanos

    def __hash__(self) -> int:
        return hash(self.nanos)

    def __str__(self) -> str:
        return self.text


ZERO = Amount(0, Format.DECIMAL, "0")


def amount_of(value: Any) -> Amount:
    """The amount that a manifest's ``value`` (a text or an integer) says; raises :class:`QuantityError`."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise QuantityError(str(value))
    text = str(value)
    parsed = parse(text)
    parts = _PARTS.fullmatch(text)
    assert parts is not None
    form = _form(parts["suffix"], parts["exponent"])
    # A text such as 1e999999999 must cost neither time nor memory; no budget comes near the bound.
    nanos = parsed.mantissa * 10 ** min(parsed.exponent + _NANO, _MOST_ZEROS)
    return Amount(nanos, form, parsed.text, _places(parts, form))


def amount_or_zero(value: Any) -> Amount:
    """:func:`amount_of` ``value``; zero where it is no quantity, which is a finding of the API structure."""
    try:
        return amount_of(value)
    except QuantityError:
        return ZERO


def total(amounts: Iterable[Amount]) -> Amount:
    """The sum, in the form of the last amount that was added to zero."""
    nanos, form = 0, Format.DECIMAL
    for amount in amounts:
        form = amount.form if nanos == 0 else form
        nanos += amount.nanos
    return amount_in(nanos, form)


def amount_in(nanos: int, form: Format) -> Amount:
    """``nanos`` billionths, printed with the suffixes of ``form``."""
    return Amount(nanos, form, _printed(nanos, form))


def _printed(nanos: int, form: Format) -> str:
    whole, rest = divmod(nanos, 10**_NANO)
    if form is Format.BINARY and not rest and abs(whole) >= 1024:
        power = 0
        while whole % 1024 == 0 and power < len(_BINARY) - 1:
            whole, power = whole // 1024, power + 1
        return f"{whole}{_BINARY[power]}"
    text = f"{nanos}e-{_NANO}" if form is Format.EXPONENT else f"{nanos}n"
    try:
        return canonical(text)
    except QuantityError:  # longer than any text that Kubernetes would read
        return text


def _form(suffix: str, exponent: str) -> Format:
    if exponent:
        return Format.EXPONENT
    return Format.DECIMAL if suffix in _SI else Format.BINARY


def _places(parts: re.Match[str], form: Format) -> int:
    """The places of the unit, as Kubernetes keeps the number.

    It keeps an integer and its power of ten for as long as 18 digits are enough, and billionths for everything else;
    a binary suffix multiplies the integer.
    """
    whole, fraction = parts["whole"].lstrip("0") or "0", parts["fraction"] or ""
    if form is Format.BINARY:
        power = 10 * _BINARY.index(parts["suffix"])
        room = 15 - len(whole) - int(power * 3 / 10) - 1
        fits = not fraction and room >= 0 and int(whole) << power < _LARGEST
        return 0 if fits else _NANO
    places = -int(parts["exponent"]) if form is Format.EXPONENT else _SI[parts["suffix"]]
    places += len(fraction)
    fits = len(whole) + len(fraction) <= _MOST_DIGITS and places <= _NANO
    return places if fits else _NANO
