"""Answers that many questions share."""

from __future__ import annotations

from omec.resolve.memory import Memory


def test_an_answer_is_worked_out_once() -> None:
    memory, worked_out = Memory(), []
    for question in (1, 2, 1, 1, 2):
        assert memory(question, lambda number=question: worked_out.append(number) or number * 10) == question * 10
    assert worked_out == [1, 2]


def test_only_the_latest_are_kept() -> None:
    memory, worked_out = Memory(latest=2), []
    for question in (1, 2, 1, 3, 1, 2):
        memory(question, lambda number=question: worked_out.append(number))
    assert worked_out == [1, 2, 3, 2]
