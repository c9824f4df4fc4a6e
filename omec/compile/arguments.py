"""Command-line arguments that an accelerator class overrides (reference 04 §8.5, 03 §7.4).

A runner's ``args`` are either a list of words or, in the catalog's shell style, one element of many lines joined with
backslashes; both forms keep their shape.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

TENSOR_PARALLEL_FLAGS = ("--tp-size", "--tp", "--tensor-parallel-size")
PIPELINE_PARALLEL_FLAGS = ("--pp-size", "--pp", "--pipeline-parallel-size")

_LINE_JOIN = " \\\n"


def merge_arguments(base: Sequence[str], override: Sequence[str]) -> list[str]:
    """``base`` with the flags of ``override`` replaced in place and its new flags appended.

    A flag that occurs twice in ``base`` keeps only its last value, as in OME.
    """
    if not override:
        return list(base)
    if not base:
        return list(override)
    groups = _grouped(_words(base))
    groups.update(_grouped(_words(override)))
    merged = [word for group in groups.values() for word in group]
    return [_LINE_JOIN.join(merged)] if merged and _is_multiline(base[0]) else merged


def override_parameter(
    args: Sequence[str], command: Sequence[str], flags: Sequence[str], value: int
) -> tuple[list[str], list[str]]:
    """``args`` and ``command`` with the first of ``flags`` that is found set to ``value``; ``args`` are searched first.

    A flag that is found nowhere is not added.
    """
    for flag in flags:
        changed = (
            _set_in_text(args, flag, value) if args and _is_multiline(args[0]) else _set_in_words(args, flag, value)
        )
        if changed is not None:
            return changed, list(command)
    for flag in flags:
        changed = _set_in_words(command, flag, value)
        if changed is not None:
            return list(args), changed
    return list(args), list(command)


def _is_multiline(argument: str) -> bool:
    return "\n" in argument or "\\" in argument


def _words(arguments: Sequence[str]) -> list[str]:
    words: list[str] = []
    for argument in arguments:
        if _is_multiline(argument):
            words += (line.strip().rstrip("\\").strip() for line in argument.split("\n"))
        else:
            words.append(argument.strip())
    return [word for word in words if word]


def _grouped(words: list[str]) -> dict[str, list[str]]:
    """Each flag with its value, by flag name; the position of a repeated flag is that of its first occurrence."""
    groups: dict[str, list[str]] = {}
    index = 0
    while index < len(words):
        word = words[index]
        takes_value = "=" not in word and index + 1 < len(words) and not words[index + 1].startswith("-")
        groups[_flag_name(word)] = words[index : index + 1 + takes_value]
        index += 1 + takes_value
    return groups


def _flag_name(word: str) -> str:
    if not word.startswith("-"):
        return word
    return word.partition("=")[0] if "=" in word else word.split(maxsplit=1)[0]


def _set_in_text(args: Sequence[str], flag: str, value: int) -> list[str] | None:
    text, count = re.subn(rf"{re.escape(flag)}(?:=|[\t\n\f\r ]+)[0-9]+", f"{flag}={value}", args[0])
    return [text, *args[1:]] if count else None


def _set_in_words(words: Sequence[str], flag: str, value: int) -> list[str] | None:
    for index, word in enumerate(words):
        if word == flag and index + 1 < len(words):
            return [*words[: index + 1], str(value), *words[index + 2 :]]
        if word.startswith(f"{flag}="):
            return [*words[:index], f"{flag}={value}", *words[index + 1 :]]
    return None
