"""The inference servers whose command lines omec understands: how they are started, and which options they take.

Sources: SGLang docs, advanced_features/server_arguments; vLLM docs, cli/serve (its parser reads ``_`` as ``-`` and, as
argparse does, takes beginnings of options); TensorRT-LLM docs, commands/trtllm-serve (click, which takes neither
beginnings nor ``-`` for ``_``; newer releases have both spellings).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple


class Engine(NamedTuple):
    """An inference server.

    ``options`` gives what each spelling of an option means; ``near`` are further options of the server which begin like
    those, so that a beginning is not taken for the wrong one. ``port`` and ``host`` are the defaults.
    """

    name: str
    options: Mapping[str, str]
    near: tuple[str, ...] = ()
    abbreviates: bool = False
    port: int = 8000
    host: str = "0.0.0.0"  # noqa: S104 - what the server listens on unless it is told otherwise


TENSOR, PIPELINE, DATA = "tensor parallelism", "pipeline parallelism", "data parallelism"
LOCAL_DATA, CONTEXT = "data parallelism of a pod", "prefill context parallelism"
HOST, PORT, MODEL, SERVED_NAME, CONFIG = "host", "port", "model", "served model name", "configuration file"
NODES, ATTENTION_DATA, REMOTE_CODE, OFFLOAD = "nodes", "data-parallel attention", "remote code", "offload"
OTHER, EXTERNAL = "other", "a part of a larger deployment"
FOREIGN = "an option of another server"

SGLANG = Engine(
    "SGLang",
    {
        "--attn-cp-size": OTHER,
        "--config": CONFIG,
        "--cpu-offload-gb": OFFLOAD,
        "--data-parallel-size": DATA,
        "--dp": DATA,
        "--dp-size": DATA,
        "--enable-dp-attention": ATTENTION_DATA,
        "--host": HOST,
        "--model": MODEL,
        "--model-path": MODEL,
        "--nnodes": NODES,
        "--num-gpus": OTHER,
        "--pipeline-parallel-size": PIPELINE,
        "--port": PORT,
        "--pp": PIPELINE,
        "--pp-size": PIPELINE,
        "--served-model-name": SERVED_NAME,
        "--tensor-parallel-size": TENSOR,
        "--tp": TENSOR,
        "--tp-size": TENSOR,
        "--trust-remote-code": REMOTE_CODE,
    },
    near=(
        "--cpu-offload-mode",
        "--data-parallel-address",
        "--dp-attention-local-control-broadcast",
        "--enable-dp-attention-local-control-broadcast",
        "--enable-dp-lm-head",
        "--model-checksum",
        "--model-config-parser",
        "--model-impl",
        "--model-loader-extra-config",
        "--pp-async-batch-depth",
        "--pp-max-micro-batch-size",
    ),
    abbreviates=True,
    port=30000,
    host="127.0.0.1",
)
VLLM = Engine(
    "vLLM",
    {
        "--config": CONFIG,
        "--cpu-offload-gb": OFFLOAD,
        "--data-parallel-address": OTHER,
        "--data-parallel-external-lb": EXTERNAL,
        "--data-parallel-hybrid-lb": EXTERNAL,
        "--data-parallel-rank": OTHER,
        "--data-parallel-size": DATA,
        "--data-parallel-size-local": LOCAL_DATA,
        "--data-parallel-start-rank": OTHER,
        "--headless": EXTERNAL,
        "--host": HOST,
        "--model": MODEL,
        "--nnodes": NODES,
        "--pipeline-parallel-size": PIPELINE,
        "--port": PORT,
        "--prefill-context-parallel-size": CONTEXT,
        "--served-model-name": SERVED_NAME,
        "--tensor-parallel-size": TENSOR,
        "--trust-remote-code": REMOTE_CODE,
        "-dp": DATA,
        "-dpa": OTHER,
        "-dpe": EXTERNAL,
        "-dph": EXTERNAL,
        "-dpl": LOCAL_DATA,
        "-dpn": OTHER,
        "-n": NODES,
        "-pcp": CONTEXT,
        "-pp": PIPELINE,
        "-tp": TENSOR,
    },
    near=(
        "--config-format",
        "--data-parallel-backend",
        "--data-parallel-rpc-port",
        "--hf-config-path",
        "--model-impl",
        "--model-loader-extra-config",
    ),
    abbreviates=True,
)
TENSORRT_LLM = Engine(
    "TensorRT-LLM",
    {
        "--config": CONFIG,
        "--extra_llm_api_options": CONFIG,
        "--host": HOST,
        "--pipeline_parallel_size": PIPELINE,
        "--port": PORT,
        "--pp_size": PIPELINE,
        "--tensor_parallel_size": TENSOR,
        "--tp_size": TENSOR,
        "--trust_remote_code": REMOTE_CODE,
    },
    host="localhost",
)
ROUTER = Engine(
    "the SGLang router",
    {"--host": HOST, "--port": PORT},
    near=("--host-", "--port-"),
    port=30000,
)

_BY_NAME = {engine.name: engine for engine in (SGLANG, VLLM, TENSORRT_LLM, ROUTER)}

_PARALLELISM = frozenset(
    {f"{dashes}{name}" for dashes in ("-", "--") for name in ("tp", "pp", "dp")}
    | {f"--{name}{mark}size" for name in ("tp", "pp", "dp") for mark in "-_"}
    | {f"--{name}_parallel_size" for name in ("tensor", "pipeline", "data")}
)
"""How the servers here spell parallelism; each knows only some of them."""

_FLAGS = frozenset({ATTENTION_DATA, EXTERNAL, REMOTE_CODE})
"""What needs no value."""


def meaning(engine: Engine, option: str) -> str | None:
    """What ``option`` (without its value) means to ``engine``; ``None`` for all that omec need not know."""
    return _meaning(engine.name, option)


@lru_cache(maxsize=4096)  # repositories repeat a few options in hundreds of command lines
def _meaning(name: str, option: str) -> str | None:
    engine = _BY_NAME[name]
    if engine is TENSORRT_LLM:
        option = "--" + option[2:].replace("-", "_") if option.startswith("--") else option
    elif engine is VLLM and option.startswith("--"):
        option = option.replace("_", "-")
    if option in engine.options:
        return engine.options[option]
    if engine.abbreviates and option.startswith("--") and len(option) > len("--"):
        found = {what for name, what in engine.options.items() if name.startswith(option)}
        if found:
            is_clear = len(found) == 1 and not any(name.startswith(option) for name in engine.near)
            return found.pop() if is_clear else None
    return FOREIGN if engine in (SGLANG, VLLM) and option in _PARALLELISM else None


def takes_value(what: str) -> bool:
    return what not in _FLAGS
