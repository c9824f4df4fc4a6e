"""Parameter counts as text, and as bytes."""

from __future__ import annotations

from omec.facts.int64 import INT64_MIN, fits

_COUNT_UNITS = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K"))
_BYTE_UNITS = ((1024**4, "TB"), (1024**3, "GB"), (1024**2, "MB"), (1024, "KB"))

_BYTES_PER_PARAMETER = {
    "float32": 4.0,
    "float": 4.0,
    "bfloat16": 2.0,
    "bf16": 2.0,
    "float16": 2.0,
    "fp16": 2.0,
    "half": 2.0,
    "int8": 1.0,
    "fp8": 1.0,
    "float8": 1.0,
    "e4m3": 1.0,
    "int4": 0.5,
    "4bit": 0.5,
}
_BYTES_OF_OTHER_TYPES = 4.0


def format_count(count: int) -> str:
    """``count`` as ``modelParameterSize`` writes it: ``7.62B``, ``1.5K``, ``999``.

    Two decimals, one where hundredths are exact, none where the number is whole; the unit is chosen before rounding.
    The arithmetic is that of doubles, which decides cases such as 1.1e9 (``1.10B``). Source: reference 08 §5.5.
    """
    for unit, suffix in _COUNT_UNITS:
        if count >= unit:
            value = float(count) / float(unit)
            return f"{value:.{_decimals(value)}f}{suffix}"
    return str(count)


def format_bytes(size: int) -> str:
    """``size`` with two decimals in units of 1024 (``1.00 KB``), as OME logs it."""
    for unit, name in _BYTE_UNITS:
        if size >= unit:
            return f"{float(size) / unit:.2f} {name}"
    return f"{size} B"


def estimate_bytes(count: int, dtype: str) -> int:
    """The bytes of ``count`` parameters of ``dtype``; four each for a type that OME does not know.

    A product beyond 64 bits becomes the smallest integer, as Go's conversion from a double has it on amd64.
    """
    product = float(count) * _BYTES_PER_PARAMETER.get(dtype.lower(), _BYTES_OF_OTHER_TYPES)
    size = int(product)
    return size if fits(size) else INT64_MIN


def _decimals(value: float) -> int:
    if value.is_integer():
        return 0
    return 1 if (value * 100).is_integer() else 2
