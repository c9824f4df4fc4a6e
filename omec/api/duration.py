"""Go's duration text (``time.ParseDuration``), as Kubernetes durations are written."""

from __future__ import annotations

import re

_UNITS = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,  # micro sign
    "μs": 1_000,  # Greek mu
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "h": 3_600_000_000_000,
}
_TERM = re.compile(r"(?:(?P<whole>[0-9]+)(?:\.(?P<part>[0-9]*))?|\.(?P<fraction>[0-9]+))(?P<unit>[^.0-9]*)")
_MAX = 2**63 - 1
_MOST_DIGITS = len(str(_MAX))


def parse_duration(text: str) -> int:
    """Nanoseconds of ``text`` (``30s``, ``1h30m``, ``-1.5h``); raises ``ValueError`` with Go's error for others."""
    rest = text[1:] if text[:1] in ("+", "-") else text
    if rest == "0":
        return 0
    invalid = ValueError(f"time: invalid duration {_quoted(text)}")
    total = end = 0
    while end < len(rest) or not rest:
        term = _TERM.match(rest, end)
        if term is None or len(whole := (term["whole"] or "").lstrip("0")) > _MOST_DIGITS:
            raise invalid
        unit = term["unit"]
        if not unit:
            raise ValueError(f"time: missing unit in duration {_quoted(text)}")
        if unit not in _UNITS:
            raise ValueError(f"time: unknown unit {_quoted(unit)} in duration {_quoted(text)}")
        fraction = (term["part"] or term["fraction"] or "")[:_MOST_DIGITS]
        scale = _UNITS[unit]
        total += int(whole or "0") * scale + int(fraction or "0") * scale // 10 ** len(fraction)
        if total > _MAX:
            raise invalid
        end = term.end()
    return -total if text.startswith("-") else total


def duration_error(text: str) -> str | None:
    """Why Go cannot read ``text`` as a duration, in its words; ``None`` where it can."""
    try:
        parse_duration(text)
    except ValueError as error:
        return str(error)
    return None


def _quoted(text: str) -> str:
    """``text`` as Go's ``time`` prints it, which differs from ``%q`` for all but visible ASCII."""
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in ('"', "\\"):
        return "\\" + character
    if " " <= character <= "\x7f":
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode())


def canonical_duration(text: str) -> str:
    """``text`` as Go prints it again (``90m`` gives ``1h30m0s``); raises ``ValueError`` like :func:`parse_duration`."""
    total = parse_duration(text)
    if total == 0:
        return "0s"
    sign, total = ("-", -total) if total < 0 else ("", total)
    if total < _UNITS["s"]:
        unit = next(unit for unit in ("ms", "µs", "ns") if total >= _UNITS[unit])
        return f"{sign}{_decimal(total, _UNITS[unit])}{unit}"
    minutes, rest = divmod(total, _UNITS["m"])
    hours, minutes = divmod(minutes, 60)
    larger = f"{hours}h{minutes}m" if hours else f"{minutes}m" if minutes else ""
    return f"{sign}{larger}{_decimal(rest, _UNITS['s'])}s"


def _decimal(value: int, scale: int) -> str:
    whole, rest = divmod(value, scale)
    places = len(str(scale)) - 1
    return f"{whole}.{rest:0{places}d}".rstrip("0") if rest else str(whole)
