"""Whether a model fits into the memory of accelerators, with the arithmetic shown.

An estimate: engines differ in what they need beside weights and cache. What it counts is what decides: the bytes of the
weights as they are stored, and the keys and values of every token that is to be held at the same time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from omec.facts.attention import Attention

GIB: Final = 2**30

UTILIZATION: Final = 0.9
"""The part of a GPU's memory that engines plan with; vLLM's default."""

RESERVE: Final = 2 * GIB
"""What activations, graphs and the context of the device take on each GPU."""

MOST_GPUS: Final = 1024

BYTES_BY_QUANTIZATION = {"fp8": 1.0, "fbgemm_fp8": 1.0, "int4": 0.5, "nvfp4": 0.5, "mxfp4": 0.5}
BYTES_BY_TYPE = {"float32": 4.0, "float": 4.0, "float64": 8.0, "int8": 1.0, "fp8": 1.0, "float8": 1.0}
_BYTES_OTHERWISE = 2.0

_COUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?)([KMBT]?)")
_SCALES = ("", "K", "M", "B", "T")


class Weights(msgspec.Struct, frozen=True):
    """The bytes of a model's weights by type; ``estimate`` says how they were worked out, where nobody saw them."""

    by_type: Mapping[str, int]
    estimate: str = ""

    @property
    def total(self) -> int:
        return sum(self.by_type.values())


class Cache(msgspec.Struct, frozen=True):
    """The keys and values of ``sequences`` of ``tokens`` each, at ``number_bytes`` a number."""

    attention: Attention
    tokens: int
    sequences: int
    number_bytes: int

    @property
    def total(self) -> int:
        attention = self.attention
        held = attention.layers * self.tokens + attention.windowed_layers * min(self.tokens, attention.window)
        return self.sequences * held * attention.numbers_per_layer * self.number_bytes


class Demand(msgspec.Struct, frozen=True):
    """What a model needs; ``cache`` is ``None`` where nobody knows its dimensions or the length of its context."""

    weights: Weights
    cache: Cache | None
    reserve: int = RESERVE

    @property
    def heads(self) -> int:
        return self.cache.attention.heads if self.cache else 0


class Share(msgspec.Struct, frozen=True):
    """What one of ``gpus`` has to hold: tensor parallelism over ``tensor`` of them, in ``stages`` of a pipeline."""

    gpus: int
    tensor: int
    stages: int
    weights: int
    cache: int
    reserve: int

    @property
    def total(self) -> int:
        return self.weights + self.cache + self.reserve

    def fits(self, usable: int) -> bool:
        return self.total <= usable


def share(demand: Demand, gpus: int) -> Share:
    """What each of ``gpus`` holds.

    Tensor parallelism divides the attention heads evenly, so the rest of the GPUs are stages of a pipeline. Weights
    are divided among all; a cache has no more parts a stage than the model has heads for keys and values.
    """
    tensor = next(n for n in range(gpus, 0, -1) if gpus % n == 0 and (not demand.heads or demand.heads % n == 0))
    stages = gpus // tensor
    parts = stages * min(tensor, demand.cache.attention.kv_heads) if demand.cache else 1
    cache = demand.cache.total if demand.cache else 0
    return Share(gpus, tensor, stages, _ceil(demand.weights.total, gpus), _ceil(cache, parts), demand.reserve)


def smallest(demand: Demand, usable: int) -> Share | None:
    """The share of the smallest number of GPUs that fits into ``usable`` bytes each: 1, 2, 4, 8, …"""
    return next((each for each in _shares(demand) if each.fits(usable)), None)


def weights_of(spec: Mapping[str, Any], stored: Mapping[str, int]) -> Weights | None:
    """The weights of a model with the filled ``spec``; from the size and precision where ``stored`` is empty.

    ``None`` where the spec gives no size either.
    """
    if stored:
        return Weights(dict(stored))
    size = spec.get("modelParameterSize")
    count = _parameters(size) if isinstance(size, str) else 0
    if not count:
        return None
    precision, number_bytes = _precision(spec)
    how = f"{size} parameters x {number_bytes:g} byte{'' if number_bytes == 1 else 's'} ({precision}), estimated"
    return Weights({precision: int(count * number_bytes)}, how)


def _shares(demand: Demand) -> Iterator[Share]:
    gpus = 1
    while gpus <= MOST_GPUS:
        yield share(demand, gpus)
        gpus *= 2


def _parameters(text: str) -> int:
    """The count that a size says; unlike OME, this reads ``K`` too."""
    written = _COUNT.fullmatch(text)
    return round(float(written[1]) * 1000 ** _SCALES.index(written[2])) if written else 0


def _precision(spec: Mapping[str, Any]) -> tuple[str, float]:
    """The precision that the spec suggests, and the bytes of a parameter in it."""
    quantization = spec.get("quantization")
    if isinstance(quantization, str) and quantization in BYTES_BY_QUANTIZATION:
        return quantization, BYTES_BY_QUANTIZATION[quantization]
    configuration = spec.get("modelConfiguration")
    dtype = configuration.get("torch_dtype") if isinstance(configuration, dict) else None
    if isinstance(dtype, str) and dtype:
        return dtype, BYTES_BY_TYPE.get(dtype.lower(), _BYTES_OTHERWISE)
    return "16 bit", _BYTES_OTHERWISE


def _ceil(amount: int, parts: int) -> int:
    return -(-amount // parts)
