"""``weights-exceed-memory``: a model whose weights alone are more than the GPUs of its service hold.

Only what is certain counts: the weights as their files say, else the size of the model times the smallest precision
that it can have; every GPU of a replica; all of its memory, although no engine gets all of it. So a model that passes
here may still not fit (``omec fit`` works out how much it needs), but one that is reported never does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from omec.api.size import parse_size
from omec.finding import Rule, Severity
from omec.lint.commands import engines
from omec.lint.context import Context, Fault
from omec.lint.pods.memory import Device, device_memory
from omec.lint.pods.parallel import EngineOnGpus
from omec.lint.pods.view import Pod, Use
from omec.resolve.facts import as_text

RULE = Rule(
    "OME450",
    "weights-exceed-memory",
    Severity.ERROR,
    "The weights of a model are larger than the memory of the GPUs that serve it",
    why=(
        "An engine loads all weights into the memory of its GPUs before it serves anything. Where they are more than "
        "these have, it ends with an out-of-memory error at each start."
    ),
    fix="Use more GPUs, an accelerator with more memory, or a quantized model; `omec fit` shows how many it takes.",
    source="reference 03 §2; reference 08 §5",
    bad="""\
spec:
  storage: {storageUri: "hf://meta-llama/Llama-3.1-405B-Instruct", path: /models/llama-3-1-405b}
  modelFormat: {name: safetensors}
  modelParameterSize: 405B
  modelConfiguration: {torch_dtype: bfloat16}
""",
    good="""\
spec:
  storage: {storageUri: "hf://meta-llama/Llama-3.1-8B-Instruct", path: /models/llama-3-1-8b}
  modelFormat: {name: safetensors}
  modelParameterSize: 8B
  modelConfiguration: {torch_dtype: bfloat16}
""",
)

_LEAST = 0.5
"""Bytes of a parameter in the smallest usual precision, for a model that does not state its own."""
_HALF = {"float16": 2.0, "bfloat16": 2.0}
_QUANTIZED = re.compile(r"(?i)awq|gptq|fp8|fp4|int8|int4|w8a|w4a|bnb|gguf|[^a-z0-9]q[2-8]|quant|bit")


class Needed(NamedTuple):
    """The bytes of a model's weights, at least, and how they come about."""

    size: float
    arithmetic: str


def check(context: Context) -> Iterator[Fault]:
    for use in context.uses:
        for pod in () if use.model is None else context.pods_of(use):
            device = device_memory(context, pod) if pod.is_engine else None
            engine = None if device is None else pod.on_gpus
            if device is not None and engine is not None and engines.OFFLOAD not in engine.server.options:
                yield from _judge(use, pod, engine, device)


def _judge(use: Use, pod: Pod, engine: EngineOnGpus, device: Device) -> Iterator[Fault]:
    needed = None if use.model is None else _needed(use.model.spec, use.model.name)
    if needed is None or use.model is None:
        return
    each = needed.size / engine.gpus
    if each > device.size:
        message = (
            f"model {use.model.name} does not fit the {pod.name}: {needed.arithmetic} = {_gib(needed.size)} of weights "
            f"on {engine.describe} is {_gib(each)} each, and {device.name} has {_gib(device.size)}"
        )
        name = ("model", "name") if (use.service.spec.get("model") or {}).get("name") else ()
        yield Fault(use.service, ("spec", *name), message)


def _needed(spec: Mapping[str, Any], name: str) -> Needed | None:
    size = as_text(spec.get("modelParameterSize"))
    parameters = 0.0 if size is None else parse_size(size)
    if size is None or parameters <= 0:
        return None
    precision, number_bytes = _precision(spec, name)
    return Needed(parameters * number_bytes, f"{size} parameters x {number_bytes:g} bytes ({precision})")


def _precision(spec: Mapping[str, Any], name: str) -> tuple[str, float]:
    """The precision that the model has at least, and the bytes of a parameter in it."""
    from omec.facts.fit import BYTES_BY_QUANTIZATION, BYTES_BY_TYPE  # noqa: PLC0415 - few repositories get this far

    quantization = as_text(spec.get("quantization"))
    if quantization:
        return quantization, BYTES_BY_QUANTIZATION.get(quantization, _LEAST)
    configuration = spec.get("modelConfiguration")
    configuration = configuration if isinstance(configuration, dict) else {}
    dtype = configuration.get("torch_dtype") or configuration.get("dtype")
    uri = str((spec.get("storage") or {}).get("storageUri"))
    number_bytes = {**BYTES_BY_TYPE, **_HALF}.get(dtype) if isinstance(dtype, str) else None
    if isinstance(dtype, str) and number_bytes is not None and not _QUANTIZED.search(f"{name} {uri}"):
        return dtype, number_bytes
    return "4 bits, the least", _LEAST


def _gib(size: float) -> str:
    return f"{size / 2**30:.1f} GiB"
