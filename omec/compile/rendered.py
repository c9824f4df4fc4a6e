"""The outcome of rendering, and where each field of it comes from."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from omec.compile.components import Component
from omec.compile.inputs import Object, Service
from omec.compile.pod import Pod, Role
from omec.compile.problems import Place, Problem
from omec.finding import FieldPath


class RenderedObject(msgspec.Struct, frozen=True):
    """One object, and the component (with its pods by role) that it stands for, or the ``service`` as a whole."""

    body: Object
    component: Component | None = None
    pods: Mapping[Role, Pod] = msgspec.field(default_factory=dict)
    service: Service | None = None

    def place(self, path: FieldPath) -> Place:
        """The field of the inputs that the one at ``path`` comes from."""
        # Few repositories have anything to trace.
        from omec.compile.companion_trace import (  # noqa: PLC0415
            component_companion_place,
            service_companion_place,
        )
        from omec.compile.native.trace import native_place  # noqa: PLC0415
        from omec.compile.trace import place_of  # noqa: PLC0415

        place = None
        if self.component is not None:
            place = component_companion_place(self.body, path, self.component)
        elif self.service is not None:
            place = service_companion_place(self.body, path, self.service)
        if place is not None:
            return place
        if self.component is not None and (self.body["kind"] == "InferenceReplica" or len(self.pods) > 1):
            return native_place(self.body, path, self.component, self.pods)
        return place_of(self.body, path, self.component, next(iter(self.pods.values()), None))


class SharedObject(msgspec.Struct, frozen=True):
    """An object that several services of a namespace may need, equal for all, and the ``policy`` that asks for it."""

    body: Object
    policy: str


class Rendered(msgspec.Struct, frozen=True):
    """The objects of one InferenceService in output order, and what is wrong or doubtful about them."""

    parts: tuple[RenderedObject, ...]
    shared: tuple[SharedObject, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def objects(self) -> tuple[Object, ...]:
        """The objects of the service's own."""
        return tuple(part.body for part in self.parts)
