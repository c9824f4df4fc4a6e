"""Read and change the options in the command line of a runner, in the form that it has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Object = dict[str, Any]
PORT = ("--port",)
HOST = ("--host",)
TENSOR = ("--tp-size", "--tp", "--tensor-parallel-size", "-tp", "--tensor-parallelism")
MODEL = ("--model-path", "--model")


def _lists(runner: Object) -> Iterator[list[str]]:
    for field in ("command", "args"):
        if isinstance(runner.get(field), list):
            yield runner[field]


def text(runner: Object) -> str:
    return " ".join(str(word) for words in _lists(runner) for word in words)


def is_shell(runner: Object) -> bool:
    """Whether a script is run, whose words are not items of a list."""
    return any(" " in str(word) and "\n" in str(word) for words in _lists(runner) for word in words) or any(
        word in ("-c", "-lc") for words in _lists(runner) for word in words
    )


def option(runner: Object, names: tuple[str, ...]) -> str | None:
    """The value of the option, under any of its names."""
    for words in _lists(runner):
        for i, word in enumerate(words):
            if word in names and i + 1 < len(words):
                return words[i + 1]
            if word.partition("=")[0] in names and "=" in word:
                return word.partition("=")[2]
    return None


def set_option(runner: Object, names: tuple[str, ...], value: str) -> bool:
    """Give the option another value; ``False`` where it is not there."""
    for words in _lists(runner):
        for i, word in enumerate(words):
            if word in names and i + 1 < len(words):
                words[i + 1] = value
                return True
            if word.partition("=")[0] in names and "=" in word:
                words[i] = f"{word.partition('=')[0]}={value}"
                return True
    return False


def drop_option(runner: Object, names: tuple[str, ...]) -> bool:
    """Take the option out; ``False`` where it is not there."""
    for words in _lists(runner):
        for i, word in enumerate(words):
            if word in names:
                del words[i : i + 2]
                return True
            if word.partition("=")[0] in names and "=" in word:
                del words[i]
                return True
    return False


def add(runner: Object, *words: str) -> None:
    """Append words to the command line."""
    runner.setdefault("args" if "args" in runner or "command" not in runner else "command", []).extend(words)


def gpus(runner: Object) -> int:
    limits = (runner.get("resources") or {}).get("limits") or {}
    return int(limits.get("nvidia.com/gpu", limits.get("amd.com/gpu", 0)))


def engine(runner: Object) -> str:
    """``sglang``, ``vllm`` or the empty text."""
    words = text(runner)
    if "sglang.launch_server" in words:
        return "sglang"
    return "vllm" if "vllm.entrypoints" in words or "vllm serve" in words or "vllm" in str(runner.get("image")) else ""
