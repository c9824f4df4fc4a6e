"""The files that lint may write to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from omec.repo.encoding import decode
from omec.repo.yaml.problem import ProblemError


def on_disk(path: str, texts: Mapping[str, str]) -> str | None:
    """The text of the file, with its byte order mark, if it has one; ``None`` unless it is the one that was read.

    ``texts`` are the files as they were read, which may come from a Git revision or from a build.
    """
    read = texts.get(path)
    if read is None:
        return None  # What could not be read may be a device.
    try:
        data = Path(path).read_bytes()
        text = data.decode("utf-8")
        same = decode(data) == read
    except (OSError, UnicodeDecodeError, ProblemError):
        return None
    return text if same else None
