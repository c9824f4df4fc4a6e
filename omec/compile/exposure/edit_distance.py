"""How many letters two keys differ in."""

from __future__ import annotations


def distance(left: str, right: str) -> int:
    """The least number of letters to insert, delete or replace that makes ``left`` into ``right`` (Levenshtein)."""
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        above, row = row, [i]
        for j, other in enumerate(right, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (letter != other)))
    return row[-1]
