"""Reading and writing ``omec.lock`` on disk."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from omec.errors import OmecError
from omec.facts.atomic import replace_file
from omec.facts.lock import Lock, parse_lock, render_lock
from omec.facts.rules import LOCK_UNREADABLE

LARGEST = 64 * 1024 * 1024


def read_lock(path: Path, shown: str | None = None) -> Lock:
    """The lock at ``path``, an empty one where there is no such file.

    ``shown`` is the path for messages. Raises :class:`OmecError` where the file cannot be read or is damaged.
    """
    name = shown or str(path)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        return Lock(path=name)
    except OSError as error:
        raise _failure(name, "read", error) from None
    if len(data) > LARGEST:
        raise OmecError(
            f"{name} has more than {LARGEST >> 20} MiB", hint=LOCK_UNREADABLE.remedy, code=LOCK_UNREADABLE.code
        )
    try:
        return parse_lock(data.decode("utf-8-sig"), name)
    except UnicodeDecodeError:
        raise OmecError(f"{name} is not UTF-8 text", hint=LOCK_UNREADABLE.remedy, code=LOCK_UNREADABLE.code) from None


def change_lock(path: Path, change: Callable[[Lock], Lock], shown: str | None = None) -> Lock:
    """Apply ``change`` to the lock at ``path`` as it is by now, and replace the file in one step.

    Another omec that writes the same file waits, so that neither loses what the other read. Nothing is written where
    the text stays the same, and no file is made for an empty lock.
    """
    name = shown or str(path)
    with _exclusively(path, name):
        before = read_lock(path, name)
        after = change(before)
        text = render_lock(after)
        unchanged = path.exists() and path.read_text(encoding="utf-8") == text
        if not unchanged and (after.models or path.exists()):
            try:
                replace_file(path, text.encode())
            except OSError as error:
                raise _failure(name, "written", error) from None
    return after


@contextlib.contextmanager
def _exclusively(path: Path, name: str) -> Iterator[None]:
    """Hold the folder of ``path`` against other processes of omec; released by the system if this one dies."""
    import fcntl  # noqa: PLC0415 - POSIX, and only for writing

    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise _failure(name, "written", error) from None
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _failure(name: str, verb: str, error: OSError) -> OmecError:
    reason = (error.strerror or str(error)).lower()
    return OmecError(
        f"{name} cannot be {verb}: {reason}", hint="repair the permissions or the path", code=LOCK_UNREADABLE.code
    )
