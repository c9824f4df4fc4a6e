"""Whole numbers of 64 and 32 bits, which the files' numbers are in OME."""

from __future__ import annotations

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1


def fits(number: int) -> bool:
    """Whether ``number`` is one of 64 bits."""
    return INT64_MIN <= number <= INT64_MAX


def wrap(number: int, bits: int = 64) -> int:
    """``number`` reduced to a signed integer of ``bits``, as Go's arithmetic and conversions do."""
    half = 1 << (bits - 1)
    return (number + half) % (2 * half) - half
