"""The answer to ``omec why``: for each leaf of a field what set it, and what that overrode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from omec.compile.provenance.citations import Citation
from omec.compile.provenance.experiments import How
from omec.compile.provenance.source import Role
from omec.finding import FieldPath, ObjectRef, Position, field_text


class Origin(msgspec.Struct, frozen=True):
    """One place that a value comes from.

    ``role`` says what the source is, ``source`` which it is, ``path`` where in it; ``position`` is ``None`` where no
    file holds it. ``value`` is as it stands there, and ``how`` what the rendered value is of it. ``written`` is the
    file's path from the configuration's folder.
    """

    role: Role
    source: str
    path: FieldPath
    value: Any
    position: Position | None
    how: How = How.COPY
    written: str = ""

    @property
    def field(self) -> str:
        return field_text(self.path)

    def to_dict(self) -> dict[str, Any]:
        place = self.position
        return {
            "kind": self.role.value,
            "source": self.source,
            "field": self.field,
            "value": self.value,
            "path": None if place is None else place.path,
            "line": None if place is None else place.line or None,
            "column": None if place is None else place.column or None,
            "how": self.how.name.lower(),
        }


class FieldAnswer(msgspec.Struct, frozen=True):
    """One leaf: ``origins`` are what its value follows, the closest first, none for a value of OME's own.

    ``rule`` says what OME does there. ``conditions`` are what it is there for, where it has no origins; ``overrode``
    what lost against the first origin, the strongest first (an origin of role OME is a default of OME's own).
    """

    path: FieldPath
    value: Any
    origins: tuple[Origin, ...]
    rule: Citation | None
    conditions: tuple[Origin, ...] = ()
    overrode: tuple[Origin, ...] = ()

    @property
    def field(self) -> str:
        return field_text(self.path)

    def to_dict(self) -> dict[str, Any]:
        return {
            "field": self.field,
            "value": self.value,
            "origin": self.origins[0].to_dict() if self.origins else None,
            "also": [origin.to_dict() for origin in self.origins[1:]],
            "rule": None if self.rule is None else self.rule.to_dict(),
            "because": [origin.to_dict() for origin in self.conditions],
            "overrode": [origin.to_dict() for origin in self.overrode],
        }


class Answer(msgspec.Struct, frozen=True):
    """All leaves of ``field`` of one rendered object.

    ``file`` is where it stands in the output, ``stale`` whether that is not what would be rendered now (``None`` where
    there is no such file).
    """

    object: ObjectRef
    field: str
    fields: Sequence[FieldAnswer]
    file: str | None = None
    stale: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """The answer as the JSON format prints it."""
        return {
            "object": self.object.to_dict(),
            "field": self.field,
            "file": self.file,
            "stale": self.stale,
            "fields": [answer.to_dict() for answer in self.fields],
        }
