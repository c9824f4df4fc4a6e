"""The file that holds the configuration: where it is, what it says, and on which line it says it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from omec.errors import OmecError
from omec.finding import FieldPath, Position
from omec.repo.config_rules import CONFIG_SYNTAX, CONFIG_UNREADABLE

FILE_NAME = "omec.toml"
PROJECT_FILE_NAME = "pyproject.toml"

_HEADER = re.compile(r"\s*\[(?P<array>\[)?\s*(?P<key>[^\[\]]+)\]{1,2}\s*(?:#.*)?")
_KEY = re.compile(r"""\s*(?P<key>(?:[\w.\- ]|"[^"]*"|'[^']*')+?)\s*=""")
_KEY_STEP = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*(?:\.|$)""")
_SYNTAX_POSITION = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


TextOf = Callable[[Path], str | None]


class SettingsFile:
    """A configuration file that was read: its settings, and the place of every key in it.

    ``prefix`` is the path of keys to the settings: ``("tool", "omec")`` in a ``pyproject.toml``.
    """

    def __init__(self, path: Path, content: str, prefix: FieldPath) -> None:
        self.path = path
        self._content = content
        self._prefix = prefix
        self.settings: Any = _parse(content, path)
        for step in prefix:
            self.settings = self.settings.get(step) if isinstance(self.settings, dict) else None

    def where(self, path: FieldPath) -> str:
        """``omec.toml:3:1: `` for the key at ``path``, or for its nearest parent that stands on a line of its own."""
        return f"{self.position(path)}: "

    def position(self, path: FieldPath) -> Position:
        """The place of the key at ``path``, as :meth:`where` has it."""
        positions = dict(_key_positions(self._content))
        full = (*self._prefix, *path)
        while full and full not in positions:
            full = full[:-1]
        return Position(shown(self.path), *(positions[full] if full else ()))


def find(start: Path, text_of: TextOf | None = None) -> SettingsFile | None:
    """The configuration that governs the folder ``start``: the nearest one upwards, not beyond the Git repository.

    In one folder ``omec.toml`` comes before a ``pyproject.toml``, which counts only with a table ``[tool.omec]``.
    ``text_of`` gives the content of a file, ``None`` where there is none; by default those on disk.
    """
    text_of = text_of or _text_on_disk
    for folder in (start, *start.parents):
        path = folder / FILE_NAME
        if (content := text_of(path)) is not None:
            return SettingsFile(path, content, ())
        path = folder / PROJECT_FILE_NAME
        if (content := text_of(path)) is not None and "omec" in content:
            found = SettingsFile(path, content, ("tool", "omec"))
            if found.settings is not None:
                return found
        if (folder / ".git").exists():
            break
    return None


def _text_on_disk(path: Path) -> str | None:
    if path.is_file():
        return _content(path)
    if path.name == FILE_NAME and os.path.lexists(path):
        # Going on without it would judge by other settings than those that somebody has put there.
        what = "a symbolic link that leads to no file" if path.is_symlink() else "no regular file"
        raise OmecError(f"{shown(path)} is {what}", hint="repair or remove it", code=CONFIG_UNREADABLE.code)
    return None


def read(path: Path) -> SettingsFile:
    """The file that the user names; raises :class:`OmecError` when it cannot be read or has no settings for omec."""
    if path.name != PROJECT_FILE_NAME:
        return SettingsFile(path, _content(path), ())
    found = SettingsFile(path, _content(path), ("tool", "omec"))
    if found.settings is None:
        raise OmecError(
            f"{shown(path)} has no table [tool.omec]", hint="add it, or name an omec.toml", code=CONFIG_UNREADABLE.code
        )
    return found


def shown(path: Path) -> str:
    """``path`` as messages name it: relative to the current folder where it lies below it."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise OmecError(
            f"{shown(path)} is not UTF-8 (byte {error.start})",
            hint="save it as UTF-8, as TOML requires",
            code=CONFIG_UNREADABLE.code,
        ) from None
    except OSError as error:
        raise OmecError(
            f"cannot read {shown(path)}: {error.strerror}",
            hint="check the path and its permissions",
            code=CONFIG_UNREADABLE.code,
        ) from None


def _parse(content: str, path: Path) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - a run without a configuration does not need it

    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        position = _SYNTAX_POSITION.search(message)
        place = ""
        if position is not None:
            message = message[: position.start()]
            place = ":{}:{}".format(*position.groups()) if position[1] else f":{content.count(chr(10)) + 1}:1"
        raise OmecError(
            f"{shown(path)}{place}: not valid TOML: {message[:1].lower()}{message[1:]}",
            hint="texts need quotes, lists brackets; see https://toml.io",
            code=CONFIG_SYNTAX.code,
        ) from None


def _key_positions(content: str) -> Iterator[tuple[FieldPath, tuple[int, int]]]:
    """The line and column of every table header and of every key at the start of a line.

    tomllib tells no positions. This reads only the first line of a statement itself and leaves it to tomllib where the
    statement ends, so that nothing inside a multi-line value is taken for a key.
    """
    lines = content.splitlines()
    table: FieldPath = ()
    lengths: dict[FieldPath, int] = {}
    number = 0
    while number < len(lines):
        line = lines[number]
        if header := _HEADER.fullmatch(line):
            table = _steps(header["key"])
            if header["array"]:
                lengths[table] = lengths.get(table, -1) + 1
                table = (*table, lengths[table])
            yield table, (number + 1, header.start("key") + 1)
        elif key := _KEY.match(line):
            yield (*table, *_steps(key["key"])), (number + 1, key.start("key") + 1)
            number = _last_line(lines, number)
        number += 1


def _steps(key: str) -> FieldPath:
    return tuple(next(filter(None, groups), "") for groups in _KEY_STEP.findall(key))


def _last_line(lines: list[str], first: int) -> int:
    """The line on which the statement that begins on line ``first`` ends."""
    import tomllib  # noqa: PLC0415

    for last in range(first, len(lines)):
        try:
            tomllib.loads("\n".join(lines[first : last + 1]))
        except tomllib.TOMLDecodeError:
            continue
        return last
    return first
