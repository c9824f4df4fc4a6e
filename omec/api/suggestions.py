"""What an unknown field was probably meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterable

from omec.api import schema
from omec.finding import FieldPath, field_text

_SIMILAR = 0.75
_SHORT_LIST = 12


def closest(name: str, allowed: Iterable[str]) -> str | None:
    """The allowed name that ``name`` is most likely a misspelling of: by letters alone, else by similarity."""
    candidates = list(allowed)
    letters = {_letters(candidate): candidate for candidate in reversed(candidates)}
    if _letters(name) in letters:
        return letters[_letters(name)]
    import difflib  # noqa: PLC0415 - only a misspelling needs it

    matches = difflib.get_close_matches(name, candidates, n=1, cutoff=_SIMILAR)
    return matches[0] if matches else None


def for_unknown_field(kind: str, path: FieldPath, allowed: Iterable[str]) -> str:
    """Help for the unknown field at ``path``, whose parent takes the names ``allowed``."""
    names = list(allowed)
    name = str(path[-1])
    by_letters = {_letters(candidate): candidate for candidate in names}.get(_letters(name))
    if by_letters:
        return f"did you mean {by_letters}?"
    elsewhere = _nearest_place(kind, path)
    if elsewhere:
        return f"it belongs to {field_text(elsewhere[:-1]) or 'the top level'}: move it to {field_text(elsewhere)}"
    similar = closest(name, names)
    if similar:
        return f"did you mean {similar}?"
    if 0 < len(names) <= _SHORT_LIST:
        return f"fields that exist here: {', '.join(names)}"
    return "delete it, or correct its name"


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _nearest_place(kind: str, path: FieldPath) -> FieldPath | None:
    """The place in the object nearest to ``path`` where a field of that name exists.

    Near means few steps up and down; among equally near ones the engine's comes first, because it is the component
    that every service has.
    """

    def distance(candidate: FieldPath) -> tuple[int, bool, int]:
        shared = 0
        for ours, theirs in zip(path, candidate, strict=False):
            if ours != theirs:
                break
            shared += 1
        steps = len(path) + len(candidate) - 2 * shared
        return steps, not any(str(step).startswith("engine") for step in candidate), len(candidate)

    candidates = [place for place in schema.places(kind).get(str(path[-1]), ()) if place[0] != "status"]
    return min(candidates, key=distance, default=None)
