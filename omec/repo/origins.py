"""Where the objects of a kustomize build come from, as kustomize's own annotations tell.

An overlay with ``buildMetadata: [originAnnotations]`` notes on each object which file it was read from. Positions then
lead to that file, wherever the overlay has left the field as it is; what the overlay has changed stands in the build
only. The annotations themselves are no part of the object.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from omec.finding import FieldPath, Position
from omec.repo.document import Document
from omec.repo.encoding import decode
from omec.repo.objects import read_text
from omec.repo.tree import DiskTree
from omec.repo.walk import MAX_FILE_BYTES, SourceFile
from omec.repo.yaml.document import parse
from omec.repo.yaml.problem import ProblemError

ORIGIN = "config.kubernetes.io/origin"
TRANSFORMATIONS = "alpha.config.kubernetes.io/transformations"


class Traced(msgspec.Struct):
    """The objects of a build, with positions in the files that they come from.

    ``texts`` holds the content of these files by the path that users are shown, ``sources`` their paths from the
    configuration's folder.
    """

    documents: list[Document] = msgspec.field(default_factory=list)
    texts: dict[str, str] = msgspec.field(default_factory=dict)
    sources: dict[str, str] = msgspec.field(default_factory=dict)


def traced(documents: Iterable[Document], overlay: str, root: Path) -> Traced:
    """``documents``, which are the build of the folder ``overlay``; ``root`` is the folder of the configuration."""
    result = Traced()
    files: dict[str, Sequence[Document]] = {}
    for document in documents:
        value, origin = _without_annotations(document.value)
        original = None
        if origin is not None:
            path = os.path.normpath(Path(overlay, origin))
            if path not in files:
                files[path] = _read(path, root, result)
            original = _original(value, files[path])
        locator = _Locator(document, value, original or document)
        result.documents.append(Document(document.path, document.index, value, locator, document.source))
    return result


def _without_annotations(value: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    """The object without what kustomize has noted on it, and the path of the local file that it was read from."""
    metadata = value.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    if not isinstance(annotations, dict) or not annotations.keys() & {ORIGIN, TRANSFORMATIONS}:
        return value, None
    rest = {key: text for key, text in annotations.items() if key not in (ORIGIN, TRANSFORMATIONS)}
    bare = {key: part for key, part in value["metadata"].items() if key != "annotations"}
    if rest:
        bare = {key: rest if key == "annotations" else part for key, part in value["metadata"].items()}
    return {**value, "metadata": bare}, _local_path(annotations.get(ORIGIN))


def _local_path(origin: Any) -> str | None:
    """The path in an origin; ``None`` for what kustomize fetched or generated."""
    try:
        told = parse(origin).value if isinstance(origin, str) else None
    except ProblemError:
        return None
    path = told.get("path") if isinstance(told, Mapping) and "repo" not in told else None
    return path if isinstance(path, str) else None


def _read(path: str, root: Path, result: Traced) -> Sequence[Document]:
    """The objects of a file; none where it cannot be read any more."""
    from omec.repo.sources import shown_path  # noqa: PLC0415 - which imports what this module is for

    try:
        text = decode(DiskTree().read(path, MAX_FILE_BYTES))
    except (OSError, ValueError, ProblemError):
        return ()
    shown, source = shown_path(path), os.path.relpath(os.path.realpath(path), os.path.realpath(root))
    result.texts[shown], result.sources[shown] = text, source
    return read_text(SourceFile(shown, source, lambda _: b""), text).documents


def _original(built: dict[str, Any], candidates: Sequence[Document]) -> Document | None:
    """The object that ``built`` was made of: of its kind and name, or the only one whose name it still holds."""
    same_kind = [each for each in candidates if all(each.value.get(key) == built.get(key) for key in _TYPE)]
    for is_it in (str.__eq__, str.__contains__):
        found = [each for each in same_kind if is_it(_name(built), _name(each.value))]
        if len(found) == 1:
            return found[0]
    return None


_TYPE = ("apiVersion", "kind")


def _name(value: dict[str, Any]) -> str:
    metadata = value.get("metadata")
    return str(metadata.get("name")) if isinstance(metadata, dict) else ""


class _Locator:
    """Locates a field in the original where it is as it was built, else in the build."""

    def __init__(self, built: Document, value: dict[str, Any], original: Document) -> None:
        self._built = built
        self._value = value
        self._original = original

    def __call__(self, path: FieldPath, key: bool) -> Position:
        there = unchanged(self._value, self._original.value, path)
        return self._built.locate(path, key=key) if there is None else self._original.locate(there, key=key)


def unchanged(built: Any, original: Any, path: FieldPath) -> FieldPath | None:
    """The path in ``original`` of what stands at ``path`` of ``built``; ``None`` where that is not the same.

    Mappings and lists count as the same whatever is in them, because their position is their beginning; a field that
    is missing in both is the same. Items of lists are found by value, else by name, as patches move them.
    """
    there: list[str | int] = []
    for number, step in enumerate(path):
        if isinstance(built, list) and isinstance(step, int) and isinstance(original, list) and step < len(built):
            index = _index(built[step], step, original)
            if index is None:
                return None
            there.append(index)
            built, original = built[step], original[index]
        elif isinstance(built, dict) and isinstance(original, dict) and (step in built) == (step in original):
            if step not in built:
                return (*there, *path[number:])
            there.append(step)
            built, original = built[step], original[step]
        else:
            return None
    same = type(built) is type(original) and (isinstance(built, dict | list) or built == original)
    return tuple(there) if same else None


def _index(item: Any, index: int, items: list[Any]) -> int | None:
    if index < len(items) and items[index] == item:
        return index
    equal = [number for number, other in enumerate(items) if other == item]
    if not equal and isinstance(item, dict) and isinstance(item.get("name"), str):
        equal = [n for n, other in enumerate(items) if isinstance(other, dict) and other.get("name") == item["name"]]
    return equal[0] if equal else None
