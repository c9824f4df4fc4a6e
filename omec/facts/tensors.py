"""What one tensor of a checkpoint adds to the parameter count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from omec.facts.int64 import INT64_MAX, fits
from omec.facts.quantization import Quantization, trim

_CALIBRATION_NAMES = frozenset(
    (
        "weight_scale",
        "weight_scale_2",
        "weight_scale_inv",
        "input_scale",
        "k_scale",
        "v_scale",
        "kv_scale",
        "kv_cache_scaling_factor",
        "weight_zero_point",
        "scales",
        "zeros",
        "qzeros",
        "g_idx",
    )
)
_CALIBRATION_SUFFIXES = (
    "_scale",
    "_scales",
    "_scale_2",
    "_scale_inv",
    "_input_scale",
    "_weight_scale",
    "_weight_scale_2",
    "_weight_scale_inv",
    "_weight_zero_point",
    "_kv_scale",
    "_kv_cache_scaling_factor",
)

_BYTES_OF_TWO = dict.fromkeys(("U8", "I8", "UINT8", "INT8"), 2)
_WORDS_OF_FOUR_BIT = (
    _BYTES_OF_TWO
    | dict.fromkeys(("I16", "U16", "INT16", "UINT16"), 4)
    | dict.fromkeys(("I32", "U32", "INT32", "UINT32"), 8)
)
_BITS = (
    dict.fromkeys(("F64", "I64", "U64", "C64"), 64)
    | dict.fromkeys(("F32", "I32", "U32"), 32)
    | dict.fromkeys(("F16", "BF16", "I16", "U16"), 16)
    | dict.fromkeys(("F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "I8", "U8", "BOOL"), 8)
    | dict.fromkeys(("F6_E2M3", "F6_E3M2"), 6)
    | dict.fromkeys(("F4", "I4", "U4"), 4)
)
"""The types of the safetensors format, and those that writers of quantized checkpoints use."""

_FP4_ALGORITHMS = ("nvfp4", "mxfp4", "fp4")
_INT4_PARTS = ("int4", "w4a")


class TensorCounter:
    """Counts tensors as one quantization has them packed; without one, every element is a parameter.

    Source: reference 08 §5.2 and §5.3.
    """

    def __init__(self, quantization: Quantization | None) -> None:
        self._quantized = quantization is not None
        self._algorithm = quantization.algorithm if quantization else ""
        self._exclusion = Exclusion(quantization.excluded_modules if quantization else ())

    def count(self, name: str, dtype: str, elements: int) -> int:
        """The parameters in a tensor of ``elements``: 0 for calibration, and where unpacking exceeds 64 bits."""
        if not self._quantized:
            return elements
        if is_calibration(name):
            return 0
        factor = packing_factor(self._algorithm, dtype)
        # An excluded module is not packed: only where packing counts does it matter whether one is excluded.
        if factor == 1 or self._exclusion.matches(name):
            return elements
        packed = elements * factor
        return packed if fits(packed) else 0


def elements(shape: Iterable[int]) -> int | None:
    """How many elements a tensor of ``shape`` has; ``None`` where a dimension is not positive or 64 bits do not do."""
    product = 1
    for dimension in shape:
        product *= dimension
        if not 0 < dimension <= INT64_MAX or product > INT64_MAX:
            return None
    return product


def stored_type(dtype: str) -> tuple[str, int]:
    """The type under which the bytes of a tensor are summed up, and the bits of one element."""
    return (dtype, _BITS[dtype]) if dtype in _BITS else ("other", 16)


class Exclusion:
    """A list of modules that a quantization leaves alone: parts of names, or patterns with ``*``."""

    def __init__(self, patterns: Sequence[str]) -> None:
        distinct = dict.fromkeys(pattern for pattern in patterns if pattern)
        self._parts = tuple(pattern for pattern in distinct if "*" not in pattern)
        self._patterns = tuple(_Pattern(pattern) for pattern in distinct if "*" in pattern)

    def matches(self, name: str) -> bool:
        return any(part in name for part in self._parts) or any(pattern.found_in(name) for pattern in self._patterns)


class _Pattern:
    """``*`` stands for one or more characters other than a dot; the rest stands for itself; found anywhere.

    All states at once in the bits of an integer, one bit for each position of the pattern: a regular expression of the
    same meaning takes exponential time on ``*a*a*a*a…``, and the patterns are a stranger's.
    """

    def __init__(self, pattern: str) -> None:
        self._longest_literal = max(pattern.split("*"), key=len)
        self._stars = sum(1 << position for position, character in enumerate(pattern) if character == "*")
        self._literals: dict[str, int] = {}
        for position, character in enumerate(pattern):
            if character != "*":
                self._literals[character] = self._literals.get(character, 0) | 1 << position
        self._last = 1 << (len(pattern) - 1)

    def found_in(self, name: str) -> bool:
        if self._longest_literal not in name:
            return False
        reached = 0
        for character in name:
            stars = 0 if character == "." else self._stars
            here = self._literals.get(character, 0) | stars
            reached = (((reached << 1) | 1) & here) | (reached & stars)
            if reached & self._last:
                return True
        return False


def is_calibration(name: str) -> bool:
    """Whether the tensor ``name`` holds scales or zero points, not parameters. Source: reference 08 §5.2."""
    last_part = name.rpartition(".")[2]
    return last_part in _CALIBRATION_NAMES or last_part.endswith(_CALIBRATION_SUFFIXES)


def packing_factor(algorithm: str, dtype: str) -> int:
    """How many parameters one stored element of ``dtype`` holds. Source: reference 08 §5.3."""
    algorithm, dtype = trim(algorithm).lower(), trim(dtype).upper()
    if algorithm in _FP4_ALGORITHMS:
        return _BYTES_OF_TWO.get(dtype, 1)
    if any(part in algorithm for part in _INT4_PARTS):
        return _WORDS_OF_FOUR_BIT.get(dtype, 1)
    return 1
