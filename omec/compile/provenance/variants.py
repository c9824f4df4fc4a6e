"""Other values to try in the place of a value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

MARK = "zq7"
"""What is put into texts: no manifest has it, so where it comes out, the text went in."""

_AMOUNT = re.compile(r"(?P<number>\d+)(?P<rest>(?:\.\d+)?[A-Za-z]{0,2}|%)")
_SWITCHES = {"true": "false", "false": "true", "True": "False", "False": "True"}


def other_values(value: Any) -> Iterator[Any]:
    """Values of the same kind, the most telling first; none for an empty mapping or list, and for ``None``."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, *([value - 1] if value > 0 else []), value + 90)
    elif isinstance(value, float):
        yield value + 1.5
    elif isinstance(value, str):
        yield from _other_texts(value)


def _other_texts(value: str) -> Iterator[str]:
    if value in _SWITCHES:
        yield _SWITCHES[value]
    elif amount := _AMOUNT.fullmatch(value):
        number = int(amount["number"])
        yield from (f"{number + 1}{amount['rest']}", *([f"{number - 1}{amount['rest']}"] if number > 1 else []))
    elif value[:1] in "{[" and not value.startswith("{{"):
        yield from _other_json(value)
    yield value + MARK
    # A marked end can fall to a limit on length; of a text that is taken apart it is one part only.
    yield value[:1] + MARK + value[1:]


def has_parts(value: Any) -> bool:
    """Whether ``value`` is a text that OME may take apart, such as ``namespace/name`` or a URI."""
    return isinstance(value, str) and any(separator in value for separator in "/:,=")


def _other_json(value: str) -> Iterator[str]:
    """JSON in a text: with a marked text inside."""
    try:
        data = json.loads(value)
    except ValueError:
        return
    marked = json.dumps(data).replace('": "', f'": "{MARK}')
    if marked != json.dumps(data):
        yield marked
