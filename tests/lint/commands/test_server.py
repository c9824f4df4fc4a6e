"""Which server a command line starts, and the parallelism that it is told (reference 09 C6)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.lint.commands import engines
from omec.lint.commands.parallelism import parallelism
from omec.lint.commands.server import Server, command_line

Container = dict[str, Any]

SGLANG = ["python3", "-m", "sglang.launch_server"]


def only(container: Container) -> Server:
    server = command_line(container).server
    assert server is not None
    return server


STARTS = {
    "the module of SGLang": ({"command": SGLANG}, "SGLang"),
    "with options of Python": ({"command": ["/usr/bin/python3.12", "-u", *SGLANG[1:]]}, "SGLang"),
    "sglang serve": ({"command": ["sglang", "serve"]}, "SGLang"),
    "the module of vLLM": ({"command": ["python3", "-m", "vllm.entrypoints.openai.api_server"]}, "vLLM"),
    "vllm serve": ({"command": ["vllm"], "args": ["serve", "m"]}, "vLLM"),
    "by the entry point of an image": ({"image": "docker.io/vllm/vllm-openai:v0.11", "args": ["--model=m"]}, "vLLM"),
    "by an image with a digest": ({"image": "vllm/vllm-openai@sha256:00", "args": ["--model=m"]}, "vLLM"),
    "an image's entry point replaced": ({"image": "vllm/vllm-openai:v1", "args": ["sh", "-c", "vllm serve"]}, "vLLM"),
    "TensorRT-LLM": ({"command": ["trtllm-serve", "m"]}, "TensorRT-LLM"),
    "TensorRT-LLM by MPI": ({"command": ["mpirun", "-n", "8", "trtllm-serve", "serve", "m"]}, "TensorRT-LLM"),
    "by exec in a shell": ({"command": ["sh", "-c", "exec vllm serve m"]}, "vLLM"),
    "after other commands": ({"command": ["bash", "-lc"], "args": ["ulimit -n 9\nnumactl -N 0 vllm serve m"]}, "vLLM"),
    "the arguments of a script": ({"command": ["sh", "-c", 'vllm "$@"', "x"], "args": ["serve", "m"]}, "vLLM"),
    "a router": ({"command": ["python3", "-m", "sglang_router.launch_router"]}, "the SGLang router"),
    "another program": ({"command": ["/app/server", "--tp", "8"]}, None),
    "another module": ({"command": ["python3", "-m", "http.server"]}, None),
    "a module that is missing": ({"command": ["python3", "-m"]}, None),
    "an unknown image": ({"image": "registry.example.com/engine:v1", "args": ["--tp", "8"]}, None),
    "two servers": ({"command": ["sh", "-c", "vllm serve a & vllm serve b"]}, None),
    "nothing": ({}, None),
}


@pytest.mark.parametrize(("container", "name"), STARTS.values(), ids=STARTS.keys())
def test_the_server_that_is_started(container: Container, name: str | None) -> None:
    server = command_line(container).server
    assert (None if server is None else server.engine.name) == name


def test_a_script_sees_its_arguments() -> None:
    server = only({"command": ["sh", "-c", 'vllm serve "$@"', "x"], "args": ["m", "-tp", "8"]})
    assert server.number(engines.TENSOR) == 8
    assert server.options[engines.TENSOR].at == ("args", 2)


SG, VL, TR = SGLANG, ["vllm", "serve", "m"], ["trtllm-serve", "m"]
PARALLELISM: dict[str, tuple[list[str], str | None]] = {
    "an equals sign": ([*SG, "--tp-size=8"], "TP 8"),
    "two words": ([*SG, "--tp", "8"], "TP 8"),
    "a long name": ([*SG, "--tensor-parallel-size", "8"], "TP 8"),
    "a beginning of it": ([*SG, "--tensor-par", "8"], "TP 8"),
    "the last one counts": ([*SG, "--tp", "4", "--tp-size=8"], "TP 8"),
    "tensor and pipeline": ([*SG, "--tp", "4", "--pp-size", "2"], "TP 4 x PP 2"),
    "data parallelism": ([*SG, "--tp", "2", "--dp", "4"], "TP 2 x DP 4"),
    "data-parallel attention": ([*SG, "--tp", "8", "--dp", "8", "--enable-dp-attention"], "TP 8"),
    "no value": ([*SG, "--tp"], None),
    "an open value": ([*SG, "--tp=$(TP)"], None),
    "OME's value": ([*SG, "--tp=$(PARALLELISM_SIZE)"], None),
    "not a number": ([*SG, "--tp=eight"], None),
    "one open of two": ([*SG, "--tp=8", "--pp=$PP"], None),
    "a single dash of vLLM": ([*VL, "-tp", "4", "-pp=2"], "TP 4 x PP 2"),
    "which SGLang has not": ([*SG, "-tp", "4"], None),
    "underscores of vLLM": ([*VL, "--tensor_parallel_size", "4"], "TP 4"),
    "which SGLang has not either": ([*SG, "--tensor_parallel_size", "4"], None),
    "a replica of its own": ([*VL, "-tp=2", "-dp=8", "-dpl=2"], "TP 2 x DP 2"),
    "one rank of several pods": ([*VL, "-tp=2", "-dp=8", "--data-parallel-rank", "3"], None),
    "behind a balancer": ([*VL, "-dp=8", "--data-parallel-external-lb"], None),
    "some ranks of several pods": ([*VL, "-dp=8", "-dpl=2", "--headless"], "DP 2"),
    "what begins alike": ([*VL, "--data-parallel-address", "10.0.0.1"], None),
    "an ambiguous beginning": ([*VL, "--data-parallel", "4"], None),
    "TensorRT-LLM": ([*TR, "--tp_size", "4", "--pp_size=2"], "TP 4 x PP 2"),
    "which takes no beginnings": ([*TR, "--tp", "4"], None),
    "two words in one string": ([*SG, "--tp 8"], None),
    "in a script": (["bash", "-c", "python3 -m sglang.launch_server \\\n --tp-size 8 \\\n --pp-size 2"], "TP 8 x PP 2"),
    "by a variable of a script": (["sh", "-c", "TP=8; vllm serve m --tensor-parallel-size $TP"], "TP 8"),
    "unknown to a script": (["sh", "-c", "vllm serve m -tp $TP"], None),
    "by a variable of env": ([*SG, "--tp=$(GPUS)"], "TP 4"),
    "which a script reads": (["sh", "-c", "vllm serve m -tp $GPUS"], "TP 4"),
}


@pytest.mark.parametrize(("command", "arithmetic"), PARALLELISM.values(), ids=PARALLELISM.keys())
def test_parallelism(command: list[str], arithmetic: str | None) -> None:
    told = parallelism(only({"command": command, "env": [{"name": "GPUS", "value": "4"}]}))
    assert (None if told is None else told.arithmetic) == arithmetic


def test_where_an_option_stands() -> None:
    server = only({"command": SGLANG, "args": ["--host", "0.0.0.0", "--tp=2", "--port", "80"]})
    assert server.options[engines.TENSOR].at == ("args", 2)
    assert server.options[engines.PORT].at == ("args", 4)


@pytest.mark.parametrize(
    ("words", "is_open"),
    [
        (["--port=80"], False),
        (["--port", "$(PORT)"], False),
        (["$(EXTRA_ARGS)"], False),
        (["--port=80", "$(EXTRA_ARGS)"], True),
        (["--config", "engine.yaml"], True),
    ],
)
def test_command_lines_that_hide_options(words: list[str], is_open: bool) -> None:
    assert only({"command": ["vllm", "serve", *words]}).open is is_open
