"""Arguments overridden by an accelerator class (reference 04 §24.2, 03 §7.4)."""

from __future__ import annotations

import pytest

from omec.compile.arguments import (
    PIPELINE_PARALLEL_FLAGS,
    TENSOR_PARALLEL_FLAGS,
    merge_arguments,
    override_parameter,
)


def lines(*words: str) -> str:
    return " \\\n".join(words)


@pytest.mark.parametrize(
    ("base", "override", "merged"),
    [
        (["--tp-size=4", "--port=8080"], ["--tp-size=8"], ["--tp-size=8", "--port=8080"]),
        (["--tp-size=4", "--port=8080"], ["--host=0.0.0.0"], ["--tp-size=4", "--port=8080", "--host=0.0.0.0"]),
        (["--tp-size", "4", "--port", "8080"], ["--tp-size", "8"], ["--tp-size", "8", "--port", "8080"]),
        (
            ["--tp-size=4", "--port", "8080"],
            ["--tp-size=8", "--host=0.0.0.0"],
            ["--tp-size=8", "--port", "8080", "--host=0.0.0.0"],
        ),
        (
            ["python3 -m s \\\n--host=h \\\n--tp-size=4"],
            ["--tp-size=8", "--x"],
            [lines("python3 -m s", "--host=h", "--tp-size=8", "--x")],
        ),
        (["--Enable-Metrics"], ["--enable-metrics"], ["--Enable-Metrics", "--enable-metrics"]),
        (["python3", "-m", "s", "--port=8080"], ["--debug"], ["python3", "-m", "s", "--port=8080", "--debug"]),
        (["python3 -m server"], ["--debug"], ["python3 -m server", "--debug"]),
        ([], ["--tp-size=4"], ["--tp-size=4"]),
        (["x"], [], ["x"]),
        ([], [], []),
        (
            ["python3 -m s \\\n--host=0.0.0.0"],
            ["--tp-size=4", "--pp-size=2"],
            [lines("python3 -m s", "--host=0.0.0.0", "--tp-size=4", "--pp-size=2")],
        ),
        (["python3 -m s\n--port=8080"], ["--tp-size=4"], [lines("python3 -m s", "--port=8080", "--tp-size=4")]),
        (["s \\\n--tp-size 4 \\\n--port 8080"], ["--tp-size 8"], [lines("s", "--tp-size 8", "--port 8080")]),
        (["s \\\n--port=8080"], ["  --tp-size=4  "], [lines("s", "--port=8080", "--tp-size=4")]),
        (["s \\\n--Enable-Metrics"], ["--enable-metrics"], [lines("s", "--Enable-Metrics", "--enable-metrics")]),
        (["--lora=a", "--lora=b"], ["--x"], ["--lora=b", "--x"]),
        (["--tp-size=4"], ["--tp-size", "8"], ["--tp-size", "8"]),
        (
            ["--tp-size=4", "--pp-size=2", "--port=8080"],
            ["--tp-size=8", "--pp-size=4", "--debug"],
            ["--tp-size=8", "--pp-size=4", "--port=8080", "--debug"],
        ),
        (["--lora", "a", "--lora", "b", "--x"], ["--y"], ["--lora", "b", "--x", "--y"]),
        (["--x", "-1", "--z"], ["--x", "5"], ["--x", "5", "-1", "--z"]),
        (["--tp-size 4", "serve"], ["--tp-size=8"], ["--tp-size=8"]),
        (["--re=a\\d", "--x=1"], ["--x=2"], ["--re=a\\d \\\n--x=2"]),
        (["--json", '{"a":"b=c"}'], ["--json", "{}"], ["--json", "{}"]),
        (["\n"], [" "], []),
    ],
)
def test_merge_arguments(base: list[str], override: list[str], merged: list[str]) -> None:
    assert merge_arguments(base, override) == merged


@pytest.mark.parametrize(
    ("args", "command", "expected"),
    [
        (["--tp-size=4", "--port=8080"], [], (["--tp-size=8", "--port=8080"], [])),
        (["--tp-size", "4"], [], (["--tp-size", "8"], [])),
        (["--tp", "4"], [], (["--tp", "8"], [])),
        (["--tensor-parallel-size=4"], [], (["--tensor-parallel-size=8"], [])),
        (["--port=8080", "--tp-size"], [], (["--port=8080", "--tp-size"], [])),
        (["s \\\n--tp-size 4"], [], (["s \\\n--tp-size=8"], [])),
        (["--port=1"], ["python3", "--tp-size=4"], (["--port=1"], ["python3", "--tp-size=8"])),
        (["--port=1"], ["python3", "--tp-size", "4"], (["--port=1"], ["python3", "--tp-size", "8"])),
        (["--port=1"], ["python3"], (["--port=1"], ["python3"])),
        (["--tp=2"], ["--tp-size=4"], (["--tp=8"], ["--tp-size=4"])),
        (["--tp-size=2", "--tp=3"], [], (["--tp-size=8", "--tp=3"], [])),
        (["--tp-size", "--port=1"], [], (["--tp-size", "8"], [])),
        (["run \\\n--tp-size={{.X}}"], [], (["run \\\n--tp-size={{.X}}"], [])),
    ],
)
def test_override_tensor_parallel_size(
    args: list[str], command: list[str], expected: tuple[list[str], list[str]]
) -> None:
    assert override_parameter(args, command, TENSOR_PARALLEL_FLAGS, 8) == expected


def test_example_of_the_docs() -> None:
    args = merge_arguments(["--tp-size=8", "--pp-size=1", "--mem-frac=0.9"], ["--mem-frac=0.85"])
    args, _ = override_parameter(args, [], TENSOR_PARALLEL_FLAGS, 4)
    args, _ = override_parameter(args, [], PIPELINE_PARALLEL_FLAGS, 2)
    assert args == ["--tp-size=4", "--pp-size=2", "--mem-frac=0.85"]
