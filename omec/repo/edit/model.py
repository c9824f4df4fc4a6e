"""What can be changed in a document, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

import msgspec

from omec.finding import FieldPath
from omec.repo.document import Document


class Put(msgspec.Struct, frozen=True):
    """The field at ``path`` gets ``value`` (plain data), be it there already or not; so do missing mappings above."""

    path: FieldPath
    value: Any


class Drop(msgspec.Struct, frozen=True):
    """The field at ``path`` goes, with the comment on its line."""

    path: FieldPath


class Rename(msgspec.Struct, frozen=True):
    """The field at ``path`` is called ``key`` instead, and stays where it is."""

    path: FieldPath
    key: str


Edit = Put | Drop | Rename


class Change(msgspec.Struct, frozen=True):
    """Edits of one document of a file. Their paths are those of the document as it was; none is inside another's."""

    document: Document
    edits: Sequence[Edit]

    def applied(self) -> Any:
        """The document's value as it will be; raises ``LookupError`` or ``TypeError`` where an edit does not fit."""
        # Copied without its aliases: what stands at one place is changed at that place alone.
        value = _unshared(self.document.value)
        apply(value, self.edits)
        return value


def apply(value: Any, edits: Iterable[Edit]) -> None:
    """Make ``edits`` in ``value``: plain data, or the round-trip data of ruamel.yaml."""
    for edit in edits:
        *parents, name = edit.path
        mapping = value
        for step in parents:
            if isinstance(edit, Put) and isinstance(mapping, dict) and mapping.get(step) is None:
                mapping[step] = {}
            mapping = mapping[step]
        match edit:
            case Put(value=new):
                mapping[name] = deepcopy(new)
            case Drop():
                del mapping[name]
            case Rename(key=key):
                if key in mapping:
                    raise KeyError(key)
                _rename(mapping, name, key)


def _rename(mapping: Any, name: str | int, key: str) -> None:
    if hasattr(mapping, "insert"):  # ruamel.yaml's mapping, which keeps comments with the keys
        index = list(mapping).index(name)
        value = mapping[name]
        comment = mapping.ca.items.pop(name, None)
        del mapping[name]
        mapping.insert(index, key, value)
        if comment is not None:
            mapping.ca.items[key] = comment
    else:
        mapping[key] = mapping.pop(name)


def _unshared(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _unshared(item) for key, item in value.items()}
    return [_unshared(item) for item in value] if isinstance(value, list) else value
