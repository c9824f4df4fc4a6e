"""``model_index.json``: what a diffusion pipeline is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from omec.facts.decode import decode
from omec.facts.int64 import INT64_MAX
from omec.facts.jsonscan import JsonError, Value
from omec.facts.jsontext import parse_lenient
from omec.facts.locate import CONFIG
from omec.facts.safetensors import NoWeightsError, WeightCount, count_folder
from omec.facts.tensors import TensorCounter
from omec.facts.tree import ModelTree, UnreadableError, join

_CLASS_KEYS = ("_class_name", "class_name", "className")
_TYPE_KEYS = (*_CLASS_KEYS, "type")
_LIBRARY_KEYS = ("_library", "library")
_VERSION_KEYS = ("_diffusers_version", "diffusers_version")

_PARTS = {
    "scheduler": "scheduler",
    "text_encoder": "textEncoder",
    "tokenizer": "tokenizer",
    "transformer": "transformer",
    "unet": "transformer",
    "vae": "vae",
}
"""The keys of the usual parts, in lower case, and the fields of ``spec.diffusionPipeline`` that they fill."""

_TEXT_ENCODER = "text_encoder"
TEXT_ENCODER_CONFIG = f"{_TEXT_ENCODER}/{CONFIG}"
_COUNTED_PARTS = (_TEXT_ENCODER, "transformer", "vae")
_OLD_TRANSFORMER = "unet"

Component = dict[str, str]
"""``library`` and ``type`` of one part of a pipeline; an empty one is left out."""


class NotAPipelineError(Exception):
    """A ``model_index.json`` that names neither a class nor a component."""


class TextEncoderConfig(msgspec.Struct):
    """The one field that is read of the text encoder's ``config.json``."""

    max_position_embeddings: int = 0


class Pipeline(msgspec.Struct, frozen=True):
    """A diffusion pipeline. ``parts`` are by field of ``spec.diffusionPipeline``, ``additional`` by key in the file."""

    class_name: str
    diffusers_version: str
    parts: Mapping[str, Component]
    additional: Mapping[str, Component]

    def spec(self) -> dict[str, object]:
        """``spec.diffusionPipeline``."""
        spec: dict[str, object] = {"className": self.class_name} if self.class_name else {}
        spec |= self.parts
        return spec | {"additionalComponents": dict(self.additional)} if self.additional else spec


def parse_pipeline(data: bytes) -> Pipeline:
    """The pipeline that ``data`` describes.

    Raises :class:`omec.facts.jsonscan.JsonError` where it is not a JSON object, and :class:`NotAPipelineError` where it
    holds nothing of a pipeline. Source: reference 08 §8.
    """
    members = _members(parse_lenient(data))
    components = {
        key: component
        for key, value in members.items()
        if not key.startswith("_") and (component := _component(value)) is not None
    }
    parts: dict[str, Component] = {}
    additional: dict[str, Component] = {}
    for key in sorted(components, key=_preference):
        if part := _PARTS.get(key.lower()):
            parts.setdefault(part, components[key])
        else:
            additional[key] = components[key]
    class_name = _first_text(members, _CLASS_KEYS)
    if not (class_name or parts or additional):
        raise NotAPipelineError
    return Pipeline(class_name, _first_text(members, _VERSION_KEYS), parts, dict(sorted(additional.items())))


def context_length(tree: ModelTree, folder: str, limit: int) -> int:
    """The context length of the text encoder beside the pipeline in ``folder``, 0 where its file does not say."""
    try:
        data = tree.read(join(folder, TEXT_ENCODER_CONFIG), limit)
        return decode(parse_lenient(data), TextEncoderConfig).max_position_embeddings
    except (UnreadableError, JsonError):
        return 0


def count_components(tree: ModelTree, folder: str, pipeline: Pipeline) -> WeightCount:
    """The parameters of the text encoder, the transformer and the VAE, and of additional components that can be read.

    Raises :class:`NoWeightsError` or :class:`omec.facts.tree.UnreadableError` where one of the three cannot be counted.
    """
    counts = [_count_component(tree, folder, _folder_of(tree, folder, part)) for part in _COUNTED_PARTS]
    for name in pipeline.additional:
        try:
            counts.append(_count_component(tree, folder, name))
        except (NoWeightsError, UnreadableError):
            continue
    total = sum(count.parameters for count in counts)
    if total > INT64_MAX:
        raise UnreadableError(folder, "the parameters of all components exceed 64 bits")
    stored: Counter[str] = Counter()
    for count in counts:
        stored.update(count.stored)
    return WeightCount(total, stored, tuple(file for count in counts for file in count.files))


def _folder_of(tree: ModelTree, folder: str, part: str) -> str:
    """Where ``part`` is; older pipelines call the transformer ``unet``."""
    if part != "transformer" or tree.exists(_config_of(folder, part)):
        return part
    return _OLD_TRANSFORMER if tree.exists(_config_of(folder, _OLD_TRANSFORMER)) else part


def _count_component(tree: ModelTree, folder: str, name: str) -> WeightCount:
    if not tree.exists(_config_of(folder, name)):
        raise NoWeightsError
    return count_folder(tree, join(folder, name), TensorCounter(None))


def _config_of(folder: str, name: str) -> str:
    return join(join(folder, name), CONFIG)


def _members(document: Value) -> dict[str, Value]:
    if document.kind == "null":
        return {}
    if document.kind != "an object":
        raise JsonError(f"the file is {document.kind}, expected an object ({document.where()})")
    return dict(document.members())


def _preference(key: str) -> tuple[bool, bool, str]:
    """Orders the keys of one part: OME leaves the choice to chance, omec prefers ``transformer`` and lower case."""
    return key.lower() == _OLD_TRANSFORMER, key != key.lower(), key


def _component(value: Value) -> Component | None:
    if value.kind == "a list":
        names = _texts(value)
        if not names:
            return None
        return _as_component("", names[0]) if len(names) == 1 else _as_component(names[0], names[1])
    if value.kind != "an object":
        return None
    members = dict(value.members())
    return _as_component(_first_text(members, _LIBRARY_KEYS), _first_text(members, _TYPE_KEYS)) or None


def _as_component(library: str, type_: str) -> Component:
    return {key: text for key, text in (("library", library), ("type", type_)) if text}


def _texts(value: Value) -> list[str]:
    """The items of a list of texts, ``null`` being an empty one; nothing if there is any other item."""
    items = list(value.items())
    if any(item.kind not in ("a text", "null") for item in items):
        return []
    return [item.text() if item.kind == "a text" else "" for item in items]


def _first_text(members: Mapping[str, Value], keys: Iterable[str]) -> str:
    values = (members[key].text() for key in keys if key in members and members[key].kind == "a text")
    return next((text for text in values if text), "")
