"""Anchors of one document, with a bound on what their aliases expand to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")

MAX_DEPTH = 100
"""Levels of nested collections; kubectl's own limit is 10,000, the deepest CRDs have about 35."""

MAX_EXPANDED = 100_000
"""Values that all aliases of a document may add; kubectl's limit depends on their share and begins at 1,000."""


class UnknownAnchorError(KeyError):
    """No anchor of that name stands before the alias."""


class SelfReferenceError(ValueError):
    """The alias stands inside the value of its own anchor."""


class ExpansionError(ValueError):
    """The aliases expand to too many values, or nest too deeply."""


class Anchors(Generic[T]):
    """What stands at each anchor, in the order of the text; a later anchor of the same name replaces the earlier one.

    ``value_of`` gives the plain value of an anchored item, whose expansions are counted.
    """

    def __init__(self, value_of: Callable[[T], Any]) -> None:
        self._value_of = value_of
        self._items: dict[str, T] = {}
        self._open: set[str] = set()
        # The measured value is kept with its measure, so that its id stays its own.
        self._measures: dict[int, tuple[int, int, Any]] = {}
        self._expanded = 0

    def begin(self, name: str) -> None:
        """The anchored item begins: until it ends, an alias to it would contain itself."""
        self._open.add(name)

    def end(self, name: str, item: T) -> None:
        """The anchored item is complete; unless an anchor of the same name inside it has taken the name over."""
        if name in self._open:
            self._open.remove(name)
            self._items[name] = item

    def use(self, name: str, depth: int) -> T:
        """The item for an alias at ``depth``; raises one of this module's errors."""
        if name in self._open:
            raise SelfReferenceError(name)
        if name not in self._items:
            raise UnknownAnchorError(name)
        item = self._items[name]
        nodes, levels = self._measure(self._value_of(item))
        self._expanded += nodes
        if self._expanded > MAX_EXPANDED or depth + levels > MAX_DEPTH:
            raise ExpansionError(name)
        return item

    def _measure(self, value: Any) -> tuple[int, int]:
        """The number of values in ``value``, aliases expanded, and its levels of collections."""
        if isinstance(value, dict):
            children = value.values()
        elif isinstance(value, list):
            children = value  # type: ignore[assignment]
        else:
            return 1, 0
        known = self._measures.get(id(value))
        if known is None:
            nodes, levels = 1, 0
            for child in children:
                child_nodes, child_levels = self._measure(child)
                nodes += child_nodes
                levels = max(levels, child_levels)
            known = self._measures[id(value)] = nodes, levels + 1, value
        return known[:2]
