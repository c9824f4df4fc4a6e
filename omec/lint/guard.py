"""What happens when a check of omec itself fails: a finding says so, and the run goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from omec.errors import OmecError
from omec.finding import Finding, Position
from omec.lint.control_rules import RULE_FAILED

Check = Callable[[], Iterable[Finding]]


def guarded(name: str, check: Check) -> list[Finding]:
    """The findings of ``check``; where it raises, those so far and one that names it."""
    found: list[Finding] = []
    try:
        found.extend(check())
    except OmecError:
        raise
    except Exception as error:
        found.append(_failed(name, error))
    return found


def _failed(name: str, error: Exception) -> Finding:
    return Finding(
        RULE_FAILED,
        f"the check {name} failed: {type(error).__name__}: {error}",
        Position("."),
        help="this is a bug of omec, not of your manifests; report it with the message",
    )
