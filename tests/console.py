"""Commands and their output in Markdown: run what the documentation shows, and compare.

A block fenced as ``console`` holds commands (lines that begin with ``$ ``) and what each prints (stdout and stderr, in
order). The commands of one document run one after another in one scratch copy of the repository's examples.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block: its commands in order, each with the output that the document shows."""

    start: int
    end: int
    commands: tuple[tuple[str, str], ...]


def blocks(text: str) -> Iterator[Block]:
    """The ``console`` blocks of a Markdown text."""
    for match in _BLOCK.finditer(text):
        commands: list[tuple[str, str]] = []
        for line in match.group(1).splitlines(keepends=True):
            if line.startswith("$ "):
                commands.append((line[2:].rstrip("\n"), ""))
            elif commands:
                command, shown = commands[-1]
                commands[-1] = (command, shown + line)
            else:
                raise ValueError(f"output without a command: {line!r}")
        yield Block(match.start(1), match.end(1), tuple(commands))


def run(command: str, folder: Path) -> str:
    """What ``command`` prints in ``folder``, with the omec of this environment on PATH; never coloured."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "NO_COLOR": "1",
        "COLUMNS": "80",
    }
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return result.stdout


def rewritten(text: str, folder: Path) -> str:
    """``text`` with every command's output replaced by what it prints now."""
    result, done = [], 0
    for block in blocks(text):
        result.append(text[done : block.start])
        result += [f"$ {command}\n{run(command, folder)}" for command, _ in block.commands]
        done = block.end
    return "".join(result) + text[done:]
