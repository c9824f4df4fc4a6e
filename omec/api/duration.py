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
_TERM = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)")
_MAX = 2**63 - 1


def parse_duration(text: str) -> int:
    """Nanoseconds of ``text`` (``30s``, ``1h30m``, ``-1.5h``, ``0``); raises ``ValueError`` for other text."""
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    if rest == "0":
        return 0
    total = 0
    end = 0
    for term in _TERM.finditer(rest):
        if term.start() != end:
            break
        end = term.end()
        whole, _, fraction = term[1].partition(".")
        scale = _UNITS[term[2]]
        total += int(whole or "0") * scale + int(fraction or "0") * scale // 10 ** len(fraction)
    if not rest or end != len(rest):
        raise ValueError(f"not a duration: {text!r}")
    if total > _MAX:
        raise ValueError(f"duration out of range: {text!r}")
    return sign * total


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
