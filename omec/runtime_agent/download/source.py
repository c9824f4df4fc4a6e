"""Where a model's bytes come from, whatever the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from omec.runtime_agent.download.digests import Digest


@dataclass(frozen=True, slots=True)
class Item:
    """One file to fetch. ``name`` is its path in the model, ``digest`` what it must have (``None``: its ETag's).

    ``key`` tells the source which one it is. ``archive`` marks a layer that holds files instead of being one.
    """

    name: str
    size: int
    digest: Digest | None
    key: str = ""
    archive: bool = False
    xet: bool = False


class Stream(Protocol):
    """An open answer: the rest of an item from ``start``, which is 0 where the server ignored the range."""

    start: int
    etag: str

    def read(self, most: int) -> bytes:
        """What has arrived, as soon as anything has, up to ``most`` bytes; nothing at the end."""
        ...

    def close(self) -> None: ...


class Source(Protocol):
    """One state of one model: ``name`` is the model's without a revision, ``revision`` names its state for good."""

    name: str
    revision: str
    items: Sequence[Item]

    def open(self, item: Item, start: int) -> Stream:
        """The bytes of ``item`` from ``start``.

        Raises :class:`omec.facts.remote.errors.HttpError` and
        :class:`omec.facts.remote.errors.ConnectionFailedError`.
        """
        ...

    def fetch_otherwise(self, item: Item, folder: Path) -> Path | None:
        """The whole of ``item`` by the source's own means (Xet) in ``folder``; ``None`` where it has none."""
        ...
