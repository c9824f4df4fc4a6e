"""The files of a ModelPack artifact, as far as they can be read in place.

A layer is one file (``….raw``, or the older types without an ending) or a tar archive. An archive that is not
compressed is read by its headers; a compressed one would have to be fetched whole, so its files are not seen.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from omec.facts.remote.client import BeyondEndError
from omec.facts.remote.listing import Listing
from omec.facts.remote.registry import DIGEST, Registry
from omec.facts.tree import Entry, Result, UnreadableError

FILE_PATHS = ("org.cncf.model.filepath", "org.cnai.model.filepath", "org.opencontainers.image.title")
"""The annotations of a layer that name its file."""

_PARTS_OF_TYPES = (".model.weight.v1", ".model.weight.config.v1", ".model.layer.v1")
_BLOCK = tarfile.BLOCKSIZE
_MOST_MEMBERS = 1000
_LONGEST_EXTENSION = 64 * 1024
_LONG_NAME, _EXTENDED = tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE


class Place(msgspec.Struct, frozen=True):
    """Where the bytes of one file are: in a blob, from an offset."""

    digest: str
    offset: int
    size: int


class LayerTree:
    """A :class:`omec.facts.tree.ModelTree` over the layers of an artifact."""

    def __init__(self, label: str, registry: Registry, places: Mapping[str, Place]) -> None:
        self.label = label
        self._registry = registry
        self._places = places
        self._files = Listing(places)

    def exists(self, path: str) -> bool:
        return self._files.exists(path)

    def entries(self, folder: str) -> list[Entry]:
        return self._files.entries(folder)

    def read(self, path: str, limit: int) -> bytes:
        self._files.require_file(path)
        size = self._places[path].size
        if size > limit:
            raise UnreadableError(path, f"the file has {size} bytes, more than the {limit} allowed")
        return self.read_range(path, 0, size)

    def read_range(self, path: str, start: int, length: int) -> bytes:
        self._files.require_file(path)
        place = self._places[path]
        if start + length > place.size:
            raise UnreadableError(path, f"the file should have {start + length} bytes or more, but has {place.size}")
        try:
            return self._registry.blob_range(place.digest, place.offset + start, length) if length else b""
        except BeyondEndError:
            raise UnreadableError(path, "the layer is shorter than the manifest says") from None

    def map(self, function: Callable[[str], Result], paths: Iterable[str]) -> Iterator[Result]:
        return map(function, paths)


def find_files(layers: Iterable[Any], registry: Registry) -> dict[str, Place]:
    """The files in the ``layers`` of a manifest that hold weights or what describes them."""
    places: dict[str, Place] = {}
    for layer in layers:
        if not is_descriptor(layer):
            continue
        media_type, digest, size = layer["mediaType"], layer["digest"], layer["size"]
        if not any(part in media_type for part in _PARTS_OF_TYPES):
            continue
        if media_type.endswith(".tar"):
            places |= _members(registry, digest, size)
        elif "+" not in media_type and (path := annotated_path(layer)):
            places[path] = Place(digest, 0, size)
    return places


def is_descriptor(layer: Any) -> bool:
    """Whether ``layer`` names a blob: its type, digest and size."""
    if not isinstance(layer, dict):
        return False
    media_type, digest, size = (layer.get(key) for key in ("mediaType", "digest", "size"))
    return (
        isinstance(media_type, str)
        and isinstance(digest, str)
        and DIGEST.fullmatch(digest) is not None
        and isinstance(size, int)
        and size >= 0
    )


def annotated_path(layer: dict[str, Any]) -> str:
    """The path of the file that a layer is, as its annotations tell; empty where they do not."""
    annotations = layer.get("annotations")
    names = (annotations.get(key) for key in FILE_PATHS) if isinstance(annotations, dict) else ()
    return next((name.removeprefix("./") for name in names if isinstance(name, str) and name), "")


def _members(registry: Registry, digest: str, size: int) -> dict[str, Place]:
    """The regular files of an archive; those before the first damaged header."""
    places: dict[str, Place] = {}
    offset, name = 0, ""
    try:
        for _ in range(_MOST_MEMBERS):
            if offset + _BLOCK > size:
                break
            header = registry.blob_range(digest, offset, _BLOCK)
            member = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
            data = offset + _BLOCK
            if member.type in (_LONG_NAME, _EXTENDED):
                extension = registry.blob_range(digest, data, min(member.size, _LONGEST_EXTENSION))
                name = _long_name(extension) if member.type == _LONG_NAME else _extended_name(extension)
            else:
                if member.isreg():
                    places[(name or member.name).removeprefix("./")] = Place(digest, data, member.size)
                name = ""
            offset = data + -(-member.size // _BLOCK) * _BLOCK
    except (tarfile.HeaderError, BeyondEndError):
        pass  # the two empty blocks at the end are no header either
    return places


def _long_name(extension: bytes) -> str:
    return extension.rstrip(b"\0").decode("utf-8", "replace")


def _extended_name(extension: bytes) -> str:
    """``path`` of a pax header, whose records are ``LENGTH KEY=VALUE`` and a line feed."""
    for record in extension.split(b"\n"):
        key, _, value = record.partition(b" ")[2].partition(b"=")
        if key == b"path":
            return value.decode("utf-8", "replace")
    return ""
