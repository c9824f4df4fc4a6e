"""``config.json``: what a transformers model says about itself."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from omec.facts import estimate
from omec.facts.decode import decode
from omec.facts.jsonscan import JsonError, Value
from omec.facts.jsontext import parse_lenient
from omec.facts.quantization import EmbeddedConfig

NESTED_KEYS = ("text_config", "llm_config", "language_config")
"""Where multimodal models keep the configuration of their language model; the first that decodes is used."""

VISION_KEYS = ("vision_config", "mm_vision_tower", "image_token_id", "image_token_index", "img_processor")
"""A model that has one of these keys, whatever its value, sees images."""

SOUND_KEY = "sound_config"

_CONTEXT_KEYS = ("max_position_embeddings", "max_sequence_length", "max_seq_len", "seq_length", "model_max_length")
_EXPERT_KEYS = ("n_routed_experts", "num_local_experts", "num_experts")


class TransformersConfig(msgspec.Struct):
    """The fields of ``config.json`` that OME reads, in its types; zero and empty mean not given."""

    model_type: str = ""
    architectures: list[str] = msgspec.field(default_factory=list)
    torch_dtype: str = ""
    transformers_version: str = ""
    hidden_size: int = 0
    num_hidden_layers: int = 0
    num_attention_heads: int = 0
    intermediate_size: int = 0
    max_position_embeddings: int = 0
    max_sequence_length: int = 0
    max_seq_len: int = 0
    seq_length: int = 0
    model_max_length: int = 0
    vocab_size: int = 0
    n_routed_experts: int = 0
    n_shared_experts: int = 0
    moe_intermediate_size: int = 0
    quantization_config: EmbeddedConfig | None = None


class NestedConfig(msgspec.Struct):
    """The fields of a nested configuration that OME reads; a wrong type in any of them hides it altogether."""

    architectures: list[str] = msgspec.field(default_factory=list)
    hidden_size: int = 0
    num_hidden_layers: int = 0
    num_attention_heads: int = 0
    intermediate_size: int = 0
    max_position_embeddings: int = 0
    model_max_length: int = 0
    vocab_size: int = 0
    transformers_version: str = ""
    torch_dtype: str = ""
    dtype: str = ""
    n_routed_experts: int = 0
    num_local_experts: int = 0
    num_experts: int = 0
    n_shared_experts: int = 0
    moe_intermediate_size: int = 0


class TopLevelExperts(msgspec.Struct):
    """The names of the expert count that are read only when nothing else gave one."""

    num_local_experts: int = 0
    num_experts: int = 0


_COPIED = (
    "architectures",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "model_max_length",
    "vocab_size",
    "transformers_version",
    "n_shared_experts",
    "moe_intermediate_size",
)


class ModelConfig(msgspec.Struct, frozen=True):
    """A ``config.json`` with its nested configuration merged in.

    ``origins`` names, for each field that was not given at the top level, the key that it was taken from.
    """

    fields: TransformersConfig
    origins: dict[str, str]
    vision_key: str
    sound_is_null: bool

    @property
    def architecture(self) -> str:
        return self.fields.architectures[0] if self.fields.architectures else ""

    def context_length(self) -> tuple[int, str]:
        """The longest context and the key that gave it; 0 where no key does. Source: reference 08 §2.1."""
        lengths = ((getattr(self.fields, key), self.key(key)) for key in _CONTEXT_KEYS)
        return next(((length, key) for length, key in lengths if length > 0), (0, ""))

    def estimated_parameters(self) -> int:
        """The count that the dimensions suggest, 0 where they are not given. Source: reference 08 §5.4."""
        fields = self.fields
        if fields.hidden_size <= 0 or fields.num_hidden_layers <= 0:
            return 0
        if fields.n_routed_experts <= 0:
            return estimate.dense(fields.hidden_size, fields.num_hidden_layers, fields.vocab_size)
        return estimate.mixture_of_experts(
            fields.hidden_size,
            fields.num_hidden_layers,
            fields.vocab_size,
            intermediate=fields.intermediate_size,
            expert_intermediate=fields.moe_intermediate_size,
            experts=fields.n_routed_experts,
            shared=fields.n_shared_experts,
        )

    def key(self, name: str) -> str:
        """The key in the file that gave the field ``name``."""
        return self.origins.get(name, name)


def parse_config(data: bytes) -> ModelConfig:
    """The configuration in ``data``.

    Raises :class:`omec.facts.jsonscan.JsonError` where it is not JSON or a field that OME reads has the wrong type.
    Source: reference 08 §2 and §3.
    """
    document = parse_lenient(data)
    fields = decode(document, TransformersConfig)
    members = _exact_members(document)
    origins: dict[str, str] = {}
    nested = _nested_config(members)
    if nested is not None:
        _merge(fields, *nested, origins)
    if fields.n_routed_experts == 0:
        fields.n_routed_experts = _top_level_experts(document)
    sound = members.get(SOUND_KEY)
    return ModelConfig(
        fields,
        origins,
        vision_key=next((key for key in VISION_KEYS if key in members), ""),
        sound_is_null=sound is not None and sound.kind == "null",
    )


def _exact_members(document: Value) -> dict[str, Value]:
    """The members whose keys OME compares letter by letter; the last of duplicates."""
    if document.kind != "an object":
        return {}
    wanted = {*NESTED_KEYS, *VISION_KEYS, SOUND_KEY}
    return {key: value for key, value in document.members() if key in wanted}


def _nested_config(members: dict[str, Value]) -> tuple[str, NestedConfig] | None:
    for key in NESTED_KEYS:
        if key in members:
            try:
                return key, decode(members[key], NestedConfig, key)
            except JsonError:
                continue
    return None


def _merge(fields: TransformersConfig, key: str, nested: NestedConfig, origins: dict[str, str]) -> None:
    """Fill what ``fields`` lacks from ``nested``, which stands under ``key``."""
    for name, source, value in _offers(nested):
        if value and not getattr(fields, name):
            setattr(fields, name, value)
            origins[name] = f"{key}.{source}"


def _offers(nested: NestedConfig) -> Iterator[tuple[str, str, object]]:
    """What ``nested`` offers: the field to fill, the key that gives it, the value; the first offer is taken."""
    for name in _COPIED:
        yield name, name, getattr(nested, name)
    yield "torch_dtype", "torch_dtype", nested.torch_dtype
    yield "torch_dtype", "dtype", nested.dtype
    for key in _EXPERT_KEYS:
        count = getattr(nested, key)
        yield "n_routed_experts", key, max(count, 0)


def _top_level_experts(document: Value) -> int:
    """The expert count under the names that ``TransformersConfig`` lacks; a wrong type in either hides both."""
    try:
        experts = decode(document, TopLevelExperts)
    except JsonError:
        return 0
    return next((count for count in (experts.num_local_experts, experts.num_experts) if count > 0), 0)
