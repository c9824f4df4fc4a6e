"""The typed strategic merge: a runtime over its parent, and a service's component over its runtime's.

OME encodes both sides as JSON and applies the child's as a Kubernetes strategic merge patch. What the encoding drops
cannot override anything, and the child can never delete: an explicit ``null``, ``[]``, ``{}`` or (unless the Go field
is a pointer) zero counts as not set.

Source: OME docs, concepts/runtimes/runtime-inheritance#what-merges; Kubernetes documentation, strategic merge patch;
reference 02 §3 and §4, reference 04 §5.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from omec.api.shapes import Json, ListOf, MapOf, Shape, Struct

DIRECTIVES = ("$patch", "$retainKeys", "$setElementOrder/", "$deleteFromPrimitiveList/")
"""Beginnings of keys that a strategic merge takes for orders, be they labels."""


class MergeError(ValueError):
    """Two values that OME fails to merge; the message is OME's own text where it has one."""


def strategic_merge(shape: Shape, original: Json, patch: Json) -> Json:
    """``patch`` over ``original``, both of the Go type ``shape``, encoded as Go encodes the result.

    ``None`` on one side gives the other side, on both ``None``. Neither input is modified; the result shares nothing
    with them. Raises :class:`MergeError`.
    """
    ours = None if original is None else shape.normalise(original)
    theirs = None if patch is None else shape.normalise(patch)
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    return _merge(shape, ours, theirs)


def _merge(shape: Shape, original: Json, patch: Json) -> Json:
    """The merge of two values that are set and encoded already; the result is encoded again."""
    if isinstance(shape, Struct):
        return _merge_struct(shape, original, patch)
    if isinstance(shape, MapOf):
        return _merge_map(original, patch)
    if isinstance(shape, ListOf) and shape.key is not None:
        return _merge_items(shape, shape.key, original, patch)
    if isinstance(shape, ListOf) and shape.union:
        return _merge_scalars(original, patch)
    return patch


def _merge_struct(shape: Struct, original: dict[str, Json], patch: dict[str, Json]) -> dict[str, Json]:
    merged = {}
    for name, field in shape.shapes.items():
        ours, theirs = original.get(name), patch.get(name)
        if ours is not None and theirs is not None:
            merged[name] = _merge(field, ours, theirs)
        elif name in original or name in patch:
            merged[name] = ours if theirs is None else theirs
    return merged


def _merge_map(original: dict[str, Json], patch: dict[str, Json]) -> dict[str, Json]:
    for key in patch:
        if key.startswith(DIRECTIVES):
            raise MergeError(f"{key} would be read as a directive of the merge")
    union = original | patch
    return {key: union[key] for key in sorted(union)}


def _merge_items(shape: ListOf, key: str, original: list[Json], patch: list[Json]) -> list[Json]:
    """Lists of objects, item by item; an item is merged into the first one of its key, be it an earlier patch item."""
    merged = list(original)
    for item in patch:
        wanted = _key(item, key)
        place = next((index for index, other in enumerate(merged) if other.get(key) == wanted), None)
        if place is None:
            merged.append(item)
        else:
            merged[place] = _merge(shape.item, merged[place], item)
    return _ordered(merged, [_key(item, key) for item in merged], original, patch, key)


def _merge_scalars(original: list[Json], patch: list[Json]) -> list[Json]:
    merged = list(dict.fromkeys([*original, *patch]))
    return _ordered(merged, merged, original, patch, None)


def _ordered(
    merged: list[Json], keys: Sequence[Hashable], original: list[Json], patch: list[Json], key: str | None
) -> list[Json]:
    """``merged`` in the order that Kubernetes gives it (reference 02 §4.1).

    The patch's items keep their order and so do the others. An item of both lists comes after the others that precede
    it in ``original``; an item of the patch alone comes before all others that are left.
    """
    in_patch = _positions(patch, key)
    in_original = _positions(original, key)
    every = range(len(merged))
    # Sorting by the first position brings items of one key together.
    right = sorted((i for i in every if keys[i] in in_patch), key=lambda i: in_patch[keys[i]])
    left = sorted((i for i in every if keys[i] not in in_patch), key=lambda i: in_original[keys[i]])
    order: list[int] = []
    for index in right:
        place = in_original.get(keys[index])
        while left and place is not None and in_original[keys[left[0]]] < place:
            order.append(left.pop(0))
        order.append(index)
    return [merged[index] for index in (*order, *left)]


def _positions(items: list[Json], key: str | None) -> dict[Hashable, int]:
    """The first index of every key."""
    positions: dict[Hashable, int] = {}
    for index, item in enumerate(items):
        positions.setdefault(item if key is None else item.get(key), index)
    return positions


def _key(item: dict[str, Json], key: str) -> Hashable:
    """The merge key's value. Only image pull secrets can be without one: every other key is always encoded."""
    if key not in item:
        raise MergeError(f"map: map[] does not contain declared merge key: {key}")
    value: Hashable = item[key]
    return value
