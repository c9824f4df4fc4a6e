"""A Dockerfile as far as its tests need it: stages, and their instructions."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Stage:
    """``FROM image AS name`` with what follows: pairs of instruction and arguments, lines joined."""

    image: str
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def all(self, instruction: str) -> list[str]:
        return [arguments for word, arguments in self.steps if word == instruction]


def stages(path: Path) -> list[Stage]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    found: list[Stage] = []
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        word, _, arguments = line.strip().partition(" ")
        if word == "FROM":
            image, _, name = arguments.partition(" AS ")
            found.append(Stage(image, name))
        elif word:
            found[-1].steps.append((word, arguments))
    return found
