"""Numbers as Go prints them, which is how they appear in keys that kubectl reads and in YAML that it writes."""

from __future__ import annotations

import math
import struct

MIN_INT64, MAX_INT64, MAX_UINT64 = -(2**63), 2**63 - 1, 2**64 - 1

# Go's shortest %g switches to exponent form outside these decimal exponents.
_FIRST_FIXED, _LAST_FIXED = -4, 5


def integral(number: float) -> int | float:
    """``number`` as an integer where it is one that 64 bits hold: what a round trip through JSON makes of it.

    Go writes the shortest digits that read back as the float, so ``9007199254740993e1`` becomes 90071992547409940.
    """
    if not (number.is_integer() and MIN_INT64 <= number <= MAX_UINT64):
        return number
    mantissa, _, exponent = repr(number).partition("e")
    if not exponent:
        return int(number)
    whole, _, fraction = mantissa.partition(".")
    digits = int(whole + fraction.ljust(int(exponent), "0"))
    return digits if MIN_INT64 <= digits <= MAX_UINT64 else number


def go_float(number: float) -> str:
    """``number`` in the shortest digits that read back as the same 64-bit float (``1e+20``, ``0.0001``, ``1e-05``)."""
    return _general(repr(number))


def go_float32(number: float) -> str:
    """``number`` in the shortest digits that read back as the same 32-bit float, or ``.inf`` or ``.nan``.

    sigs.k8s.io/yaml makes keys of floats this way.
    """
    if math.isnan(number):
        return ".nan"
    try:
        packed = struct.pack("f", number)
    except OverflowError:
        packed = struct.pack("f", math.copysign(math.inf, number))
    single: float = struct.unpack("f", packed)[0]
    if math.isinf(single):
        return ".inf" if number > 0 else "-.inf"
    candidates = (f"{single:.{digits}e}" for digits in range(9))
    return _general(next(text for text in candidates if struct.pack("f", float(text)) == packed))


def _general(text: str) -> str:
    """``text`` (a Python float literal) in the form that Go's ``%g`` gives the same digits."""
    mantissa, _, exponent_text = text.partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return sign + "0"
    exponent = int(exponent_text or 0) + len(whole) - 1 - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if not _FIRST_FIXED <= exponent <= _LAST_FIXED:
        point = "." if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{point}{digits[1:]}e{exponent:+03d}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    whole = digits[: exponent + 1].ljust(exponent + 1, "0")
    fraction = digits[exponent + 1 :]
    return f"{sign}{whole}.{fraction}" if fraction else sign + whole
