"""Layers that hold files: unpacked without trusting them."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

from omec.facts.display import shown
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.job import DIRECTORY_MODE, FILE_MODE
from omec.runtime_agent.download.paths import check_names, make_parents


def unpack(archive: Path, folder: Path, most: int) -> None:
    """Write the regular files of ``archive`` below ``folder``; raises :class:`DownloadError` for anything else in it.

    ``most`` is how many bytes the files may have together, so that a small archive cannot fill the disk.
    """
    try:
        with tarfile.open(archive, "r:*") as tar:
            members = list(_regular(tar))
            check_names(name for name, _ in members)
            if sum(member.size for _, member in members) > most:
                raise DownloadError(Kind.SPACE, "the files of a layer need more space than is free")
            for name, member in members:
                _write(tar, member, folder, folder / name)
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise DownloadError(Kind.UNSAFE, f"a layer is no archive that can be read: {error}") from None


def _regular(tar: tarfile.TarFile) -> Iterator[tuple[str, tarfile.TarInfo]]:
    for member in tar:
        if member.isdir():
            continue
        if not member.isreg():
            message = f"a layer holds {shown(member.name)}, which is no regular file; links and devices are refused"
            raise DownloadError(Kind.UNSAFE, message)
        yield member.name.removeprefix("./"), member


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path, path: Path) -> None:
    make_parents(folder, path, DIRECTORY_MODE)
    content = tar.extractfile(member)
    assert content is not None  # a regular file
    with content, path.open("wb") as file:
        shutil.copyfileobj(content, file, 1 << 20)
    path.chmod(FILE_MODE)
