"""What a model keeps in memory for every token that it has read: the dimensions of its KV cache.

OME does not look at these; engines allocate memory by them, so :mod:`omec.facts.fit` needs them. They are read from the
same ``config.json`` as everything else, leniently: what is missing or of another type leaves the cache unknown, and
never keeps a model from being read. The names of keys are those of the configurations of transformers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from omec.facts.config import NESTED_KEYS
from omec.facts.jsonscan import JsonError, Value
from omec.facts.jsontext import parse_lenient

_LAYERS = ("num_hidden_layers", "num_layers", "n_layers", "n_layer")
_HEADS = ("num_attention_heads", "n_heads", "n_head")
_KV_HEADS = ("num_key_value_heads", "multi_query_group_num", "num_kv_heads", "kv_n_heads")
_HEAD_SIZE = ("head_dim", "kv_channels", "attention_head_dim")
_HIDDEN = ("hidden_size", "d_model", "n_embd")

_LAYER_LISTS = ("layer_types", "layers_block_type")
_FULL_LAYERS = ("full_attention", "attention", "hybrid", "chunked_attention")
_WINDOWED_LAYERS = ("sliding_attention",)
_LAYER_PATTERN = "hybrid_override_pattern"
_ATTENTION_IN_PATTERN = "*"

_LARGEST = 1_000_000
"""No dimension of a published model is anywhere near; a larger number is an error or a trap."""


class Attention(msgspec.Struct, frozen=True):
    """The layers that keep keys and values, and how much each of them keeps for a token.

    ``layers`` keep all tokens, ``windowed_layers`` the last ``window``; layers of other sorts (Mamba, linear attention)
    keep nothing that grows. With ``latent`` (multi-head latent attention) a layer keeps that many numbers, else a key
    and a value of ``head_size`` numbers for each of ``kv_heads``. ``heads`` is what tensor parallelism divides.
    """

    layers: int
    heads: int
    kv_heads: int
    head_size: int
    latent: int = 0
    windowed_layers: int = 0
    window: int = 0

    @property
    def numbers_per_layer(self) -> int:
        """The numbers that one layer keeps for one token."""
        return self.latent or 2 * self.kv_heads * self.head_size

    def to_dict(self) -> dict[str, int]:
        """The dimensions as the lock file holds them; what is 0 is left out."""
        values = {
            "layers": self.layers,
            "heads": self.heads,
            "kvHeads": self.kv_heads,
            "headSize": self.head_size,
            "latent": self.latent,
            "windowedLayers": self.windowed_layers,
            "window": self.window,
        }
        return {name: value for name, value in values.items() if value}

    @classmethod
    def from_dict(cls, values: Mapping[str, int]) -> Attention:
        """The inverse of :meth:`to_dict`."""
        return cls(
            layers=values.get("layers", 0),
            heads=values.get("heads", 0),
            kv_heads=values.get("kvHeads", 0),
            head_size=values.get("headSize", 0),
            latent=values.get("latent", 0),
            windowed_layers=values.get("windowedLayers", 0),
            window=values.get("window", 0),
        )


def read_attention(data: bytes) -> Attention | None:
    """The dimensions that the ``config.json`` in ``data`` gives, ``None`` where it gives too little."""
    try:
        config = _Dimensions(parse_lenient(data))
    except JsonError:
        return None
    layers, heads = config.number(_LAYERS), config.number(_HEADS)
    head_size = config.number(_HEAD_SIZE) or (config.number(_HIDDEN) // heads if heads else 0)
    latent = _latent(config)
    if not (layers and heads and (head_size or latent)):
        return None
    full, windowed, window = _sorts_of_layers(config, layers)
    return Attention(
        layers=full,
        heads=heads,
        kv_heads=1 if latent else min(config.number(_KV_HEADS) or heads, heads),
        head_size=0 if latent else head_size,
        latent=latent,
        windowed_layers=windowed,
        window=window,
    )


def _latent(config: _Dimensions) -> int:
    """The compressed key and value of multi-head latent attention, with the part that carries the position."""
    rank = config.number(("kv_lora_rank",))
    return rank + config.number(("qk_rope_head_dim",)) if rank else 0


def _sorts_of_layers(config: _Dimensions, layers: int) -> tuple[int, int, int]:
    """How many layers keep everything, how many keep a window, and the window.

    Only where the configuration says which layer is of which sort: a ``sliding_window`` alone is taken by some engines
    and not by others, so it must not make the estimate smaller.
    """
    sorts = config.texts(_LAYER_LISTS) or config.pattern()
    window = config.number(("sliding_window",))
    if sorts:
        windowed = sum(sort in _WINDOWED_LAYERS for sort in sorts) if window else 0
        keeps_all = _FULL_LAYERS if window else (*_FULL_LAYERS, *_WINDOWED_LAYERS)
        return sum(sort in keeps_all for sort in sorts), windowed, window if windowed else 0
    step = config.number(("sliding_window_pattern",))
    if window and step > 1:  # every step-th layer keeps everything
        return layers // step, layers - layers // step, window
    return layers, 0, 0


class _Dimensions:
    """The numbers of a configuration: those of the language model first, which has the cache."""

    def __init__(self, document: Value) -> None:
        self._levels = [*_nested(document), _members(document)]

    def number(self, keys: Iterable[str]) -> int:
        """The first of ``keys`` that has a positive whole number of a likely size; 0 where none has."""
        for level in self._levels:
            for key in keys:
                if key in level and 0 < (number := _whole(level[key])) <= _LARGEST:
                    return number
        return 0

    def texts(self, keys: Iterable[str]) -> list[str]:
        """The first of ``keys`` that has a list of texts."""
        for level in self._levels:
            for key in keys:
                if key in level and level[key].kind == "a list":
                    items = list(level[key].items())
                    if items and all(item.kind == "a text" for item in items):
                        return [item.text() for item in items]
        return []

    def pattern(self) -> list[str]:
        """The sorts of layers of a Nemotron-H model, which has a letter for each."""
        for level in self._levels:
            if _LAYER_PATTERN in level and level[_LAYER_PATTERN].kind == "a text":
                letters = level[_LAYER_PATTERN].text()
                return ["attention" if letter == _ATTENTION_IN_PATTERN else "other" for letter in letters]
        return []


def _nested(document: Value) -> Iterable[dict[str, Value]]:
    members = _members(document)
    for key in (*NESTED_KEYS, "attn_config"):  # DBRX keeps its heads there
        if key in members and members[key].kind == "an object":
            yield _members(members[key])


def _members(value: Value) -> dict[str, Value]:
    return dict(value.members()) if value.kind == "an object" else {}


def _whole(value: Any) -> int:
    literal = value.literal
    return int(literal) if value.kind == "a number" and literal.isdigit() and len(literal) < 10 else 0
