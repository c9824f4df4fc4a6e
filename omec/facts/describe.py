"""What the file that describes a model says, whichever of the two kinds of file it is."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

import msgspec

from omec.facts import diffusion
from omec.facts.attention import Attention, read_attention
from omec.facts.capability import Names
from omec.facts.config import ModelConfig, parse_config
from omec.facts.directory import IS_A_DIRECTORY
from omec.facts.display import printable
from omec.facts.errors import FactsError
from omec.facts.facts import NameAndVersion
from omec.facts.jsonscan import JsonError
from omec.facts.locate import MODEL_INDEX, find_config, find_model_index
from omec.facts.quantization import Quantization, from_embedded
from omec.facts.tree import ModelTree, UnreadableError

LONGEST_CONFIG = 8 * 1024 * 1024
"""Bytes read of a JSON file that is no safetensors index: many times the longest that any published model has."""

_SAFETENSORS = NameAndVersion("safetensors", "1.0.0")


class Description(msgspec.Struct, frozen=True):
    """A model as ``file`` (relative to the tree) describes it, before its weights are counted.

    Exactly one of ``config`` and ``pipeline`` is there. ``origins`` names the place of each fact by spec field.
    """

    file: str
    names: Names
    format: NameAndVersion
    framework: NameAndVersion
    context_length: int
    origins: Mapping[str, str]
    torch_dtype: str = ""
    transformers_version: str = ""
    quantization: Quantization | None = None
    config: ModelConfig | None = None
    pipeline: diffusion.Pipeline | None = None
    attention: Attention | None = None

    @property
    def folder(self) -> str:
        """Where the weights are: beside the file."""
        return posixpath.dirname(self.file)


def describe(tree: ModelTree, file: str | None = None) -> Description:
    """The description that OME would find, or ``file``; raises :class:`FactsError` where it is missing or corrupt."""
    if file is not None:
        is_pipeline = file.endswith(MODEL_INDEX)
        return _describe_pipeline(tree, file) if is_pipeline else _describe_transformers(tree, file)
    if (path := find_model_index(tree)) is not None:
        return _describe_pipeline(tree, path)
    if (path := find_config(tree)) is not None:
        return _describe_transformers(tree, path)
    reported = f"no model_index.json or config.json found in {tree.label}"
    raise FactsError(
        printable(reported), hint="name the directory that holds the model's config.json", reported=reported
    )


def _describe_transformers(tree: ModelTree, path: str) -> Description:
    data = _read(tree, path)
    shown, reported_path = printable(path), f"{tree.label}/{path}"
    try:
        config = parse_config(data)
        quantization = from_embedded(config.fields.quantization_config, shown)
    except JsonError as error:
        reported = f"failed to parse config JSON from '{reported_path}': {error}"
        raise _corrupt(tree, path, str(error), reported) from None
    fields = config.fields
    if not fields.model_type:
        reported = f"model_type field is missing or empty in config file '{reported_path}'"
        raise _corrupt(tree, path, "model_type is missing or empty, so nobody can tell what model it is", reported)
    context_length, context_key = config.context_length()
    version = fields.transformers_version or None
    origins = {
        "modelType": f"{shown}: model_type",
        "modelArchitecture": f"{shown}: {config.key('architectures')}",
        "modelFormat": shown,
        "modelFramework": f"{shown}: {config.key('transformers_version')}" if version else shown,
        "maxTokens": f"{shown}: {context_key}",
    }
    return Description(
        file=path,
        names=Names(fields.model_type, config.architecture, bool(config.vision_key), config.sound_is_null),
        format=_SAFETENSORS,
        framework=NameAndVersion("transformers", version),
        context_length=context_length,
        origins=origins,
        torch_dtype=fields.torch_dtype,
        transformers_version=fields.transformers_version,
        quantization=quantization,
        config=config,
        attention=read_attention(data),
    )


def _describe_pipeline(tree: ModelTree, path: str) -> Description:
    data = _read(tree, path)
    shown = printable(path)
    try:
        pipeline = diffusion.parse_pipeline(data)
    except JsonError as error:
        raise _corrupt(tree, path, str(error), f"parse model_index.json: {error}") from None
    except diffusion.NotAPipelineError:
        reported = "model_index.json did not contain diffusion pipeline metadata"
        raise _corrupt(tree, path, "it names neither the class of a pipeline nor any component", reported) from None
    library = NameAndVersion("diffusers", pipeline.diffusers_version)
    folder = posixpath.dirname(path)
    text_encoder = printable(posixpath.join(folder, diffusion.TEXT_ENCODER_CONFIG))
    places = dict.fromkeys(("modelType", "modelFormat", "modelFramework", "diffusionPipeline"), shown)
    return Description(
        file=path,
        names=Names("diffusers", pipeline.class_name, has_vision=True, pipeline_class=pipeline.class_name),
        format=library,
        framework=library,
        context_length=diffusion.context_length(tree, folder, LONGEST_CONFIG),
        origins=places | {"modelArchitecture": f"{shown}: class name", "maxTokens": text_encoder},
        pipeline=pipeline,
    )


def _read(tree: ModelTree, path: str) -> bytes:
    try:
        return tree.read(path, LONGEST_CONFIG)
    except UnreadableError as error:
        place = f"{tree.label}/{path}"
        verb = "read" if error.reason == IS_A_DIRECTORY else "open"
        reported = f"read model config {place}: {verb} {place}: {error.reason}"
        raise _corrupt(tree, path, error.reason, reported) from None


def _corrupt(tree: ModelTree, path: str, reason: str, reported: str) -> FactsError:
    place = f"{tree.label}/{path}"
    message = f"{printable(place)}: {reason}"
    hint = "correct the file, or download the model again"
    return FactsError(message, hint=hint, reported=f"parse {posixpath.basename(path)} at {place}: {reported}")
