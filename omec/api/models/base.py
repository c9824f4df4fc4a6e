"""The base class of every model of this package, and the annotations that carry schema facts.

The models are the documented definition of the API. They validate Python users' input, and ``schemas/build_ome.py``
turns them into the JSON Schemas that the linter loads; the linter itself does not import them (start-up cost).
Attribute names are Python's; the names on the wire are their camelCase aliases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import msgspec
import pydantic
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema, core_schema

from omec.api.checks import Check

SINCE = "x-omec-since"
CHECKS = "x-omec-checks"
KEEPS_NULL = "x-omec-keeps-null"
LIST_TYPE = "x-kubernetes-list-type"
LIST_MAP_KEYS = "x-kubernetes-list-map-keys"


def _object_schema_extra(schema: dict[str, Any], model: type[Model]) -> None:
    """Name the model's checks and null-refusing fields in its JSON Schema, where the linter looks them up."""
    if model.checks:
        schema[CHECKS] = [check.name for check in model.checks]
    if model.keeps_null:
        schema[KEEPS_NULL] = sorted(model.keeps_null)


class Model(pydantic.BaseModel):
    """An object of the API: closed (unknown fields are errors), strict (no coercion), immutable.

    An explicit ``null`` counts as absent, as the API server has it, except for the fields in ``keeps_null``.
    ``checks`` are the CEL rules of the CRD at this place.
    """

    model_config = pydantic.ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        alias_generator=to_camel,
        validate_by_name=True,
        serialize_by_alias=True,
        use_attribute_docstrings=True,
        json_schema_extra=_object_schema_extra,
    )

    checks: ClassVar[tuple[Check, ...]] = ()
    keeps_null: ClassVar[frozenset[str]] = frozenset()

    @pydantic.model_validator(mode="before")
    @classmethod
    def _prune_nulls(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        return {key: value for key, value in data.items() if value is not None or key in cls.keeps_null}

    @pydantic.model_validator(mode="after")
    def _run_checks(self) -> Self:
        if self.checks:
            stored = self.to_dict()
            for check in self.checks:
                if not check.holds(stored):
                    raise ValueError(check.message)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The object as the API server stores it: wire names, schema defaults filled in, absent fields left out."""
        return self.model_dump(by_alias=True, exclude_none=True)


def since(version: str, default: Any = None, **constraints: Any) -> Any:
    """A field that OME has since ``version``; an API server of an older release drops it silently."""
    return pydantic.Field(default, json_schema_extra={SINCE: version}, **constraints)


def _drop_null_values(data: Any) -> Any:
    if isinstance(data, dict) and None in data.values():
        return {key: value for key, value in data.items() if value is not None}
    return data


class ListMap(msgspec.Struct, frozen=True, eq=False):
    """A list whose items are identified by ``keys``: no two items may agree in all of them.

    ``defaults`` are the schema defaults of keys that an item may leave out.
    """

    keys: tuple[str, ...]
    defaults: Mapping[str, Any] = msgspec.field(default_factory=dict)

    def __get_pydantic_core_schema__(self, source: Any, handler: pydantic.GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.check_unique, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: pydantic.GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {**handler(schema), LIST_TYPE: "map", LIST_MAP_KEYS: list(self.keys)}

    def check_unique(self, items: Any) -> Any:
        if isinstance(items, list):
            seen = set()
            for item in items:
                if isinstance(item, dict):
                    identity = tuple(repr(item.get(key, self.defaults.get(key))) for key in self.keys)
                    if identity in seen:
                        raise ValueError(f"two items with the same {' and '.join(self.keys)}")
                    seen.add(identity)
        return items


def list_map(*keys: str, **defaults: Any) -> ListMap:
    """The annotation of a list identified by ``keys``; keyword arguments are schema defaults of keys."""
    return ListMap(keys, defaults)


class ListSet(msgspec.Struct, frozen=True, eq=False):
    """A list of scalars that may not repeat."""

    def __get_pydantic_core_schema__(self, source: Any, handler: pydantic.GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._check_unique, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: pydantic.GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {**handler(schema), LIST_TYPE: "set", "uniqueItems": True}

    @staticmethod
    def _check_unique(items: Any) -> Any:
        if isinstance(items, list) and len({repr(item) for item in items}) < len(items):
            raise ValueError("the items of this list must be unique")
        return items


DropNullValues = pydantic.BeforeValidator(_drop_null_values)
"""The annotation of a map whose ``null`` values count as absent keys."""
