"""Answers that many questions share."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class Memory:
    """Answers by question, each worked out when it is first asked; only the ``latest`` so many where that is given."""

    def __init__(self, latest: int | None = None) -> None:
        self._latest = latest
        self._answers: dict[Hashable, Any] = {}

    def __call__(self, question: Hashable, answer: Callable[[], Answer]) -> Answer:
        if question in self._answers:
            known: Answer = self._answers[question]
            if self._latest is not None:  # a question just asked is forgotten last
                self._answers[question] = self._answers.pop(question)
            return known
        found = self._answers[question] = answer()
        if self._latest is not None and len(self._answers) > self._latest:
            del self._answers[next(iter(self._answers))]
        return found
