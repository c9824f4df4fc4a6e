"""What the hub tells of one file of a repository."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class HubFile(msgspec.Struct, frozen=True):
    """One file. ``sha256`` is told of large files, ``git`` (the name of the blob) of all; empty where neither is.

    ``xet`` says whether the file is in the hub's content-addressed storage.
    """

    path: str
    size: int
    sha256: str = ""
    git: str = ""
    xet: bool = False

    @classmethod
    def of(cls, item: Mapping[str, Any]) -> HubFile:
        """The file that an item of the hub's listing describes."""
        large = item.get("lfs")
        size = item.get("size")
        return cls(
            path=item["path"],
            size=size if isinstance(size, int) and size >= 0 else 0,
            sha256=_text(large.get("oid")) if isinstance(large, dict) else "",
            git="" if isinstance(large, dict) else _text(item.get("oid")),
            xet=bool(item.get("xetHash")),
        )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
