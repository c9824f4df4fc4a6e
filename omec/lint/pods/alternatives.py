"""Fields of which Kubernetes takes exactly one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def two_of(value: Any, alternatives: Iterable[str]) -> tuple[str, str] | None:
    """The first two of ``alternatives`` that ``value`` has, ``None`` where it has fewer."""
    if not isinstance(value, dict):
        return None
    found = [name for name in alternatives if value.get(name) is not None]
    return (found[0], found[1]) if len(found) > 1 else None
