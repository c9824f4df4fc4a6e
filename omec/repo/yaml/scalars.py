"""What an unquoted or tagged scalar means to kubectl (reference 11 §1.2 and §1.3).

The grammar is YAML 1.1 with exceptions: sigs.k8s.io/yaml reads through go-yaml 2 and converts the result to JSON. Where
the table of the reference is silent (underscores after a leading dot, numbers as keys, contradicting tags), the answers
were taken from kubectl 1.35.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from datetime import date

from omec.repo.yaml.floats import MAX_INT64, MAX_UINT64, MIN_INT64, go_float32, integral

Scalar = str | int | float | bool | None


def _each(words: str, value: bool | float | None) -> dict[str, bool | float | None]:
    return dict.fromkeys(words.split(), value)


WORDS: dict[str, bool | float | None] = {
    **_each("y Y yes Yes YES true True TRUE on On ON", True),
    **_each("n N no No NO false False FALSE off Off OFF", False),
    **_each("~ null Null NULL", None),
    **_each(".nan .NaN .NAN", math.nan),
    **_each(".inf .Inf .INF +.inf +.Inf +.INF", math.inf),
    **_each("-.inf -.Inf -.INF", -math.inf),
    "": None,
}

# A scalar that begins with any other character is a string without further tests.
_NUMBER_STARTS = frozenset("0123456789+-.")

_INTEGER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_DOT_FLOAT = re.compile(r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?\Z")
_UINT64_DIGITS = 20

_DATE = re.compile(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:[Tt]([0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})(?:[.,][0-9]+)?(?:Z|[-+]([0-9]{2}:[0-9]{2}))"
    r"| ([0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})(?:[.,][0-9]+)?)?\Z"
)

_CORE = "tag:yaml.org,2002:"
_CORE_TYPES = "str int float bool null binary timestamp map seq set omap pairs merge"
KNOWN_TAGS = frozenset(["!", *(_CORE + name for name in _CORE_TYPES.split())])
MERGE_TAG = _CORE + "merge"


class UnusableScalarError(ValueError):
    """The scalar has no JSON form; the text says why."""


def resolve(text: str) -> Scalar:
    """The JSON value of the plain (unquoted, untagged) scalar ``text``.

    Raises :class:`UnusableScalarError` for infinity and not-a-number, which JSON lacks.
    """
    return _json_value(_go_value(text))


def resolve_key(text: str) -> str:
    """The JSON key of the plain scalar ``text`` (``on`` -> ``true``, ``010`` -> ``8``, ``1.50`` -> ``1.5``).

    Raises :class:`UnusableScalarError` for null and for integers beyond int64.
    """
    return key_text(_go_value(text))


def resolve_tagged(tag: str, text: str) -> Scalar:
    """The JSON value of ``text`` under an explicit tag, quoted or not; an unknown tag leaves a string.

    Raises :class:`UnusableScalarError` where text and tag contradict each other.
    """
    return _json_value(_go_tagged(tag, text))


def resolve_tagged_key(tag: str, text: str) -> str:
    """The JSON key of a tagged scalar; raises as :func:`resolve_key` and :func:`resolve_tagged` do."""
    return key_text(_go_tagged(tag, text))


def _go_value(text: str) -> Scalar:
    if text in WORDS:
        return WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    number = _number(text)
    return text if number is None else number


def _number(text: str) -> int | float | None:
    if text[0] == ".":
        return _finite(text) if _DOT_FLOAT.match(text) else None
    digits = text.replace("_", "")
    if _INTEGER.match(digits):
        integer = _integer(digits)
        if integer is not None:
            return integer
    return _finite(digits) if _FLOAT.match(digits) else None


def _integer(digits: str) -> int | None:
    """``digits`` as an int64, or as an uint64 when they have no sign; ``None`` when they do not fit."""
    magnitude = digits.lstrip("+-")
    if magnitude[0] != "0":
        # The bound keeps Python from refusing (or from spending time on) thousands of digits.
        value = int(magnitude) if len(magnitude) <= _UINT64_DIGITS else MAX_UINT64 + 1
    elif magnitude[1:2].isalpha():
        value = int(magnitude, 0)
    else:
        value = int(magnitude, 8)
    if magnitude is digits or magnitude == digits:
        return value if value <= MAX_UINT64 else None
    value = -value if digits[0] == "-" else value
    return value if MIN_INT64 <= value <= MAX_INT64 else None


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _go_tagged(tag: str, text: str) -> Scalar:
    name = tag.removeprefix(_CORE)
    if name == tag:
        return text
    if name == "binary":
        return _binary(text)
    if name == "timestamp" and not is_timestamp(text):
        raise UnusableScalarError(f"“{text}” is not a date or time as !!timestamp asks for")
    types = _TAGGED_TYPES.get(name)
    if types is None:
        return text
    value = _go_value(text)
    if type(value) not in types:
        raise UnusableScalarError(f"“{text}” is not of the type that its tag !!{name} names")
    return float(value) if name == "float" and isinstance(value, int) else value


_TAGGED_TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "null": (type(None),),
}


def _binary(text: str) -> str:
    try:
        data = base64.b64decode(text.replace("\n", "").replace("\r", ""), validate=True)
    except (binascii.Error, ValueError) as error:
        raise UnusableScalarError("the value of !!binary is not base64") from error
    return data.decode("utf-8", "replace")


def _json_value(value: Scalar) -> Scalar:
    if isinstance(value, float):
        if not math.isfinite(value):
            raise UnusableScalarError("infinity and not-a-number have no JSON form")
        return integral(value)
    return value


def key_text(value: Scalar) -> str:
    """The JSON key that a scalar becomes; raises as :func:`resolve_key` does."""
    if isinstance(value, str):
        return value
    if value is None:
        raise UnusableScalarError("a key must not be null")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return go_float32(value)
    if value > MAX_INT64:
        raise UnusableScalarError(f"the integer {value} is too large for a key")
    return str(value)


def is_timestamp(text: str) -> bool:
    """Whether go-yaml takes ``text`` for a date or time: it stays a string when read, and is quoted when printed."""
    match = _DATE.match(text)
    if not match:
        return False
    try:
        date(int(match[1]) or 2000, int(match[2]), int(match[3]))  # Go has a year 0, a leap year as 2000 is
    except ValueError:
        return False
    return _in_range(match[4] or match[6], 23, 59, 59) and _in_range(match[5], 24, 59)


def _in_range(numbers: str | None, *limits: int) -> bool:
    return numbers is None or all(int(n) <= limit for n, limit in zip(numbers.split(":"), limits, strict=True))
