"""Parameter counts from the headers of safetensors files; the weights themselves are never read.

A file starts with the length of its header (8 bytes, little-endian) and the header: JSON that maps the name of each
tensor to its type, shape and place. Source: reference 08 §5.1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from omec.facts.decode import decode, fold
from omec.facts.display import shown
from omec.facts.errors import FactsError
from omec.facts.int64 import INT64_MAX
from omec.facts.jsonscan import JsonError, Value, stream
from omec.facts.size import format_bytes
from omec.facts.tensors import TensorCounter, elements, stored_type
from omec.facts.tree import ModelTree, UnreadableError, join

INDEX = "model.safetensors.index.json"
EXTENSION = ".safetensors"

LONGEST_HEADER = 10 * 1024 * 1024
_LONGEST_INDEX = 64 * 1024 * 1024
_MOST_INDEXED_TENSORS = 1_000_000
_LENGTH_BYTES = 8
_METADATA = "__metadata__"


class Tensor(msgspec.Struct):
    """One member of a header."""

    dtype: str = ""
    shape: list[int] = msgspec.field(default_factory=list)
    data_offsets: tuple[int, int] = (0, 0)


class HeaderCount(msgspec.Struct, frozen=True):
    """What one header lists: its parameters, and the bytes of its tensors by type (``BF16``, or ``other``)."""

    parameters: int
    stored: Mapping[str, int]


class WeightCount(msgspec.Struct, frozen=True):
    """The parameters of all the safetensors files of a folder, their bytes by type, and the files that were read."""

    parameters: int
    stored: Mapping[str, int]
    files: tuple[str, ...]


class NoWeightsError(Exception):
    """A folder without safetensors files."""


def count_folder(tree: ModelTree, folder: str, counter: TensorCounter) -> WeightCount:
    """The parameters in the shards that the folder's index names, else in all its safetensors files.

    Raises :class:`NoWeightsError`, or :class:`omec.facts.tree.UnreadableError` for the first file that is corrupt: one
    bad file makes the whole folder uncountable.
    """
    index = join(folder, INDEX)
    indexed = tree.exists(index)
    shards = _indexed_shards(tree, index) if indexed else _listed_files(tree, folder)
    paths = [join(folder, shard) for shard in shards]
    times = Counter(paths)  # an index can name one file in many ways, and OME adds it each time
    total = 0
    stored: Counter[str] = Counter()
    for path, counted in zip(times, tree.map(lambda path: count_file(tree, path, counter), times), strict=True):
        total += counted.parameters * times[path]
        stored.update(counted.stored)
        if total > INT64_MAX:
            raise UnreadableError(path, "the parameters of all files exceed 64 bits")
    return WeightCount(total, stored, (index, *paths) if indexed else tuple(paths))


def count_file(tree: ModelTree, path: str, counter: TensorCounter) -> HeaderCount:
    """What one safetensors file holds; raises :class:`omec.facts.tree.UnreadableError`."""
    header = read_header(tree, path)
    try:
        return count_header(header, counter)
    except JsonError as error:
        raise UnreadableError(path, f"the header is corrupt: {error}") from None


def read_header(tree: ModelTree, path: str) -> bytes:
    """The header of a safetensors file; refuses one longer than 10 MiB, or longer than the file."""
    length = int.from_bytes(tree.read_range(path, 0, _LENGTH_BYTES), "little")
    if length > LONGEST_HEADER:
        raise UnreadableError(
            path, f"the header claims {length} bytes, more than the {format_bytes(LONGEST_HEADER)} allowed"
        )
    return tree.read_range(path, _LENGTH_BYTES, length)


def count_header(header: bytes, counter: TensorCounter) -> HeaderCount:
    """The parameters of the tensors that ``header`` lists, and the bytes that they take.

    Raises :class:`omec.facts.jsonscan.JsonError` where it is not JSON of the right types, or where a tensor has a
    dimension that is not positive or more elements than 64 bits count. Of two tensors of one name the last counts.
    """
    sizes: dict[str, tuple[str, int]] = {}
    dtypes: dict[str, str] = {}
    invalid: set[str] = set()
    for name, dtype, shape in _tensors(header):
        invalid.discard(name)
        size = elements(shape) if shape else 0
        if size is None:
            invalid.add(name)
        sizes.pop(name, None)
        if size:
            sizes[name] = dtypes.setdefault(dtype, dtype), size
    invalid.discard(_METADATA)
    sizes.pop(_METADATA, None)
    if invalid:
        raise JsonError(f"tensor {shown(min(invalid))} has a dimension that is not positive, or too many elements")
    total = sum(counter.count(name, dtype, size) for name, (dtype, size) in sizes.items())
    if total > INT64_MAX:
        raise JsonError("the parameters of all tensors exceed 64 bits")
    stored: Counter[str] = Counter()
    for dtype, size in sizes.values():
        name, bits = stored_type(dtype)
        stored[name] += size * bits // 8
    return HeaderCount(total, stored)


# A tensor as the safetensors library writes it; one written differently takes the long way through decode.
_INT64 = rb"(?:0|[1-9][0-9]{0,17})"
_AS_WRITTEN = re.compile(
    rb'\{"dtype":"([A-Z0-9_]+)","shape":\[((?:%(int)s(?:,%(int)s){0,7})?)\],"data_offsets":\[%(int)s,%(int)s\]\}'
    % {b"int": _INT64}
)


def _tensors(header: bytes) -> Iterator[tuple[str, str, list[int]]]:
    for name, value in stream(header):
        match = _AS_WRITTEN.fullmatch(value.data, value.start, value.end)
        if match is not None:
            yield name, match[1].decode(), [int(dimension) for dimension in match[2].split(b",") if dimension]
        else:
            tensor = _decode(name, value)
            yield name, tensor.dtype, tensor.shape


def _decode(name: str, value: Value) -> Tensor:
    try:
        return decode(value, Tensor, "tensor")
    except JsonError as error:
        raise JsonError(f"{shown(name)}: {error}") from None


def _listed_files(tree: ModelTree, folder: str) -> list[str]:
    names = [entry.name for entry in tree.entries(folder) if entry.name.endswith(EXTENSION)]
    if not names:
        raise NoWeightsError
    return names


def _indexed_shards(tree: ModelTree, index: str) -> list[str]:
    """The distinct file names in the index's ``weight_map``, ordered."""
    try:
        return _shards(tree.read(index, _LONGEST_INDEX))
    except JsonError as error:
        raise UnreadableError(index, str(error)) from None


def _shards(index: bytes) -> list[str]:
    shard_of: dict[str, str] = {}
    known: dict[str, str] = {}
    for key, value in stream(index):
        if fold(key) != "weight_map":
            continue
        if value.kind == "null":
            shard_of.clear()
            continue
        for tensor, shard in _weight_map(value):
            shard_of[tensor] = known.setdefault(shard, shard)
            if len(shard_of) > _MOST_INDEXED_TENSORS:
                raise FactsError(
                    f"{INDEX} names more than {_MOST_INDEXED_TENSORS:,} tensors", hint="do not use this model"
                )
    if not shard_of:
        raise JsonError("weight_map is missing or empty")
    shards = set(shard_of.values())
    if "" in shards:
        raise JsonError("weight_map holds an empty file name")
    return sorted(shards)


def _weight_map(value: Value) -> Iterator[tuple[str, str]]:
    if value.kind != "an object":
        raise JsonError(f"weight_map is {value.kind}, expected an object ({value.where()})")
    for tensor, shard in value.members():
        if shard.kind == "null":
            yield tensor, ""
        elif shard.kind == "a text":
            yield tensor, shard.text()
        else:
            raise JsonError(f"weight_map of {shown(tensor)} is {shard.kind}, expected a file name ({shard.where()})")
