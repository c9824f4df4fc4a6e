"""What comes of exposing a service."""

from __future__ import annotations

import msgspec

from omec.compile.inputs import Object
from omec.compile.problems import Problem


class Exposure(msgspec.Struct, frozen=True):
    """Ingress, routes and policies of a service, and what is doubtful about them."""

    objects: tuple[Object, ...] = ()
    problems: tuple[Problem, ...] = ()
