"""How a model's weights are quantized: the configuration that says so, and OME's name for it."""

from __future__ import annotations

import msgspec

from omec.facts.decode import decode
from omec.facts.jsontext import parse_lenient

# The white space of Go's strings.TrimSpace, which str.strip() without arguments exceeds.
_GO_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
_GO_SPACE += "\u2028\u2029\u202f\u205f\u3000"

_METHODS_WITH_BITS = ("gptq", "awq")

_EXACT_NAMES = {
    "fbgemm_fp8": "fbgemm_fp8",
    "nvfp4": "nvfp4",
    "mxfp4": "mxfp4",
    "compressed-tensors": "compressed-tensors",
    "compressed_tensors": "compressed-tensors",
}
_PARTS_OF_NAMES = (("int4", "int4"), ("w4a", "int4"), ("fp8", "fp8"))


class Quantization(msgspec.Struct, frozen=True):
    """A quantization that is known to be there: its algorithm's name and the modules it leaves alone.

    ``source`` is the place that says so. An empty ``algorithm`` still means a quantized model, whose calibration
    tensors are no parameters.
    """

    algorithm: str
    excluded_modules: tuple[str, ...] = ()
    source: str = ""


class EmbeddedConfig(msgspec.Struct):
    """``quantization_config`` of ``config.json``."""

    quant_method: str = ""
    quant_algo: str = ""
    bits: int = 0
    modules_to_not_convert: list[str] = msgspec.field(default_factory=list)
    ignore: list[str] = msgspec.field(default_factory=list)
    ignored_layers: list[str] = msgspec.field(default_factory=list)
    activation_scheme: str = ""
    fmt: str = ""
    weight_block_size: list[int] = msgspec.field(default_factory=list)


class StandaloneDetails(msgspec.Struct):
    """``quantization`` of ``hf_quant_config.json``."""

    quant_algo: str = ""
    group_size: int = 0
    kv_cache_quant_algo: str = ""
    exclude_modules: list[str] = msgspec.field(default_factory=list)


class StandaloneConfig(msgspec.Struct):
    """``hf_quant_config.json``, as NVIDIA ModelOpt writes it."""

    quant_method: str = ""
    quantization: StandaloneDetails = msgspec.field(default_factory=StandaloneDetails)


def parse_standalone(data: bytes, source: str) -> Quantization | None:
    """The quantization that ``hf_quant_config.json`` describes; an empty file describes none.

    Raises :class:`omec.facts.jsonscan.JsonError`. Source: reference 08 §6.1.
    """
    if not data:
        return None
    details = decode(parse_lenient(data), StandaloneConfig).quantization
    return Quantization(details.quant_algo, tuple(details.exclude_modules), f"{source}: quantization.quant_algo")


def from_embedded(config: EmbeddedConfig | None, source: str) -> Quantization | None:
    """The quantization that ``quantization_config`` describes, if it names an algorithm. Source: reference 08 §6.1."""
    if config is None:
        return None
    algorithm, key = _algorithm(config)
    excluded = config.modules_to_not_convert or config.ignore or config.ignored_layers
    return Quantization(algorithm, tuple(excluded), f"{source}: quantization_config.{key}") if algorithm else None


def quantization_name(algorithm: str) -> str:
    """``spec.quantization`` for an algorithm, empty where OME has no name for it. Source: reference 08 §6.2."""
    name = trim(algorithm).lower()
    if name in _EXACT_NAMES:
        return _EXACT_NAMES[name]
    return next((value for part, value in _PARTS_OF_NAMES if part in name), "")


def trim(text: str) -> str:
    """``text`` without the white space that Go trims."""
    return text.strip(_GO_SPACE)


def _algorithm(config: EmbeddedConfig) -> tuple[str, str]:
    """The algorithm and the key that named it; GPTQ and AWQ are methods, their algorithm takes the bits as well."""
    if algorithm := trim(config.quant_algo):
        return algorithm, "quant_algo"
    method = trim(config.quant_method)
    if config.bits > 0 and method in _METHODS_WITH_BITS:
        return f"INT{config.bits}_{method.upper()}", "bits"
    return method, "quant_method"
