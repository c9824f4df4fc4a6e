"""Faults of the text itself, which no plain value shows: indentation, keys twice, tabs, and the rest of YAML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import yaml

import omec
from tests.mutants.world import World

Damage = Callable[[str, Random], str | bytes | None]
"""Makes a broken text of a good one, ``None`` where it cannot."""


@dataclass(frozen=True)
class TextFault:
    name: str
    rules: tuple[str, ...]
    damage: Damage


TEXT_FAULTS: list[TextFault] = []


def damages(*rules: str) -> Callable[[Damage], Damage]:
    """Register a function as a fault that ``rules`` find."""

    def register(damage: Damage) -> Damage:
        TEXT_FAULTS.append(TextFault(damage.__name__, rules, damage))
        return damage

    return register


def text_of(world: World) -> str:
    """The objects of the world as one file."""
    return yaml.safe_dump_all(world.objects, sort_keys=False, allow_unicode=True, width=1000)


def found_in(text: str | bytes, folder: Path, world: World) -> set[str]:
    """The codes of the findings about a file of this text."""
    (folder / "all.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
    repo = omec.open(folder, config={**world.config, "lint": {"select": ["ALL"], "ignore": ["OME934"]}})
    return {finding.rule.code for finding in repo.lint().findings}


def _line(text: str, rng: Random, pattern: str) -> tuple[list[str], int] | None:
    """The lines, and the number of one that matches."""
    lines = text.splitlines(keepends=True)
    fitting = [number for number, line in enumerate(lines) if re.search(pattern, line)]
    return (lines, rng.choice(fitting)) if fitting else None


def _changed(found: tuple[list[str], int] | None, change: Callable[[str], str]) -> str | None:
    if found is None:
        return None
    lines, number = found
    lines[number] = change(lines[number])
    return "".join(lines)


@damages("OME101")
def tab_for_spaces(text: str, rng: Random) -> str | None:
    return _changed(_line(text, rng, r"^  +\w+:"), lambda line: "\t" + line.lstrip(" "))


@damages("OME101", "OME120", "OME122", "OME123", "OME115", "OME102")
def key_one_space_off(text: str, rng: Random) -> str | None:
    return _changed(_line(text, rng, r"^    +\w+: \w"), lambda line: rng.choice([line[1:], " " + line]))


@damages("OME101")
def quote_left_open(text: str, rng: Random) -> str | None:
    return _changed(_line(text, rng, r": [a-z]\w+$"), lambda line: re.sub(r": ", ': "', line))


@damages("OME101")
def bracket_left_open(text: str, rng: Random) -> str | None:
    return _changed(_line(text, rng, r": [a-z]\w+$"), lambda line: re.sub(r": ", ": [", line))


@damages("OME102")
def key_twice(text: str, rng: Random) -> str | None:
    return _changed(_line(text, rng, r"^  +\w+: \w"), lambda line: line + line)


@damages("OME115", "OME101", "OME118", "OME122")
def colon_without_a_space(text: str, rng: Random) -> str | None:
    return _changed(_line(text, rng, r"^  +\w+: \w"), lambda line: line.replace(": ", ":", 1))


@damages("OME101", "OME118", "OME122")
def colon_left_out(text: str, rng: Random) -> str | None:
    return _changed(_line(text, rng, r"^\w+:$"), lambda line: line.replace(":", ""))


@damages("OME101", "OME122", "OME120")
def merge_conflict(text: str, rng: Random) -> str | None:
    def conflict(line: str) -> str:
        return f"<<<<<<< HEAD\n{line}=======\n{line}>>>>>>> feature\n"

    return _changed(_line(text, rng, r"^  +\w+: \w"), conflict)


@damages("OME103")
def another_encoding(text: str, rng: Random) -> bytes | None:
    return f"# Größe\n{text}".encode("latin-1", errors="replace")


@damages("OME110")
def alias_of_nothing(text: str, rng: Random) -> str | None:
    return _changed(_line(text, rng, r": [a-z]\w+$"), lambda line: re.sub(r": .*", ": *missing", line))


@damages("OME109", "OME108")
def tag_of_another_program(text: str, rng: Random) -> str | None:
    tag = rng.choice(["!secret", "!include", "!Ref"])
    return _changed(_line(text, rng, r": [a-z]\w+$"), lambda line: line.replace(": ", f": {tag} ", 1))


@damages("OME122", "OME144")
def quotes_left_out(text: str, rng: Random) -> str | None:
    """A number among the annotations."""
    return _changed(_line(text, rng, r"^  name: "), lambda line: f"  annotations:\n    example.com/limit: 3\n{line}")


@damages("OME102", "OME180", "OME101", "OME120")
def separator_left_out(text: str, rng: Random) -> str | None:
    """Two objects run into each other."""
    return _changed(_line(text, rng, r"^---$"), lambda line: "")


@damages("OME116", "OME101")
def end_too_early(text: str, rng: Random) -> str | None:
    return _changed(_line(text, rng, r"^spec:$"), lambda line: f"...\n{line}")


@damages("OME114", "OME118")
def mark_before_the_first_key(text: str, rng: Random) -> str | None:
    return _changed(_line(text, rng, r"^kind: "), lambda line: "\u200b" + line)


def broken_texts(
    fault: TextFault, worlds: Sequence[World], seed: int, limit: int
) -> Iterator[tuple[World, str | bytes]]:
    """At most ``limit`` broken texts, each of another world."""
    rng = Random(f"{seed} {fault.name}")
    for world in rng.sample(worlds, len(worlds)):
        if limit and world.is_sound and (broken := fault.damage(text_of(world), rng)) is not None:
            limit -= 1
            yield world, broken
