"""What is wrong with a rendering, in terms of the inputs: which field of which of them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

import msgspec

from omec.finding import FieldPath, Rule

Step = str | int | tuple[str, str | int]
"""A key, an index, or the item of a list that has this value under this key."""

Steps = tuple[Step, ...]
"""A way to a field that holds in every document of an inheritance chain, whose lists have different indexes."""


class Origin(Enum):
    """The input that a problem comes from."""

    SERVICE = "InferenceService"
    RUNTIME = "runtime"
    MODEL = "model"


class Place(msgspec.Struct, frozen=True):
    """A field of an input; ``steps`` start at the root of its document. ``is_key`` where the field's name is meant."""

    origin: Origin
    steps: Steps
    is_key: bool = False


class Problem(msgspec.Struct, frozen=True):
    """One thing that is wrong; ``message`` is OME's own text where OME would fail."""

    rule: Rule
    message: str
    place: Place
    help: str = ""


class RenderError(Exception):
    """An InferenceService that cannot be rendered: OME would fail, or omec does not do what it asks for.

    ``problem`` is what ended the rendering, ``known`` what was found wrong before.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem
        self.known: tuple[Problem, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        return (*self.known, self.problem)


def follow(value: Any, steps: Steps) -> FieldPath | None:
    """``steps`` as a path in ``value``, ``None`` where they lead nowhere."""
    path: list[str | int] = []
    for step in steps:
        key = _key(value, step)
        if key is None:
            return None
        path.append(key)
        value = value[key]
    return tuple(path)


def deepest(value: Any, steps: Steps) -> FieldPath:
    """The longest start of ``steps`` that leads somewhere in ``value``, as a path."""
    for length in range(len(steps), -1, -1):
        if (path := follow(value, steps[:length])) is not None:
            return path
    return ()


def steps_to_text(value: Any, text: str) -> Steps | None:
    """The way to the first string in ``value`` that is ``text``; ``None`` where there is none."""
    if value == text:
        return ()
    items: list[tuple[Step, Any]] = []
    if isinstance(value, Mapping):
        items = list(value.items())
    elif isinstance(value, list):
        items = [(_step_of_item(item, index), item) for index, item in enumerate(value)]
    for step, item in items:
        if (rest := steps_to_text(item, text)) is not None:
            return (step, *rest)
    return None


def _key(value: Any, step: Step) -> str | int | None:
    if isinstance(step, str):
        return step if isinstance(value, Mapping) and step in value else None
    if not isinstance(value, list):
        return None
    if isinstance(step, int):
        return step if step < len(value) else None
    name, wanted = step
    return next((i for i, item in enumerate(value) if isinstance(item, Mapping) and item.get(name) == wanted), None)


def _step_of_item(item: Any, index: int) -> Step:
    name = item.get("name") if isinstance(item, Mapping) else None
    return ("name", name) if isinstance(name, str) else index
