"""The index of origins that stands beside the objects of an output folder (the format is that of docs/why.md).

Like the index of files it is no manifest: its name starts with a dot and ends in nothing that Argo CD reads. It names
manifests by their paths from the configuration's folder, so it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from omec.compile.layout import OutputObject, file_names, folder_of
from omec.compile.output_folder import PROVENANCE_HEADER
from omec.compile.provenance.answer import FieldAnswer, Origin
from omec.compile.provenance.asker import Asker


def provenance_indexes(asker: Asker, progress: Callable[[str], None]) -> Mapping[str, bytes]:
    """The index of every output folder of what ``asker`` knows, by folder; ``progress`` is told what is done."""
    folders: dict[str, list[OutputObject]] = {}
    for item in asker.compilation.outputs:
        folders.setdefault(folder_of(item.owner), []).append(item)
    indexes = {}
    for number, (folder, items) in enumerate(sorted(folders.items()), start=1):
        progress(f"tracing {number}/{len(folders)} {folder}")
        indexes[folder] = _index(asker, items).encode()
    return indexes


def _index(asker: Asker, items: Sequence[OutputObject]) -> str:
    names = file_names([item.body for item in items])
    lines = [PROVENANCE_HEADER]
    for name, item in sorted(zip(names, items, strict=True), key=lambda pair: pair[0]):
        lines.append(f"[{name}]")
        lines += sorted(line for answer in asker.leaves(item, overrides=False) for line in _lines(answer))
    return "\n".join(lines) + "\n"


def _lines(answer: FieldAnswer) -> Iterator[str]:
    """A line for each origin of the leaf, or for the rule that sets it."""
    for origin in answer.origins:
        yield f"{answer.field}\t{_place(origin)}\t{origin.field}"
    if not answer.origins and answer.rule is not None:
        yield f"{answer.field}\t{answer.rule.source}\t{answer.rule.text}"


def _place(origin: Origin) -> str:
    place = origin.position
    if place is None or not origin.written:
        return origin.role.value
    return f"{origin.written}:{place.line}:{place.column}" if place.line else origin.written
