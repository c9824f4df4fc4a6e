"""Where the files of a repository's models are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from omec.catalog import Resource
from omec.lint.context import spec_of


class Stored(NamedTuple):
    """A model whose manifest says where its files are; ``path`` is ``""`` where none is given."""

    model: Resource
    storage: Mapping[str, Any]
    uri: str
    path: str

    @property
    def scheme(self) -> str:
        """What stands before ``://``."""
        return self.uri.partition("://")[0]

    @property
    def rest(self) -> str:
        """What stands behind ``://``."""
        return self.uri.partition("://")[2]


def stored_models(models: Iterable[Resource]) -> Iterator[Stored]:
    """Those of ``models`` with a ``storageUri``, as written."""
    for model in models:
        storage = spec_of(model).get("storage")
        uri = storage.get("storageUri") if isinstance(storage, dict) else None
        if isinstance(storage, dict) and isinstance(uri, str):
            path = storage.get("path")
            yield Stored(model, storage, uri, path if isinstance(path, str) else "")
