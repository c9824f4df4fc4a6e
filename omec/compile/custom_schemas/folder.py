"""A folder of schemas that the user names: CustomResourceDefinitions, and JSON Schemas as kubeconform has them.

Only what is asked for is parsed: such a folder may hold the definitions of a whole cluster.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from omec.compile.custom_schemas.definitions import Definition, definitions
from omec.compile.custom_schemas.rules import SCHEMA_FOLDER
from omec.errors import OmecError
from omec.repo.read import read

Schema = dict[str, Any]

_MANIFESTS = (".json", ".yaml", ".yml")


class SchemaFolder:
    """The schemas at and below ``path``; raises :class:`OmecError` where that is no folder."""

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise OmecError(
                f"the schema folder {path} is not a folder",
                hint="name a folder with CustomResourceDefinitions or JSON Schemas",
                code=SCHEMA_FOLDER.code,
            )
        self._path = path
        self._contents: dict[Path, bytes] = {}

    def definition(self, group: str, kind: str) -> Definition | None:
        """The first CustomResourceDefinition of the kind, by the path of its file."""
        words = (b"CustomResourceDefinition", group.encode(), kind.encode())
        for path in self._files:
            if all(word in self._content(path) for word in words):
                for definition in self._definitions(path):
                    if (definition.group, definition.kind) == (group, kind):
                        return definition
        return None

    def json_schema(self, group: str, kind: str, version: str) -> Schema | None:
        """The JSON Schema of the kind under one of the names that kubeconform and catalogs of CRDs give it:
        ``GROUP/KIND_VERSION.json``, ``KIND-GROUP-VERSION.json`` (the first part of the group), ``KIND_VERSION.json``.
        """
        name = kind.lower()
        wanted = (f"{group}/{name}_{version}.json", f"{name}-{group.partition('.')[0]}-{version}.json")
        for ending in (*wanted, f"{name}_{version}.json"):
            for path in self._files:
                if f"/{path.relative_to(self._path).as_posix().lower()}".endswith(f"/{ending}"):
                    return self._parsed(path)
        return None

    @cached_property
    def _files(self) -> list[Path]:
        return sorted(path for path in self._path.rglob("*") if path.suffix in _MANIFESTS and path.is_file())

    def _content(self, path: Path) -> bytes:
        if path not in self._contents:
            try:
                self._contents[path] = path.read_bytes()
            except OSError as error:
                raise _unreadable(path, error.strerror or str(error)) from error
        return self._contents[path]

    def _definitions(self, path: Path) -> Iterator[Definition]:
        reading = read([path])
        for finding in reading.findings:
            raise _unreadable(path, finding.message)
        return definitions(document.value for document in reading.documents)

    def _parsed(self, path: Path) -> Schema:
        try:
            schema = json.loads(self._content(path))
        except ValueError as error:
            raise _unreadable(path, f"it is not JSON: {error}") from error
        if not isinstance(schema, dict):
            raise _unreadable(path, "it is not a JSON Schema")
        return schema


def _unreadable(path: Path, reason: str) -> OmecError:
    return OmecError(
        f"the schema {path} cannot be read: {reason}",
        hint="correct the file, or take it out of the schema folder",
        code=SCHEMA_FOLDER.code,
    )
