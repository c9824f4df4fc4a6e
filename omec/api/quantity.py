"""Kubernetes quantities: ``500m``, ``30Gi``, ``1e3``.

Every quantity passes through a Go type on its way into a pod and is printed again there. Merging, hashing and comparing
with a live object therefore need the printed form, not the text of the manifest.

Source: Kubernetes documentation, reference/kubernetes-api/common-definitions/quantity; reference 02 §3.3. The accepted
texts are those of the pattern in the CRDs; Go alone would also take ``.`` and ``e3``.
"""

from __future__ import annotations

import re
from decimal import Decimal
from enum import Enum
from functools import lru_cache

import msgspec

_TEXT = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(|Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?[0-9]{1,9})")
_SI = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_SI_SUFFIX = {exponent: suffix for suffix, exponent in _SI.items()}
_BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_NANO = -9
_LARGEST = 2**63 - 1
_MOST_DIGITS = 18
_LONGEST_TEXT = 1000


class QuantityError(ValueError):
    """A text that is not a quantity."""

    def __init__(self, text: str) -> None:
        shown = text if len(text) <= 40 else f"{text[:40]}…"
        super().__init__(f'"{shown}" is not a quantity: write a number, then n, u, m, k, M, G, T, P, E, Ki to Ei or e3')


class Format(Enum):
    """The family of suffixes a quantity was written with; it is printed with the same family again."""

    DECIMAL = "DecimalSI"
    BINARY = "BinarySI"
    EXPONENT = "DecimalExponent"


class Quantity(msgspec.Struct, frozen=True):
    """The exact value ``mantissa * 10**exponent`` (``exponent`` at least -9), and ``text``, its printed form."""

    mantissa: int
    exponent: int
    text: str

    @property
    def value(self) -> Decimal:
        """The value for comparisons, exact."""
        digits = tuple(map(int, str(abs(self.mantissa))))
        return Decimal((int(self.mantissa < 0), digits, self.exponent))

    @property
    def units(self) -> int:
        """The value as a whole number, rounded up, as Kubernetes counts devices."""
        if self.exponent >= 0:
            return self.mantissa * int(10 ** min(self.exponent, _LONGEST_TEXT))
        return -(-self.mantissa // int(10**-self.exponent))

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=4096)
def parse(text: str) -> Quantity:
    """The quantity that ``text`` says; raises :class:`QuantityError`.

    A value below one nano is rounded up to it (whoever asks for something gets something), and so are digits beyond
    the ninth place; a value with a binary suffix is capped at 2**63 - 1.
    """
    match = _TEXT.fullmatch(text) if len(text) <= _LONGEST_TEXT else None
    if match is None:
        raise QuantityError(text)
    sign, whole, fraction, suffix = match.groups(default="")
    if not whole and not fraction:
        raise QuantityError(text)
    whole = whole.lstrip("0") or "0"
    mantissa, exponent = int(whole + fraction), -len(fraction)
    if suffix in _SI:
        form, exponent = Format.DECIMAL, exponent + _SI[suffix]
    elif suffix in _BINARY:
        form, mantissa = Format.BINARY, mantissa * 1024 ** _BINARY.index(suffix)
    else:
        form, exponent = Format.EXPONENT, exponent + int(suffix[1:])
    keep = _passes_for_canonical(whole, fraction, exponent, suffix, form)
    mantissa, exponent = _rounded_up(mantissa, exponent)
    if form is Format.BINARY and mantissa > _LARGEST * 10**-exponent:
        mantissa, exponent = _LARGEST, 0
    if sign == "-":
        mantissa = -mantissa
    return Quantity(mantissa, exponent, text if keep else _canonical(mantissa, exponent, form))


def canonical(text: str) -> str:
    """``text`` as Kubernetes prints it again (``"0.5"`` gives ``"500m"``); raises :class:`QuantityError`."""
    return parse(text).text


def _passes_for_canonical(whole: str, fraction: str, exponent: int, suffix: str, form: Format) -> bool:
    """Whether Kubernetes keeps the text as written.

    It skips printing for texts that look canonical, by a test that ``4.811k``, ``+1`` and ``1.500`` pass too: few
    enough digits for a 64 bit integer, and no zeros to shorten.
    """
    if form is Format.BINARY:
        power = _BINARY.index(suffix)
        return not fraction and len(whole) + 3 * power <= _MOST_DIGITS - 4 and int(whole) % 8 != 0
    digits = whole + fraction
    return (
        len(digits) <= _MOST_DIGITS
        and exponent >= _NANO
        and exponent % 3 == 0
        and not digits.endswith("000")
        and digits[0] != "0"
    )


def _rounded_up(mantissa: int, exponent: int) -> tuple[int, int]:
    """The pair with nothing below one nano, and as few places as it can have."""
    if mantissa == 0:
        return 0, 0
    if exponent < _NANO:
        surplus = min(_NANO - exponent, 2 * _LONGEST_TEXT)
        mantissa, exponent = -(-mantissa // 10**surplus), _NANO
    while exponent < 0 and mantissa % 10 == 0:
        mantissa, exponent = mantissa // 10, exponent + 1
    return mantissa, exponent


def _canonical(mantissa: int, exponent: int, form: Format) -> str:
    """No fraction, and the largest suffix that needs none."""
    if mantissa == 0:
        return "0"
    if form is Format.BINARY and exponent == 0 and abs(mantissa) >= 1024:
        power = 0
        while mantissa % 1024 == 0 and power < len(_BINARY) - 1:
            mantissa, power = mantissa // 1024, power + 1
        return f"{mantissa}{_BINARY[power]}"
    while mantissa % 10 == 0:
        mantissa, exponent = mantissa // 10, exponent + 1
    mantissa, exponent = mantissa * 10 ** (exponent % 3), exponent - exponent % 3
    if form is Format.EXPONENT:
        return f"{mantissa}e{exponent}" if exponent else str(mantissa)
    # Kubernetes has no suffix above E and prints none then (1000E comes out as 1).
    return f"{mantissa}{_SI_SUFFIX.get(exponent, '')}"
