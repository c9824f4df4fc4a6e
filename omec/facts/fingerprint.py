"""A digest of everything that facts came from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator

from omec.facts.tree import Entry, ModelTree, Result


class Fingerprint:
    """A :class:`omec.facts.tree.ModelTree` that notes what is read of another one.

    Two readings have one :attr:`digest` if they saw the same bytes of the same files, wherever the files were.
    """

    def __init__(self, tree: ModelTree) -> None:
        self.label = tree.label
        self._tree = tree
        self._seen: dict[tuple[str, int], str] = {}

    @property
    def digest(self) -> str:
        """``sha256:`` and the digest of the sorted list of all that was read: file, offset, digest of the bytes."""
        lines = (f"{path}\0{start}\0{digest}\n" for (path, start), digest in sorted(self._seen.items()))
        return f"sha256:{hashlib.sha256(''.join(lines).encode('utf-8', 'surrogateescape')).hexdigest()}"

    def exists(self, path: str) -> bool:
        return self._tree.exists(path)

    def entries(self, folder: str) -> list[Entry]:
        return self._tree.entries(folder)

    def read(self, path: str, limit: int) -> bytes:
        return self._noted(path, 0, self._tree.read(path, limit))

    def read_range(self, path: str, start: int, length: int) -> bytes:
        return self._noted(path, start, self._tree.read_range(path, start, length))

    def map(self, function: Callable[[str], Result], paths: Iterable[str]) -> Iterator[Result]:
        return self._tree.map(function, paths)

    def _noted(self, path: str, start: int, data: bytes) -> bytes:
        self._seen[path, start] = hashlib.sha256(data).hexdigest()
        return data
