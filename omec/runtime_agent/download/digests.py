"""The digests by which files are verified: SHA-256, or Git's name of a blob for small files of the hub."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

_SHA256, _GIT = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class Digest:
    """An expected digest: ``sha256`` or ``git`` (SHA-1 of the size and the content), in hex."""

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


def hasher(digest: Digest, size: int) -> Any:
    """A hash object for content of ``size`` bytes that is to have ``digest``."""
    if digest.algorithm == "sha256":
        return hashlib.sha256()
    return hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
