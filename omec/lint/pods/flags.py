"""Flags that are lost where a list of words takes the place of another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from omec.lint.pods.layers import Runner

_MOST = 5


class Dropped(NamedTuple):
    """The flags of the lower list that the merged runner has nowhere (``lost``), and those that the upper repeats."""

    lost: Sequence[str]
    kept: frozenset[str]


def dropped(runner: Runner, field: str) -> Dropped | None:
    """What the list ``field`` of the upper side drops of the lower side's; ``None`` where it drops nothing."""
    upper, lower = runner.upper.get(field), runner.lower.get(field)
    if not upper or not lower:
        return None
    before, after = flags(lower), flags([*(runner.merged.get("command") or ()), *(runner.merged.get("args") or ())])
    lost = [flag for flag in before if flag not in after]
    return Dropped(lost, frozenset(before) & frozenset(flags(upper))) if lost else None


def flags(words: Iterable[Any]) -> dict[str, None]:
    """The names of the flags in ``words``, in order; those in a script too."""
    parts = (part for word in words for part in str(word).split())
    return dict.fromkeys(part.partition("=")[0] for part in parts if part.startswith("--") and len(part) > len("--"))


def listed(names: Sequence[str]) -> str:
    """``names`` for a message, the first few of many."""
    rest = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {rest} more" if rest > 0 else "")
