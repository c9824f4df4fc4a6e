"""Faults, and the mutants that they make of worlds."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.mutants.place import At, Object, Place
from tests.mutants.world import World

Break = Callable[[Place, Random], bool | None]
"""Breaks one place, and returns ``False`` where this would be no fault."""


@dataclass(frozen=True)
class Fault:
    """One way to break a world; any one of ``rules`` names what is wrong then."""

    name: str
    rules: tuple[str, ...]
    at: At
    apply: Break


FAULTS: list[Fault] = []


def fault(*rules: str, at: At) -> Callable[[Break], Break]:
    """Register a function as a fault that ``rules`` find, in each place that ``at`` yields."""

    def register(apply: Break) -> Break:
        assert apply.__name__ not in {known.name for known in FAULTS}, apply.__name__
        FAULTS.append(Fault(apply.__name__, rules, at, apply))
        return apply

    return register


@dataclass(frozen=True)
class Mutant:
    """A world with one fault in it."""

    fault: Fault
    world: World
    number: int
    objects: list[Object]

    @property
    def name(self) -> str:
        return f"{self.fault.name} {self.world.name}#{self.number}"


def places(fault: Fault, world: World) -> int:
    """How many places of the world the fault can be tried at."""
    return sum(1 for _ in fault.at(list(world.objects)))


def mutant(fault: Fault, world: World, number: int, seed: int) -> Mutant | None:
    """The world with the fault in the place of that number, or ``None`` where it would be none."""
    objects: list[Any] = copy.deepcopy(list(world.objects))
    place = list(fault.at(objects))[number]
    refused = fault.apply(place, Random(f"{seed} {fault.name} {world.name} {number}")) is False
    if refused or objects == list(world.objects):
        return None
    return Mutant(fault, world, number, objects)


def mutants(faults: Sequence[Fault], worlds: Sequence[World], seed: int, limit: int | None) -> Iterator[Mutant]:
    """At most ``limit`` mutants of each fault, spread over the worlds; the same for the same seed."""
    for chosen in faults:
        sites = [(world, number) for world in worlds for number in range(places(chosen, world))]
        Random(f"{seed} {chosen.name}").shuffle(sites)
        made = 0
        for world, number in sites:
            if limit is not None and made >= limit:
                break
            if not world.is_sound:
                continue
            broken = mutant(chosen, world, number, seed)
            if broken is not None:
                made += 1
                yield broken
