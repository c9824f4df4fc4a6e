"""Table ``[policy]``: what a team allows in its manifests, checked by the rules of ``omec.lint.rules.policies``.

::

    [policy]
    allowed-registries = ["registry.example.com/llm"]
    require-digest = true

    [[policy.limits]]
    namespaces = ["team-*"]
    max-gpus = 16
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import fields

from omec.api.kinds import KINDS
from omec.repo.settings import Check, Place, flag, suggestion, table, text, texts, type_name

EVERY_KIND = "*"
"""Stands for all kinds of ome.io in ``required-labels`` and ``required-annotations``."""

_STEP = re.compile(r"\[(?P<bracket>[^\[\]]+)\]|(?P<name>[^.\[\]]+)")
_PATH = re.compile(r"[^.\[\]]+(?:\.[^.\[\]]+|\[[^\[\]]+\])*")


class ForbiddenField(msgspec.Struct, frozen=True):
    """A field that manifests must not set, or not to one of ``values``.

    ``path`` are its steps; ``*`` is any key or any item of a list. ``kinds`` are those that it is forbidden in, all
    where there are none.
    """

    path: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()
    reason: str = ""


class Limit(msgspec.Struct, frozen=True):
    """The most that a namespace which matches one of ``namespaces`` (all where there are none) may have.

    ``max_gpus`` and ``max_replicas`` count all its InferenceServices at their largest, ``max_replicas_per_component``
    one engine, decoder or router.
    """

    namespaces: tuple[str, ...] = ()
    max_gpus: int | None = None
    max_replicas: int | None = None
    max_replicas_per_component: int | None = None


class Policy(msgspec.Struct, frozen=True):
    """What a team allows; attributes are the keys of ``[policy]`` with ``_`` for ``-``."""

    allowed_registries: tuple[str, ...] = ()
    require_digest: bool = False
    required_labels: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    required_annotations: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    allowed_accelerator_classes: tuple[str, ...] = ()
    gated_models: tuple[str, ...] = ()
    forbidden_fields: tuple[ForbiddenField, ...] = ()
    limits: tuple[Limit, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {name.replace("_", "-"): value for name, value in _set(self).items()}


def _set(settings: Any) -> dict[str, Any]:
    """The attributes that are set, as TOML holds them."""
    plain: dict[str, Any] = {}
    for attribute in fields(settings):
        value = getattr(settings, attribute.name)
        if isinstance(value, Mapping):
            value = {key: list(item) for key, item in value.items()}
        elif isinstance(value, tuple):
            value = [_entry(item) for item in value]
        if value:
            plain[attribute.name] = value
    return plain


def _entry(item: Any) -> Any:
    if isinstance(item, ForbiddenField):
        return {**_set(item), "path": path_text(item.path)}
    return {key.replace("_", "-"): value for key, value in _set(item).items()} if isinstance(item, Limit) else item


def path_text(path: tuple[str, ...]) -> str:
    """The steps of a forbidden field as ``[policy]`` writes them."""
    written = [f"[{step}]" if "." in step or "/" in step else f".{step}" for step in path]
    return "".join(written).removeprefix(".")


def policy(value: Any, place: Place) -> Policy:
    """The settings of ``[policy]``; raises :class:`omec.errors.OmecError` at what is wrong."""
    return Policy(**_checked(value, place, POLICY_KEYS))


def _checked(value: Any, place: Place, checks: Mapping[str, Check]) -> dict[str, Any]:
    given = table(value, place)
    for key in given:
        if key not in checks:
            raise place.unknown(key, checks)
    return {key.replace("-", "_"): checks[key](item, place.child(key)) for key, item in given.items()}


def _keys_by_kind(value: Any, place: Place) -> dict[str, tuple[str, ...]]:
    """``{InferenceService = ["team"], "*" = ["owner"]}``."""
    given = table(value, place)
    for kind in given:
        _require_kind(kind, place.child(kind), (EVERY_KIND, *KINDS))
    return {kind: texts(keys, place.child(kind)) for kind, keys in given.items()}


def _kinds(value: Any, place: Place) -> tuple[str, ...]:
    kinds = texts(value, place)
    for index, kind in enumerate(kinds):
        _require_kind(kind, place.child(index), tuple(KINDS))
    return kinds


def _require_kind(kind: str, place: Place, known: tuple[str, ...]) -> None:
    if kind not in known:
        raise place.error(f"is about {kind!r}, which is no kind of ome.io", hint=suggestion(kind, known))


def _tables(value: Any, place: Place) -> list[tuple[Any, Place]]:
    if not isinstance(value, list | tuple):
        name = ".".join(str(step) for step in place.path)
        raise place.error(f"must be a list of tables, not {type_name(value)}", hint=f"write it as [[{name}]]")
    return [(item, place.child(index)) for index, item in enumerate(value)]


def _forbidden_fields(value: Any, place: Place) -> tuple[ForbiddenField, ...]:
    found = []
    for item, here in _tables(value, place):
        checked = _checked(item, here, _FORBIDDEN_KEYS)
        if "path" not in checked:
            raise here.error("has no path", hint='write path = "spec.engine.hostNetwork"')
        found.append(ForbiddenField(**checked))
    return tuple(found)


def _limits(value: Any, place: Place) -> tuple[Limit, ...]:
    found = []
    for item, here in _tables(value, place):
        limit = Limit(**_checked(item, here, _LIMIT_KEYS))
        if limit.max_gpus is limit.max_replicas is limit.max_replicas_per_component is None:
            raise here.error("limits nothing", hint="write max-gpus, max-replicas or max-replicas-per-component")
        found.append(limit)
    return tuple(found)


def _path(value: Any, place: Place) -> tuple[str, ...]:
    written = text(value, place)
    if not _PATH.fullmatch(written):
        hint = "write it as spec.engine.runner.env[*].value; a key with dots in brackets: metadata.annotations[a.b/c]"
        raise place.error(f"is {written!r}, which is no path of a field", hint=hint)
    return tuple(match["bracket"] or match["name"] for match in _STEP.finditer(written))


def _values(value: Any, place: Place) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise place.error(f"must be a list of values, not {type_name(value)}" if value else "is an empty list")
    return tuple(value)


def _number(value: Any, place: Place) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise place.error(f"must be a whole number, not {type_name(value)}")
    if value < 0:
        raise place.error(f"is {value}", hint="write 0 or more")
    return value


_FORBIDDEN_KEYS: dict[str, Check] = {"path": _path, "kinds": _kinds, "values": _values, "reason": text}
_LIMIT_KEYS: dict[str, Check] = {
    "namespaces": texts,
    "max-gpus": _number,
    "max-replicas": _number,
    "max-replicas-per-component": _number,
}
POLICY_KEYS: dict[str, Check] = {
    "allowed-registries": texts,
    "require-digest": flag,
    "required-labels": _keys_by_kind,
    "required-annotations": _keys_by_kind,
    "allowed-accelerator-classes": texts,
    "gated-models": texts,
    "forbidden-fields": _forbidden_fields,
    "limits": _limits,
}
