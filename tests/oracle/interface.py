"""What a judge of oracle rows looks like, and what it answers.

An oracle file is JSON Lines; each row holds inputs and the ``expected`` answers of OME's own code. A *judge* is a
module ``tests/oracle/<kind>.py`` with the three names of :class:`Judge`; :mod:`tests.oracle.run` finds every such
module by itself. A row belongs to the first judge (in the order of module names) that accepts it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer beside the expected one; ``skipped`` says why there is nothing to compare."""

    expected: Any
    actual: Any
    skipped: str = ""

    @property
    def agrees(self) -> bool:
        return same(self.expected, self.actual)


def skip(reason: str) -> Answer:
    """An answer that is not judged."""
    return Answer(None, None, reason)


def same(expected: Any, actual: Any) -> bool:
    """Equality of JSON values: unlike Python's, it tells ``true`` from ``1``; ``1`` and ``1.0`` are one number."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, dict) and isinstance(actual, dict):
        return expected.keys() == actual.keys() and all(same(value, actual[key]) for key, value in expected.items())
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(map(same, expected, actual))
    return bool(expected == actual)


class Judge(Protocol):
    """The module interface. ``KIND`` names the answers in the printed summary, for example ``selection``."""

    KIND: str

    def accepts(self, row: Row) -> bool:
        """Whether the row's shape is this judge's; must be cheap and must not raise."""
        ...

    def judge(self, row: Row, data: Path | None) -> dict[str, Answer]:
        """The answers by name (``selected``, ``ranking``, …).

        ``data`` is the folder of external test data (it holds ``corpus/``), ``None`` where there is none: rows that
        need it are answered with :func:`skip`.
        """
        ...
