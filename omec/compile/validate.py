"""Check rendered objects as the API server of a chosen Kubernetes version would.

Three layers, each only over what the one before has accepted: the OpenAPI schema with unknown fields rejected, lists
whose items must have different keys, and the rules of the API server that no schema can express
(:mod:`omec.compile.admission`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from omec.compile.admission import refusals
from omec.compile.list_keys import KeyedLists, keyed_lists, repetitions
from omec.compile.schema_messages import messages, schema_at
from omec.errors import OmecError
from omec.finding import FieldPath, Severity, field_text

if TYPE_CHECKING:
    import jsonschema_rs

_DATA = Path(__file__).resolve().parent.parent / "data" / "kubernetes"


class SchemaError(msgspec.Struct, frozen=True):
    """One fault of a rendered object.

    ``path`` is the value at fault (for a missing field, the object that misses it), ``message`` says all, the field
    included, ``keyword`` is the JSON Schema keyword or OpenAPI extension that found it, or ``admission``.
    """

    path: FieldPath
    message: str
    keyword: str
    severity: Severity = Severity.ERROR


class Validator:
    """The schemas of one Kubernetes version.

    ``kubernetes_version`` is a version as clusters and people write it (``1.36``, ``v1.36.2``, ``v1.36.2+k3s1``);
    ``None`` is the newest that omec knows. Raises :class:`OmecError` for one that it does not know.
    """

    def __init__(self, kubernetes_version: str | None = None) -> None:
        supported = supported_versions()
        self.version = supported[-1] if kubernetes_version is None else _minor(kubernetes_version)
        if self.version not in supported:
            raise OmecError(
                f"Kubernetes {kubernetes_version} is not a version whose schemas omec carries",
                hint=f"set kubernetes-version to one of {', '.join(supported)}",
                code="OME002",
            )
        self._schema = _load(self.version)
        self._lists: dict[str, KeyedLists] = {}

    def covers(self, obj: Mapping[str, Any]) -> bool:
        """Whether ``obj`` is of a built-in kind whose schema omec carries."""
        return _type_of(obj) in self._schema["properties"]

    def errors(self, obj: dict[str, Any]) -> list[SchemaError]:
        """What the API server would refuse or warn about in ``obj``, ordered by place; empty when it is in order.

        An object of a kind without a schema is an error here, so that nothing passes unchecked: ask :meth:`covers`
        first where other kinds are expected.
        """
        type_ = _type_of(obj)
        if type_ not in self._schema["properties"]:
            message = f"omec has no schema for {type_} in Kubernetes {self.version}"
            return [SchemaError(("kind",), message, "properties")]
        # One compiled schema serves every kind: an object is looked at as the property named by its type.
        if not self._compiled.is_valid({type_: obj}):
            return sorted(set(self._schema_errors(type_, obj)), key=_by_place)
        found = list(self._repetitions(type_, obj))
        found += (SchemaError(item.path, item.message, "admission", item.severity) for item in refusals(obj))
        return sorted(found, key=_by_place) if found else found

    @cached_property
    def _compiled(self) -> jsonschema_rs.Validator:
        import jsonschema_rs  # noqa: PLC0415

        return jsonschema_rs.Draft202012Validator(self._schema)

    def _schema_errors(self, type_: str, obj: dict[str, Any]) -> Iterator[SchemaError]:
        for error in self._compiled.iter_errors({type_: obj}):
            path = tuple(error.instance_path)
            schema = schema_at(self._schema, path)
            keyword = "falseSchema" if isinstance(schema, bool) else str(error.schema_path[-1])
            for place, message in messages(schema, keyword, error.instance, path[1:]):
                later = self._first_version_with((type_, *place)) if keyword == "additionalProperties" else None
                if later:
                    known = f"it exists from Kubernetes {later} on, not in {self.version}"
                    yield SchemaError(place, f"unknown field {field_text(place)}: {known}", keyword)
                else:
                    yield SchemaError(place, message, keyword)

    def _first_version_with(self, path: FieldPath) -> str | None:
        """The first version after this one that has a field at ``path`` of the schema."""
        versions = supported_versions()
        later = versions[versions.index(self.version) + 1 :]
        return next((version for version in later if not isinstance(schema_at(_load(version), path), bool)), None)

    def _repetitions(self, type_: str, obj: dict[str, Any]) -> Iterator[SchemaError]:
        if type_ not in self._lists:
            self._lists[type_] = keyed_lists(self._schema["properties"][type_], self._schema["$defs"])
        for found in repetitions(self._lists[type_], obj):
            first = field_text((*found.path[:-1], found.first))
            message = f"{field_text(found.path)} repeats {found.key} of {first}; server-side apply refuses it"
            yield SchemaError(found.path, message, "x-kubernetes-list-map-keys", found.severity)


@cache
def supported_versions() -> tuple[str, ...]:
    """The Kubernetes minor versions whose schemas omec carries, oldest first."""
    return tuple(sorted((path.stem for path in _DATA.glob("*.json")), key=lambda minor: int(minor.partition(".")[2])))


@cache
def _load(version: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((_DATA / f"{version}.json").read_text(encoding="utf-8"))
    return schema


def _minor(version: str) -> str:
    found = re.match(r"v?(\d+\.\d+)(?![\d])", version.strip())
    return found[1] if found else version


def _type_of(obj: Mapping[str, Any]) -> str:
    return f"{obj.get('apiVersion')} {obj.get('kind')}"


def _by_place(error: SchemaError) -> tuple[str, str]:
    return (field_text(error.path), error.message)
