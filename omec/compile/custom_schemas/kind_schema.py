"""The schema of one kind and version of custom resource, wherever it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from omec.compile.custom_schemas.definitions import Definition
from omec.compile.custom_schemas.rules import SCHEMA_FOLDER
from omec.compile.custom_schemas.structural import json_schema, repetitions, without_nulls
from omec.compile.custom_schemas.wording import repeated, worded
from omec.compile.validate import SchemaError
from omec.errors import OmecError

if TYPE_CHECKING:
    import jsonschema_rs

Object = dict[str, Any]
Schema = dict[str, Any]


class KindSchema(msgspec.Struct, dict=True):
    """What an object of ``kind`` must satisfy: the JSON Schema ``root``, and the marks of lists in ``structural``."""

    kind: str
    root: Schema
    structural: Schema | None = None

    @classmethod
    def of(cls, definition: Definition, version: str) -> KindSchema:
        """The schema that ``definition`` gives the kind in ``version``, which it serves."""
        structural = definition.schemas[version]
        return cls(definition.kind, json_schema(structural), structural)

    def errors(self, obj: Object) -> Iterator[SchemaError]:
        """What the schema refuses in ``obj``."""
        body = obj if self.structural is None else without_nulls(self.structural, obj)
        if not self._compiled.is_valid(body):
            for error in self._compiled.iter_errors(body):
                *steps, keyword = error.schema_path
                yield from worded(self._at(steps), str(keyword), error.instance, tuple(error.instance_path))
        elif self.structural is not None:
            for found in repetitions(self.structural, body):
                yield repeated(found.path, found.key, found.first)

    def _at(self, steps: list[str | int]) -> Any:
        schema: Any = self.root
        for step in steps:
            schema = schema[step]
        return schema

    @cached_property
    def _compiled(self) -> jsonschema_rs.Validator:
        import jsonschema_rs  # noqa: PLC0415 - costs 20 ms

        try:
            return jsonschema_rs.validator_for(self.root, offline=True)
        except (ValueError, jsonschema_rs.ReferencingError) as error:
            raise OmecError(
                f"the schema of {self.kind} cannot be used: {error}",
                hint="correct the CustomResourceDefinition, or the file in the schema folder",
                code=SCHEMA_FOLDER.code,
            ) from error


class NotServed(msgspec.Struct, frozen=True):
    """Stands for the schema of a version that the definition of the kind does not serve."""

    definition: Definition

    def errors(self, obj: Object) -> Iterator[SchemaError]:
        served = ", ".join(self.definition.schemas)
        message = f"the definition of {self.definition.kind} does not serve {obj['apiVersion']}, only {served}"
        yield SchemaError(("apiVersion",), message, "apiVersion")
