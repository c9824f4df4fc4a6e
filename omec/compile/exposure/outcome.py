"""What comes of exposing a service."""

from __future__ import annotations

from dataclasses import dataclass

from omec.compile.inputs import Object
from omec.compile.problems import Problem


@dataclass(frozen=True, slots=True)
class Exposure:
    """Ingress, routes and policies of a service, and what is doubtful about them."""

    objects: tuple[Object, ...] = ()
    problems: tuple[Problem, ...] = ()
