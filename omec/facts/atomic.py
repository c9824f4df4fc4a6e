"""Replacing a file in one step."""

from __future__ import annotations

import os
from pathlib import Path

from omec.errors import OmecError


def write_file(path: Path, content: bytes) -> None:
    """As :func:`replace_file`, for a file that a user has asked for; raises :class:`OmecError`."""
    try:
        replace_file(path, content)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OmecError(
            f"cannot write {path}: {reason}", hint="check the folder and its permissions", code="OME001"
        ) from None


def replace_file(path: Path, content: bytes) -> None:
    """Give ``path`` a new content: whoever reads sees the old file or the new one, also after a power failure.

    The mode of the file is kept, and where it is a link, the file behind it is replaced. What is no file (a device, or
    a pipe) is written to, never replaced. Raises ``OSError``.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as sink:
            sink.write(content)
        return
    temporary = target.with_name(f".{target.name}.{os.getpid()}.omec-tmp")
    try:
        with temporary.open("xb") as file:
            if target.exists():
                os.fchmod(file.fileno(), target.stat().st_mode & 0o777)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
