"""One writer at a time: two compiles into one folder would each find the other's half-written files."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of the output ``folder``; waits while another omec writes there.

    The lock is on the nearest folder that exists, and ends with the process, however that ends. Where the file system
    knows no locks, there is none.
    """
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:  # writing will say what is wrong
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
