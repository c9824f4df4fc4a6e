"""Printing a value in one of the machine formats."""

from __future__ import annotations

import json
from typing import Any

from omec.cli.console import out
from omec.lint.formats.json import dumps


def print_value(value: Any, format_: str) -> None:
    """Write ``value`` to stdout as ``json`` (indented), ``jsonl`` (one line) or ``yaml`` (as kubectl prints it)."""
    if format_ == "json":
        out(dumps(value))
    elif format_ == "jsonl":
        out(json.dumps(value, ensure_ascii=False) + "\n")
    else:
        from omec.repo.yaml import dump  # noqa: PLC0415

        out(dump(value))
