"""What a value stands in the place of: leave it out, and see what comes out instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from omec.compile.provenance.align import counterpart
from omec.compile.provenance.experiments import Effect, How, Laboratory, Leaf, alike, ranked
from omec.compile.provenance.source import Role, Spot
from omec.compile.provenance.values import at
from omec.finding import FieldPath

_DEEPEST = 12
"""Values above one another: a service, five runtimes, presets and defaults."""


class Loser(msgspec.Struct, frozen=True):
    """A value that lost: of ``spot``, or OME's own where that is ``None``."""

    value: Any
    spot: Spot | None


def overridden(laboratory: Laboratory, leaf: Leaf, effect: Effect) -> Iterator[Loser]:
    """What ``effect``, the origin of ``leaf``, overrides, the strongest first."""
    number, path = leaf
    spot: Spot | None = effect.spot
    for _ in range(_DEEPEST):
        if spot is None or spot.source.role in (Role.CHART, Role.API_DEFAULT) or effect.how > How.PART:
            return
        unit = _unit(spot, path)
        beside = laboratory.without(unit)
        place = None if beside is None else _place(laboratory, beside, number, path)
        if beside is None or place is None:
            return
        spot = _origin(beside, (number, place))
        if spot is None:
            yield from _own(beside.leaf((number, place)), laboratory.leaf((number, path)))
            return
        if (spot.source, spot.path) == (effect.spot.source, effect.spot.path):
            return  # a default that is filled in again
        laboratory, path = beside, place
        shown = _unit(spot, path)
        yield Loser(at(laboratory.value(shown.source), shown.path), shown)


def _own(value: Any, before: Any) -> Iterator[Loser]:
    """OME's own value, where it is one: what Go writes for a field that must be there is none."""
    if value not in ("", 0, False, None) and value != before:
        yield Loser(value, None)


def _unit(spot: Spot, path: FieldPath) -> Spot:
    """What of ``spot`` overrides: a list of plain values does so as a whole."""
    if isinstance(spot.path[-1], int) and isinstance(path[-1], int):
        return Spot(spot.source, spot.path[:-1])
    return spot


def _place(laboratory: Laboratory, beside: Laboratory, number: int, path: FieldPath) -> FieldPath | None:
    """Where the leaf at ``path`` stands ``beside``."""
    if number >= len(beside.objects):
        return None
    return counterpart(laboratory.objects[number], beside.objects[number], path)


def _origin(laboratory: Laboratory, leaf: Leaf) -> Spot | None:
    """Where the value at ``leaf`` comes from; only what is alike is tried."""
    value = str(laboratory.leaf(leaf))
    effects = []
    for spot, held in laboratory.spots():
        if str(held) == value or alike(spot.path, leaf[1]) > 0 or (len(str(held)) > 3 and str(held) in value):
            effect = laboratory.effects_alone(spot, held).get(leaf)
            if effect is not None and effect.how <= How.PART:
                effects.append(effect)
    return ranked(effects, leaf[1])[0].spot if effects else None
