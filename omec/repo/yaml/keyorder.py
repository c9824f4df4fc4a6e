"""The order in which kubectl prints mapping keys: “natural”, with digit runs compared as numbers (reference 11 §2)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key, lru_cache


def ordered(keys: Iterable[str]) -> tuple[str, ...]:
    """``keys`` in natural order, for example ``-``, ``_``, ``1``, ``2``, ``10``, ``A``, ``a-b``, ``a2``, ``a10``."""
    return _ordered(tuple(keys))


@lru_cache(maxsize=8192)
def _ordered(keys: tuple[str, ...]) -> tuple[str, ...]:
    if "".join(keys).isalpha():
        return tuple(sorted(keys))  # letters compare by code point
    # The comparison has circles (11 < 1b < 2- < 11), in which kubectl's order is random. Ours begins from one order.
    return tuple(sorted(sorted(keys), key=cmp_to_key(_compare)))


def _compare(a: str, b: str) -> int:
    for i, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return _compare_from(a, b, i)
    return len(a) - len(b)


def _compare_from(a: str, b: str, i: int) -> int:
    """The order of two keys that differ first at index ``i``."""
    x, y = a[i], b[i]
    if x.isalpha() and y.isalpha():
        return ord(x) - ord(y)
    if x.isalpha() or y.isalpha():
        return 1 if x.isalpha() else -1  # a letter sorts after anything else
    lead = "1" if "0" in (x, y) and _in_number(a, i) else ""
    run_a, run_b = _digits(a, i), _digits(b, i)
    number_a, number_b = int(lead + run_a or "0"), int(lead + run_b or "0")
    return number_a - number_b or len(run_a) - len(run_b) or ord(x) - ord(y)


def _in_number(key: str, i: int) -> bool:
    """Whether a digit other than 0 stands in the digit run that ends before index ``i``."""
    before = key[:i]
    run = before[len(before.rstrip("0123456789")) :]
    return run.strip("0") != ""


def _digits(key: str, i: int) -> str:
    end = i
    while end < len(key) and key[end] in "0123456789":
        end += 1
    return key[i:end]
