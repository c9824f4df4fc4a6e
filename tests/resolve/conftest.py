"""Counting calls: cost without a clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

CallsOf = Callable[[type, str], list[None]]


@pytest.fixture
def calls_of(monkeypatch: pytest.MonkeyPatch) -> CallsOf:
    """A function that counts the calls of a method from now on: the list that it gives grows by one with each."""

    def count(owner: type, name: str) -> list[None]:
        calls: list[None] = []
        method = getattr(owner, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            calls.append(None)
            return method(*args, **kwargs)

        monkeypatch.setattr(owner, name, counted)
        return calls

    return count
