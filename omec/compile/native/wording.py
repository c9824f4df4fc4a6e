"""How messages list things."""

from __future__ import annotations

from collections.abc import Sequence


def listed(items: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return f" {last} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
