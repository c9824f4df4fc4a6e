"""Paths as continuous integration knows them: from the folder that the command runs in, with slashes."""

from __future__ import annotations

import os
from pathlib import Path


def from_here(path: str) -> str:
    """``path`` relative to the current folder where it lies below it; never with a leading ``./``."""
    relative = os.path.relpath(path) if Path(path).is_absolute() else os.path.normpath(path)
    return path if relative.startswith("..") else Path(relative).as_posix()
