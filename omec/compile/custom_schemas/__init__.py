"""Custom resources checked as the API server would: ScaledObjects, HTTPRoutes, LeaderWorkerSets and the like.

Their schemas are those of the cluster, which only the user can give: CustomResourceDefinitions in the repository, or a
folder of them (or of JSON Schemas). omec itself knows the kinds of ome.io, what metadata may say, and the pod
templates of InferenceReplicas and LeaderWorkerSets, which it holds to the rules for pods that their own schemas leave
out. CEL rules of foreign definitions are not evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from omec.compile.custom_schemas.definitions import Definition, definitions
from omec.compile.custom_schemas.folder import SchemaFolder
from omec.compile.custom_schemas.kind_schema import KindSchema, NotServed
from omec.compile.custom_schemas.own_kinds import is_own_kind, own_errors
from omec.compile.native.templates import set_template_errors, template_errors
from omec.compile.validate import SchemaError, Validator
from omec.finding import field_text
from omec.repo.document import Document

__all__ = ["CustomSchemas"]

Object = dict[str, Any]


class CustomSchemas:
    """The schemas of the custom resources of one cluster.

    ``documents`` are those of the repository, of which the CustomResourceDefinitions count; what ``schema_dir`` holds
    comes first. ``validator`` is of the cluster's Kubernetes version. Raises :class:`~omec.errors.OmecError` where
    ``schema_dir`` is no folder; :meth:`covers` and :meth:`errors` raise it for a schema that cannot be read.
    """

    def __init__(
        self, documents: Iterable[Document] = (), schema_dir: Path | None = None, *, validator: Validator | None = None
    ) -> None:
        self._documents = tuple(documents)
        self._folder = None if schema_dir is None else SchemaFolder(schema_dir)
        self._validator = validator or Validator()
        self._known: dict[tuple[str, str], KindSchema | NotServed | None] = {}

    def covers(self, obj: Mapping[str, Any]) -> bool:
        """Whether a schema of the kind of ``obj`` is known; :meth:`errors` looks at other objects only in part."""
        return is_own_kind(obj) or self._schema_of(obj) is not None

    def errors(self, obj: Object) -> list[SchemaError]:
        """What the API server would refuse in the custom resource ``obj``, ordered by place; empty when in order.

        Pod templates are looked at in objects whose structure is in order.
        """
        found = {*_metadata_errors(obj, self._validator), *self._structure_errors(obj)}
        if not found:
            found.update(_template_errors(obj, self._validator))
        return sorted(found, key=lambda error: (field_text(error.path), error.message))

    def _structure_errors(self, obj: Object) -> Iterator[SchemaError]:
        if is_own_kind(obj):
            yield from own_errors(obj)
        if (schema := self._schema_of(obj)) is not None:
            yield from schema.errors(obj)

    def _schema_of(self, obj: Mapping[str, Any]) -> KindSchema | NotServed | None:
        key = (str(obj.get("apiVersion")), str(obj.get("kind")))
        if key not in self._known:
            self._known[key] = self._find(*key)
        return self._known[key]

    def _find(self, api_version: str, kind: str) -> KindSchema | NotServed | None:
        group, _, version = api_version.partition("/")
        definition = None
        if self._folder is not None:
            definition = self._folder.definition(group, kind)
            if definition is None and (schema := self._folder.json_schema(group, kind, version)) is not None:
                return KindSchema(kind, schema)
        if definition is None:
            definition = self._own_definitions.get((group, kind))
        if definition is None:
            return None
        return KindSchema.of(definition, version) if version in definition.schemas else NotServed(definition)

    @cached_property
    def _own_definitions(self) -> Mapping[tuple[str, str], Definition]:
        """The definitions of the repository; of two of a kind the first."""
        found: dict[tuple[str, str], Definition] = {}
        for definition in definitions(document.value for document in self._documents):
            found.setdefault((definition.group, definition.kind), definition)
        return found


def _metadata_errors(obj: Object, validator: Validator) -> list[SchemaError]:
    # A ConfigMap is the smallest object whose metadata has the rules of those of custom resources.
    return validator.errors({"apiVersion": "v1", "kind": "ConfigMap", "metadata": obj.get("metadata")})


def _template_errors(obj: Object, validator: Validator) -> Iterator[SchemaError]:
    match obj:
        case {"kind": "InferenceReplica", "spec": {}}:
            yield from template_errors(obj, validator)
        case {
            "kind": "LeaderWorkerSet",
            "spec": {"leaderWorkerTemplate": {"leaderTemplate": {}, "workerTemplate": {}}},
        }:
            yield from set_template_errors(obj, validator)
