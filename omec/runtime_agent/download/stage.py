"""The directory beside a model's directory in which a download grows, until all of it is verified.

``parts`` holds files that are arriving, ``files`` those that are verified, in the layout of the model. The whole stage
is kept over crashes; what it holds of another revision is thrown away.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from omec.runtime_agent.download.digests import Digest
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.job import DIRECTORY_MODE, FILE_MODE
from omec.runtime_agent.download.marker import KnownFile, Marker, remove_marker
from omec.runtime_agent.download.paths import PRIVATE, make_parents, remove_file, sync_directory

STAGE_PREFIX, LOCK_PREFIX = f"{PRIVATE}-stage-", f"{PRIVATE}-lock-"


@contextmanager
def path_lock(target: Path) -> Iterator[None]:
    """Hold ``target`` for this process alone; raises :class:`DownloadError` where another one has it."""
    make_all(target.parent)
    with _locked(beside(LOCK_PREFIX, target), target):
        yield


@contextmanager
def stage_lock(stage: Path) -> Iterator[None]:
    """Hold the target of ``stage``, whichever that is; raises :class:`DownloadError` where another process has it."""
    with _locked(stage.with_name(f"{LOCK_PREFIX}{stage.name.removeprefix(STAGE_PREFIX)}"), stage):
        yield


@contextmanager
def _locked(file: Path, what: Path) -> Iterator[None]:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise DownloadError(Kind.LOCKED, f"another process is writing {what}") from None
    finally:
        os.close(descriptor)


class Stage:
    """The stage of one target for one revision of one model."""

    def __init__(self, target: Path, source: str, revision: str) -> None:
        self._target = target
        self._identity = json.dumps([source, revision])
        self.root = stage_of(target)
        self.parts = self.root / "parts"
        self.files = self.root / "files"
        self._journal = self.root / "journal"
        self._verified: dict[str, KnownFile] = {}

    def prepare(self) -> None:
        """Make the folders, and throw away what is of another revision."""
        if not self._belongs():
            self.discard()
            self.root.mkdir(mode=0o700)
            for folder in (self.parts, self.files):
                folder.mkdir()
            self.files.chmod(DIRECTORY_MODE)
            self._append(self._identity)
        self._forget_marker()
        self._verified = dict(self._journalled())

    def discard(self) -> None:
        """Remove the stage, whatever it is."""
        if self.root.is_symlink():
            self.root.unlink()
        shutil.rmtree(self.root, ignore_errors=True)

    def has(self, name: str) -> bool:
        """Whether the verified file ``name`` is here, as it was when it was verified."""
        known = self._verified.get(name)
        return known is not None and known.is_at(self.files / name)

    def part(self, name: str) -> Path:
        """Where the file ``name`` arrives."""
        return self.parts / sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def take(self, name: str, arrived: Path, digest: Digest) -> None:
        """Move a file that is verified and on disk to its place."""
        path = self.files / name
        make_parents(self.files, path, DIRECTORY_MODE)
        arrived.chmod(FILE_MODE)
        arrived.replace(path)
        known = KnownFile.of(path, str(digest))
        self._verified[name] = known
        self._append(json.dumps([name, known.size, known.changed, known.digest]))

    def known(self, name: str) -> KnownFile | None:
        return self._verified.get(name)

    def publish(self, marker: Marker) -> None:
        """Bring the verified files into the target, so that a crash at any point leaves no whole-looking mixture.

        A new target appears in one step. In one that exists, the marker goes first and comes last, and files that an
        earlier revision had are removed; files that the agent never wrote stay.
        """
        _sync_tree(self.files)
        if self._target.is_symlink():
            self._target.unlink()  # to a shared copy, which stays
        if not self._appeared(marker):
            self._replace(marker)
        self.discard()

    def _appeared(self, marker: Marker) -> bool:
        """Make a new target of the files in one step; ``False`` where there is a target already."""
        if os.path.lexists(self._target):
            return False
        marker.write(self.files)
        try:
            self.files.rename(self._target)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            self._forget_marker()
            return False  # a model whose path is inside this one was faster
        sync_directory(self._target.parent)
        return True

    def _replace(self, marker: Marker) -> None:
        earlier = Marker.read(self._target)
        remove_marker(self._target)
        self._merge()
        for name in (earlier.files if earlier else {}).keys() - marker.files.keys():
            remove_file(self._target, name)
        _sync_tree(self._target)
        marker.write(self._target)

    def _forget_marker(self) -> None:
        """Remove what was written to publish the files, where that did not happen."""
        shutil.rmtree(self.files / PRIVATE, ignore_errors=True)

    def _merge(self) -> None:
        for folder, _, names in os.walk(self.files):
            for name in names:
                source = Path(folder, name)
                path = self._target / source.relative_to(self.files)
                make_parents(self._target, path, DIRECTORY_MODE)
                if path.is_dir() and not path.is_symlink():
                    raise DownloadError(Kind.PATH, f"{path} is a directory where the model has a file")
                source.replace(path)

    def _belongs(self) -> bool:
        if self.root.is_symlink() or not all(folder.is_dir() for folder in (self.parts, self.files)):
            return False
        try:
            return self._journal.read_text(encoding="utf-8").startswith(f"{self._identity}\n")
        except OSError:
            return False

    def _journalled(self) -> Iterator[tuple[str, KnownFile]]:
        """The files that were verified, as far as the journal can be read."""
        for line in self._journal.read_text(encoding="utf-8").splitlines()[1:]:
            try:
                name, size, changed, digest = json.loads(line)
            except ValueError:
                return  # the last line, cut by a crash
            yield name, KnownFile(size, changed, digest)

    def _append(self, line: str) -> None:
        with self._journal.open("a", encoding="utf-8") as journal:
            journal.write(f"{line}\n")
            journal.flush()
            os.fsync(journal.fileno())


def make_all(folder: Path) -> None:
    """Create a directory and its parents, for everybody to read."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(exist_ok=True)
        each.chmod(DIRECTORY_MODE)


def _sync_tree(root: Path) -> None:
    for folder, _, _ in os.walk(root):
        sync_directory(Path(folder))


def stage_of(target: Path) -> Path:
    """Where the download of ``target`` grows."""
    return beside(STAGE_PREFIX, target)


def beside(prefix: str, target: Path) -> Path:
    """A path beside ``target`` that is its alone, of a name short enough for a file system, which counts bytes."""
    name = os.fsencode(target.name)
    return target.with_name(f"{prefix}{sha256(name).hexdigest()[:12]}-{name[:100].decode(errors='ignore')}")
