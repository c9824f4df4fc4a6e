"""Change one value of the sources after another, and see which fields of the objects follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import IntEnum
from functools import cached_property
from typing import Any, TypeAlias

import msgspec

from omec.compile.inputs import Object
from omec.compile.layout import identity
from omec.compile.provenance.align import GONE, RENAMED, Absent, Appeared, differences
from omec.compile.provenance.bench import Bench
from omec.compile.provenance.source import Role, Source, Spot
from omec.compile.provenance.values import at, has, leaves, replaced, without
from omec.compile.provenance.variants import MARK, has_parts, other_values
from omec.finding import FieldPath

Leaf: TypeAlias = tuple[int, FieldPath]
"""A leaf of the rendered objects: the object's number, and the path in it."""


class How(IntEnum):
    """How a rendered leaf follows a value of a source, the closest first."""

    COPY = 0
    """It is that value."""
    PART = 1
    """It is a text that holds that value."""
    DERIVED = 2
    """It is worked out from it."""
    KEY = 3
    """The key that it stands under is made from it."""
    CONDITION = 4
    """It is there because of it."""


class Effect(msgspec.Struct, frozen=True):
    """``spot`` decides a rendered leaf; ``share`` is how much of its text it gives."""

    spot: Spot
    how: How
    share: int = 0


_ROOM = 90
_MOST_TOGETHER = 24

LEFT_OUT = Absent()
"""In the place of another value: none at all."""


class Laboratory:
    """The experiments on one bench."""

    def __init__(self, bench: Bench, changes: Mapping[Source, Any] | None = None) -> None:
        self.bench = bench
        self.base = dict(changes or {})
        self.objects = bench.render(self.base)
        self._alone: dict[Spot, dict[Leaf, Effect]] = {}
        self._less: dict[Spot, Laboratory | None] = {}

    def value(self, source: Source) -> Any:
        return self.base.get(source, source.value)

    def elsewhere(self, changes: Mapping[Source, Any]) -> Laboratory | None:
        """A laboratory where ``changes`` are how it is, ``None`` where nothing can be rendered then."""
        try:
            return Laboratory(self.bench, {**self.base, **changes})
        except Exception:  # as in changed()
            return None

    def spots(self) -> Iterator[tuple[Spot, Any]]:
        """Every leaf of every source."""
        for source in self.bench.sources:
            for path, value in leaves(self.value(source)):
                if path:
                    yield Spot(source, path), value

    def changed(self, changes: Mapping[Source, Any]) -> dict[Leaf, Any] | None:
        """The leaves that are different with ``changes``, with what stands there instead.

        ``None`` where nothing can be rendered then.
        """
        try:
            objects = self.bench.render({**self.base, **changes})
        except Exception:
            # Whatever goes wrong with a value that the checks before rendering would refuse: it tells nothing.
            return None
        return dict(_compared(self.objects, objects))

    def effects_of(self, spots: Sequence[Spot], value: Any) -> dict[Leaf, Effect] | None:
        """What follows when all ``spots``, which hold ``value``, hold another; ``None`` where nothing can be rendered.

        Where no other value will do, the spots are left out.
        """
        found: dict[Leaf, Effect] = {}
        rendered = False
        for other in other_values(value):
            changed = self._with(spots, other)
            rendered = rendered or changed is not None
            for leaf, new in (changed or {}).items():
                effect = _effect(spots[0], value, other, leaf, self.leaf(leaf), new)
                if effect is not None and (leaf not in found or effect.how < found[leaf].how):
                    found[leaf] = effect
            if found and not has_parts(value):
                return found
        if found:
            return found
        for leaf, new in (self._with(spots, LEFT_OUT) or {}).items():
            effect = _effect(spots[0], value, LEFT_OUT, leaf, self.leaf(leaf), new)
            if effect is not None:
                found[leaf] = effect
        return found if found or rendered else None

    def without(self, spot: Spot) -> Laboratory | None:
        """A laboratory where ``spot`` is left out, ``None`` where nothing can be rendered then."""
        if spot not in self._less:
            self._less[spot] = self.elsewhere({spot.source: without(self.value(spot.source), spot.path)})
        return self._less[spot]

    def effects_alone(self, spot: Spot, value: Any) -> dict[Leaf, Effect]:
        """What follows ``spot`` alone, which holds ``value``.

        A number that cannot change by itself, such as a lower bound that is the upper bound as well, is tried where
        another number gives it room.
        """
        if spot not in self._alone:
            self._alone[spot] = self._effects_alone(spot, value)
        return self._alone[spot]

    def _effects_alone(self, spot: Spot, value: Any) -> dict[Leaf, Effect]:
        effects = self.effects_of([spot], value)
        if effects is not None:
            return effects
        for other, held in self._numbers if type(value) is int else ():
            room = replaced(self.value(other.source), other.path, held + _ROOM)
            beside = self.elsewhere({other.source: room})
            if beside is not None and (effects := beside.effects_of([spot], value)):
                return {leaf: effect for leaf, effect in effects.items() if leaf in self}
        return self._taken_over(spot, value)

    def _taken_over(self, spot: Spot, value: Any) -> dict[Leaf, Effect]:
        """What must be ``spot``, which can only be as it is: the leaves of its value under its keys."""
        return {
            (number, path): Effect(spot, How.COPY)
            for number, body in enumerate(self.objects)
            for path, held in leaves(body)
            if _text(held) == _text(value) and (path == spot.path or alike(path, spot.path) > 1)
        }

    @cached_property
    def _numbers(self) -> list[tuple[Spot, int]]:
        return [(spot, value) for spot, value in self.spots() if type(value) is int]

    def _with(self, spots: Sequence[Spot], other: Any) -> dict[Leaf, Any] | None:
        changes: dict[Source, Any] = {}
        for spot in spots:
            current = changes.get(spot.source, self.value(spot.source))
            without_it = other is LEFT_OUT
            changes[spot.source] = without(current, spot.path) if without_it else replaced(current, spot.path, other)
        return self.changed(changes)

    def __contains__(self, leaf: Leaf) -> bool:
        return has(self.objects[leaf[0]], leaf[1])

    def leaf(self, leaf: Leaf) -> Any:
        return at(self.objects[leaf[0]], leaf[1])


def _compared(old: Sequence[Object], new: Sequence[Object]) -> Iterator[tuple[Leaf, Any]]:
    for number, other in enumerate(_partners(old, new)):
        if other is None:
            for path, _ in leaves(old[number]):
                yield (number, path), GONE
        else:
            for path, _, value in differences(old[number], other):
                yield (number, path), value


def _partners(old: Sequence[Object], new: Sequence[Object]) -> list[Object | None]:
    """For each object of ``old`` the same one in ``new``: that of its identity, else the next one of its kind.

    A copy is one object whatever its kind is.
    """
    if len(old) == len(new) == 1:
        return list(new)
    known = {identity(body): body for body in new}
    found = [known.get(identity(body)) for body in old]
    names = {identity(body) for body in old}
    left = [body for body in new if identity(body) not in names]
    for index, body in enumerate(old):
        if found[index] is None:
            partner = next((item for item in left if item["kind"] == body["kind"]), None)
            if partner is not None:
                found[index] = partner
                left.remove(partner)
    return found


def _effect(spot: Spot, value: Any, other: Any, leaf: Leaf, old: Any, new: Any) -> Effect | None:
    """What the change of ``value`` to ``other``, and of the rendered ``leaf`` from ``old`` to ``new``, says."""
    same = _text(old) == _text(value)
    # A name says little about what has it: that which is named so goes with it, too.
    akin = alike(spot.path, leaf[1]) > (1 if spot.path[-1] == "name" else 0)
    if isinstance(new, Appeared):
        return Effect(spot, How.COPY) if same and _text(new.value) == _text(other) else None
    if new is RENAMED:
        return Effect(spot, How.KEY)
    if other is LEFT_OUT:
        return Effect(spot, How.COPY if same and akin else How.CONDITION if new is GONE else How.DERIVED)
    if new is GONE:
        # OME leaves out what is false.
        return Effect(spot, How.COPY if same and akin and isinstance(value, bool) else How.CONDITION)
    if _text(new) == _text(other):
        # Where the value is not what is rendered, another may take its place: it is not there to be copied.
        return Effect(spot, How.COPY if same else How.DERIVED)
    if isinstance(new, str) and isinstance(old, str) and MARK in new and MARK in _text(other):
        return Effect(spot, How.PART, _common(_text(value), old))
    return Effect(spot, How.DERIVED)


def _text(value: Any) -> str:
    """A value as a manifest spells it: a quantity may be a number in one place and a text in another."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _common(source: str, rendered: str) -> int:
    """How many characters of ``rendered`` are those of ``source``, in its order."""
    return sum(block.size for block in SequenceMatcher(None, source, rendered, autojunk=False).get_matching_blocks())


def all_effects(laboratory: Laboratory) -> dict[Leaf, list[Effect]]:
    """For every rendered leaf what it follows, the closest first; leaves that follow nothing are not in it."""
    found: dict[Leaf, list[Effect]] = {}
    for spot, value in laboratory.spots():
        for leaf, effect in laboratory.effects_alone(spot, value).items():
            found.setdefault(leaf, []).append(effect)
    for group in (_last_key, lambda _: ""):
        _add_joint(laboratory, group, found)
    return {leaf: ranked(effects, leaf[1]) for leaf, effects in found.items()}


def _add_joint(
    laboratory: Laboratory, group: Callable[[FieldPath], str | int], found: dict[Leaf, list[Effect]]
) -> None:
    """Add what follows equal values together only: names by which lists are merged, references with what they name.

    Values belong together where ``group`` of their paths is the same as well.
    """
    held = _without_value(laboratory, found)
    for value, spots in _equal(laboratory, group):
        if not any(str(value) in str(other) for other in held.values()):
            continue
        joint = laboratory.effects_of(spots, value) or {}
        told = {leaf: e for leaf, e in joint.items() if leaf in held and e.how in (How.COPY, How.PART)}
        for leaf, needed in _needed(laboratory, spots, value, told).items():
            found.setdefault(leaf, []).extend(Effect(spot, told[leaf].how, told[leaf].share) for spot in needed)


def _needed(
    laboratory: Laboratory, spots: Sequence[Spot], value: Any, told: Mapping[Leaf, Effect]
) -> dict[Leaf, list[Spot]]:
    """Of ``spots``, on which all of ``told`` hangs, those that each leaf needs: without one of them it stays as it is.

    All of them where any will do.
    """
    needed: dict[Leaf, list[Spot]] = {leaf: [] for leaf in told}
    for left in spots if told else ():
        others = laboratory.effects_of([spot for spot in spots if spot is not left], value) or {}
        for leaf, spots_of_leaf in needed.items():
            if leaf not in others or others[leaf].how > told[leaf].how:
                spots_of_leaf.append(left)
    return {leaf: found or list(spots) for leaf, found in needed.items()}


def _equal(laboratory: Laboratory, group: Callable[[FieldPath], str | int]) -> Iterator[tuple[Any, list[Spot]]]:
    """The spots of one ``group`` that hold the same value, where there are several."""
    groups: dict[tuple[str | int, str, Any], list[Spot]] = {}
    for spot, value in laboratory.spots():
        if isinstance(value, str | int) and len(str(value)) > 1:
            groups.setdefault((group(spot.path), type(value).__name__, value), []).append(spot)
    for (_, _, value), spots in groups.items():
        if 1 < len(spots) <= _MOST_TOGETHER:
            yield value, spots


def _without_value(laboratory: Laboratory, found: Mapping[Leaf, Iterable[Effect]]) -> dict[Leaf, Any]:
    return {
        (number, path): value
        for number, body in enumerate(laboratory.objects)
        for path, value in leaves(body)
        if all(effect.how > How.DERIVED for effect in found.get((number, path), ()))
    }


def ranked(effects: Iterable[Effect], path: FieldPath) -> list[Effect]:
    """``effects`` on the leaf at ``path``, the closest first."""
    roles = {role: rank for rank, role in enumerate(Role)}

    def rank(effect: Effect) -> tuple[int, int, int, int, str]:
        spot = effect.spot
        return effect.how, -effect.share, roles[spot.source.role], -alike(spot.path, path), repr(spot.path)

    return sorted(effects, key=rank)


def alike(one: FieldPath, other: FieldPath) -> int:
    """How many keys at the end of two paths are the same."""
    count = 0
    for left, right in zip(_keys(one), _keys(other), strict=False):
        if left != right:
            break
        count += 1
    return count


def _keys(path: FieldPath) -> list[str]:
    return [step for step in reversed(path) if isinstance(step, str)]


def _last_key(path: FieldPath) -> str | int:
    return next((step for step in reversed(path) if isinstance(step, str)), path[-1])
