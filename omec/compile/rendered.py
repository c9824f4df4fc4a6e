"""The outcome of rendering, and where each field of it comes from."""

from __future__ import annotations

from dataclasses import dataclass

from omec.compile.components import Component
from omec.compile.inputs import Object
from omec.compile.pod import Pod
from omec.compile.problems import Place, Problem
from omec.compile.trace import place_of
from omec.finding import FieldPath


@dataclass(frozen=True, slots=True)
class RenderedObject:
    """One object, and the component (with its pod) that it stands for; ``None`` for one of the service as a whole."""

    body: Object
    component: Component | None = None
    pod: Pod | None = None

    def place(self, path: FieldPath) -> Place:
        """The field of the inputs that the one at ``path`` comes from."""
        return place_of(self.body, path, self.component, self.pod)


@dataclass(frozen=True, slots=True)
class Rendered:
    """The objects of one InferenceService in output order, and what is wrong or doubtful about them."""

    parts: tuple[RenderedObject, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def objects(self) -> tuple[Object, ...]:
        return tuple(part.body for part in self.parts)
