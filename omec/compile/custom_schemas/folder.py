"""A folder of schemas that the user names: CustomResourceDefinitions, and JSON Schemas as kubeconform has them.

Only what is asked for is parsed: such a folder may hold the definitions of a whole cluster, or a catalog of thousands
of schemas.
"""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any

from omec.compile.custom_schemas.definitions import Definition, definitions
from omec.compile.custom_schemas.rules import SCHEMA_FOLDER
from omec.errors import OmecError
from omec.finding import Severity
from omec.repo.read import read

Schema = dict[str, Any]

_MAX_FILE_BYTES = 100 * 1024 * 1024
"""All definitions of a cluster in one file are larger than any manifest of a repository."""


class SchemaFolder:
    """The schemas at and below ``path``; raises :class:`OmecError` where that is no folder.

    The methods raise it for a file that is needed and cannot be read.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise OmecError(
                f"the schema folder {path} is not a folder",
                hint="name a folder with CustomResourceDefinitions or JSON Schemas",
                code=SCHEMA_FOLDER.code,
            )
        self._path = path
        self._parsed: dict[Path, tuple[Definition, ...]] = {}

    def definition(self, group: str, kind: str) -> Definition | None:
        """The first CustomResourceDefinition of the kind in a YAML file, by the path of the file."""
        words = (b"CustomResourceDefinition", group.encode(), kind.encode())
        for path, content in self._manifests.items():
            if all(word in content for word in words):
                for definition in self._definitions(path):
                    if (definition.group, definition.kind) == (group, kind):
                        return definition
        return None

    def json_schema(self, group: str, kind: str, version: str) -> Schema | None:
        """The JSON Schema of the kind under one of the names that kubeconform and catalogs of CRDs give it:
        ``GROUP/KIND_VERSION.json``, ``KIND-GROUP-VERSION.json`` (the first part of the group), ``KIND_VERSION.json``.
        """
        name = kind.lower()
        first = group.partition(".")[0]
        for ending in (f"{group}/{name}_{version}.json", f"{name}-{first}-{version}.json", f"{name}_{version}.json"):
            for text, path in self._json_files.items():
                if text.endswith(f"/{ending}"):
                    return _json_schema(path)
        return None

    @cached_property
    def _manifests(self) -> dict[Path, bytes]:
        files = (path for ending in ("yaml", "yml") for path in self._path.rglob(f"*.{ending}") if path.is_file())
        return {path: _content(path) for path in sorted(files)}

    @cached_property
    def _json_files(self) -> dict[str, Path]:
        """By their paths in lower case."""
        files = sorted(self._path.rglob("*.json"))
        return {f"/{path.relative_to(self._path).as_posix().lower()}": path for path in files}

    def _definitions(self, path: Path) -> tuple[Definition, ...]:
        if path not in self._parsed:
            reading = read([path], max_file_bytes=_MAX_FILE_BYTES)
            for finding in reading.findings:
                if finding.severity is Severity.ERROR:
                    raise _unreadable(path, finding.message)
            self._parsed[path] = tuple(definitions(document.value for document in reading.documents))
        return self._parsed[path]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error


def _json_schema(path: Path) -> Schema:
    try:
        schema = json.loads(_content(path))
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
