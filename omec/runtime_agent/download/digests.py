"""The digests by which files are verified: SHA-256, MD5, or Git's name of a blob for small files of the hub."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

_SHA256, _GIT = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class Digest:
    """An expected digest: ``sha256``, ``md5`` or ``git`` (SHA-1 of the size and the content), in hex.

    ``size`` is no digest: nothing is known but how long the file is.
    """

    algorithm: str
    value: str

    @classmethod
    def parse(cls, text: str) -> Digest | None:
        """The digest that ``text`` is by its length, also of an ``ETag``; ``None`` where it is none."""
        bare = text.strip().removeprefix("W/").strip('"').removeprefix("sha256:").lower()
        if _SHA256.fullmatch(bare):
            return cls("sha256", bare)
        return cls("git", bare) if _GIT.fullmatch(bare) else None

    def __str__(self) -> str:
        return f"{self.algorithm}:{self.value}"


BY_SIZE = Digest("size", "")
"""For files of which the source tells no digest."""


class _Unhashed:
    """Takes what a hash takes."""

    def update(self, data: bytes) -> None: ...

    def hexdigest(self) -> str:
        return BY_SIZE.value


def hasher(digest: Digest, size: int) -> Any:
    """A hash object for content of ``size`` bytes that is to have ``digest``."""
    if digest == BY_SIZE:
        return _Unhashed()
    if digest.algorithm in ("sha256", "md5"):
        return hashlib.new(digest.algorithm, usedforsecurity=False)
    return hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
