"""The folder that entries of the cache are kept in.

Nothing here fails: a folder that cannot be read or written, is full or damaged is as good as none. Entries are written
beside their place and moved into it, so that runs at the same time see whole entries only.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MAX_BYTES = 256 * 2**20
"""How much all entries together may take; what has not been used for longest goes first."""

_ABANDONED_SECONDS = 3600
_TEMPORARY = ".new-"
_TAG = "CACHEDIR.TAG"
_TAG_TEXT = "Signature: 8a477f597d28d172789f06886806bc55\n# A cache of omec: it may be deleted at any time.\n"
"""See https://bford.info/cachedir: backups leave the folder out."""


def default_folder() -> Path | None:
    """Where the cache is, ``None`` where there is none.

    ``OMEC_CACHE_DIR`` names the folder, else it is ``omec`` in the user's folder for caches (XDG Base Directory
    Specification, where a relative path is invalid). A home that does not exist is not made. ``OMEC_NO_CACHE`` turns
    the cache off.
    """
    if os.environ.get("OMEC_NO_CACHE"):
        return None
    if named := os.environ.get("OMEC_CACHE_DIR"):
        return Path(os.path.abspath(named))  # noqa: PTH100 - links stay as the user wrote them
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):  # noqa: PTH117
        return Path(base, "omec")
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is none
    return Path(home, ".cache", "omec") if os.path.isabs(home) and os.path.isdir(home) else None  # noqa: PTH112, PTH117


class CacheFolder:
    """Entries by their keys. An entry is kept behind a line with its digest, which tells a damaged one."""

    def __init__(self, path: Path, max_bytes: int = MAX_BYTES) -> None:
        self._top = path
        self._path = path / "lint"
        self._max_bytes = max_bytes

    def get(self, key: str) -> bytes | None:
        """The entry, ``None`` where there is no sound one."""
        path = self._path / key
        try:
            digest, _, content = path.read_bytes().partition(b"\n")
        except OSError:
            return None
        if digest != _digest(key, content):
            return None
        with suppress(OSError):
            os.utime(path)  # used just now
        return content

    def put(self, key: str, content: bytes) -> None:
        """Keep the entry, unless it is too large; makes room for it."""
        if len(content) > self._max_bytes // 4:
            return
        with suppress(OSError):
            self._prepare()
            _write(self._path, key, b"%s\n%s" % (_digest(key, content), content))
            self._prune()

    def _prepare(self) -> None:
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError), (self._top / _TAG).open("x", encoding="utf-8") as tag:
            tag.write(_TAG_TEXT)

    def _prune(self) -> None:
        """Remove what was left behind by runs that were ended, and the oldest entries where there are too many."""
        kept = [*self._entries()]
        total = sum(size for _, size, _ in kept)
        for _, size, path in sorted(kept):
            if total <= self._max_bytes:
                return
            _remove(path)
            total -= size

    def _entries(self) -> Iterator[tuple[float, int, str]]:
        """When each entry was used last, its size and its path."""
        with os.scandir(self._path) as found:
            for file in found:
                with suppress(OSError):  # another run removes entries, too
                    status = file.stat(follow_symlinks=False)
                    if not file.name.startswith(_TEMPORARY):
                        yield status.st_mtime, status.st_size, file.path
                    elif time.time() - status.st_mtime > _ABANDONED_SECONDS:
                        _remove(file.path)


def _write(folder: Path, name: str, data: bytes) -> None:
    # Not tempfile, whose import costs more than all of this. No fsync: a damaged entry is found out by its digest.
    temporary = f"{folder}/{_TEMPORARY}{os.urandom(16).hex()}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(temporary, folder / name)  # noqa: PTH105
    except BaseException:
        _remove(temporary)
        raise


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)  # noqa: PTH108


def _digest(key: str, content: bytes) -> bytes:
    """The digest of an entry; with its key, so that a file under another name is none."""
    digest = hashlib.sha256(key.encode("ascii"))
    digest.update(content)
    return digest.hexdigest().encode("ascii")
