"""The definitions of an object that is defined more than once, as a message names them.

A repository with a folder for each cluster may define one object a hundred times; who reads about one of the copies
wants to see a few of the others, and how many there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from omec.catalog.resource import Resource
from omec.finding import FieldPath, Position, Related

SHOWN = 3
"""Places that a message names."""

_NAME: FieldPath = ("metadata", "name")


def listed(copies: Sequence[Resource], *, without: Resource | None = None) -> str:
    """The places of ``copies`` as a phrase: ``a.yaml:3:9, b.yaml:3:9, c.yaml:3:9 and 17 more``."""
    places = [str(position) for position in _shown(copies, without)]
    rest = len(copies) - (without is not None) - len(places)
    last = f"{rest} more" if rest else places.pop()
    return f"{', '.join(places)} and {last}" if places else last


def related(copies: Sequence[Resource], message: str, *, without: Resource | None = None) -> tuple[Related, ...]:
    """The places that :func:`listed` names, each with ``message``."""
    return tuple(Related(position, message) for position in _shown(copies, without))


def _shown(copies: Sequence[Resource], without: Resource | None) -> Iterator[Position]:
    others = (copy for copy in copies if copy is not without)
    return (copy.locate(_NAME) for copy in islice(others, SHOWN))
