"""Zip files of weights: unpacked without trusting them."""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from omec.facts.display import shown
from omec.facts.size import format_bytes
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.job import DIRECTORY_MODE, FILE_MODE
from omec.runtime_agent.download.marker import KnownFile
from omec.runtime_agent.download.paths import PRIVATE, check_names, make_parents

_ENCRYPTED = 0x1
_UNIX = 16
"""Where in the attributes of an entry the mode of a Unix file is."""


def unpack(archive: Path, folder: Path) -> dict[str, KnownFile]:
    """Write the files of ``archive`` below ``folder``, and to disk; what is there now, by relative path.

    Raises :class:`DownloadError` before anything is written where an entry is no regular file or leads elsewhere, and
    ``OSError``.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = list(_files(opened))
            check_names(name for name, _ in entries)
            _require_space(entries, folder)
            return {name: _write(opened, entry, folder, name) for name, entry in entries}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise DownloadError(Kind.UNSAFE, f"the weights are no zip file that can be read: {error}") from None


def _files(opened: zipfile.ZipFile) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    for entry in opened.infolist():
        if entry.is_dir():
            continue
        kind = stat.S_IFMT(entry.external_attr >> _UNIX)
        # Python reads names as Windows writes them, and cuts them at a zero byte; the name as stored is judged.
        name = entry.orig_filename.removeprefix("./")
        if kind not in (0, stat.S_IFREG):
            raise DownloadError(
                Kind.UNSAFE, f"the archive holds {shown(name)}, which is no regular file; links and devices are refused"
            )
        if entry.flag_bits & _ENCRYPTED:
            raise DownloadError(Kind.UNSAFE, f"the archive is encrypted ({shown(name)}), and there is no password")
        if name.startswith(PRIVATE):
            raise DownloadError(
                Kind.UNSAFE, f"the archive holds {shown(name)}; names in {PRIVATE}… are the agent's own"
            )
        yield name, entry


def _require_space(entries: list[tuple[str, zipfile.ZipInfo]], folder: Path) -> None:
    needed, free = sum(entry.file_size for _, entry in entries), shutil.disk_usage(folder).free
    if needed > free:
        message = f"the weights need {format_bytes(needed)}, but the volume of {folder} has only {format_bytes(free)}"
        raise DownloadError(Kind.SPACE, message)


def _write(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path, name: str) -> KnownFile:
    path = folder / name
    make_parents(folder, path, DIRECTORY_MODE)
    if path.is_dir() and not path.is_symlink():
        raise DownloadError(Kind.PATH, f"{path} is a directory where the archive has a file")
    path.unlink(missing_ok=True)
    with opened.open(entry) as content, path.open("xb") as file:
        shutil.copyfileobj(content, file, 1 << 20)
        file.flush()
        os.fsync(file.fileno())
    path.chmod(FILE_MODE)
    return KnownFile.of(path)
