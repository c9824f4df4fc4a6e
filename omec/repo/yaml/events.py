"""The stream of YAML events, from libyaml where PyYAML has it, else from PyYAML's own parser."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import yaml

if TYPE_CHECKING:
    from yaml.events import Event

NextEvent: TypeAlias = "Callable[[], Event]"


class PurePythonParser(yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser):
    """PyYAML's parser without the constructor, for interpreters that have no libyaml binding.

    It is about ten times slower, refuses a tab after a value, and lets two errors pass that libyaml finds (a tab as the
    indentation of a block scalar, halves of a surrogate pair).
    """

    def __init__(self, text: str) -> None:
        yaml.reader.Reader.__init__(self, text)
        yaml.scanner.Scanner.__init__(self)
        yaml.parser.Parser.__init__(self)


def _fastest_parser() -> Any:
    try:
        from yaml._yaml import CParser  # noqa: PLC0415  (absent on interpreters without the C extension)
    except ImportError:
        return PurePythonParser
    return CParser


Parser = _fastest_parser()


def events(text: str) -> NextEvent:
    """A function that returns the next event of ``text``; it raises ``yaml.YAMLError`` where the text is not YAML."""
    next_event: NextEvent = Parser(text).get_event
    return next_event
