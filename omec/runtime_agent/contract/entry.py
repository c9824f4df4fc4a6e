"""The entry of one model in the ConfigMap of a node: its text, and how operations change it (reference 07 §11).

An entry is read as strictly as Go reads it into its struct and written as Go writes it, because OME's controller and
OME's agent compare and re-use the text: unknown members go, the order is fixed, and some empty members stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from omec.facts.decode import fold, integer
from omec.facts.jsonscan import JsonError, Value, parse
from omec.runtime_agent.contract.gotext import encode, untyped

UPDATING, READY, FAILED, DELETED = "Updating", "Ready", "Failed", "Deleted"

_TEXTS, _NUMBERS, _LISTS, _MAPS = "texts", "numbers", "lists", "maps"
_CONFIG_FIELDS: Mapping[str, str] = {
    "modelType": _TEXTS,
    "modelArchitecture": _TEXTS,
    "modelFramework": _MAPS,
    "modelFormat": _MAPS,
    "modelParameterSize": _TEXTS,
    "maxTokens": _NUMBERS,
    "modelCapabilities": _LISTS,
    "apiCapabilities": _LISTS,
    "decodedModelConfiguration": "any",
    "quantization": _TEXTS,
    "artifact": "artifact",
}
"""The members of ``config`` in the order in which they are written."""
_ARTIFACT_FIELDS = {"sha": _TEXTS, "parentPath": _MAPS, "childrenPaths": _LISTS}
_PROGRESS_FIELDS = {
    "phase": _TEXTS,
    "totalBytes": _NUMBERS,
    "completedBytes": _NUMBERS,
    "totalFiles": _NUMBERS,
    "completedFiles": _NUMBERS,
    "speedBytesPerSec": "float",
    "lastUpdated": _TEXTS,
}
_ENTRY_FIELDS = {"name": _TEXTS, "status": _TEXTS, "config": "config", "progress": "progress"}
_NO_ARTIFACT: dict[str, Any] = {"sha": "", "parentPath": None, "childrenPaths": None}
_ZEROES: Mapping[str, Any] = {_TEXTS: "", _NUMBERS: 0, "float": 0.0}


@dataclass(slots=True)
class Entry:
    """One entry. ``config`` and ``progress`` are the objects as they are written, ``None`` where there is none."""

    name: str = ""
    status: str = ""
    config: dict[str, Any] | None = None
    progress: dict[str, Any] | None = None

    @classmethod
    def parse(cls, text: str) -> Entry:
        """The entry that ``text`` holds; raises :class:`ValueError` where it is none."""
        members = _struct(parse(text.encode()), _ENTRY_FIELDS)
        return cls(members.get("name", ""), members.get("status", ""), members.get("config"), members.get("progress"))

    def text(self) -> str:
        """The entry as it is stored."""
        members: dict[str, Any] = {"name": self.name, "status": self.status}
        if self.config is not None:
            members["config"] = _config_to_write(self.config)
        if self.progress is not None:
            members["progress"] = {
                name: self.progress.get(name, _ZEROES[kind]) for name, kind in _PROGRESS_FIELDS.items()
            }
        return encode(members)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a download is; ``last_updated`` is RFC 3339 in UTC."""

    phase: str
    total_bytes: int
    completed_bytes: int
    total_files: int
    completed_files: int
    speed: float
    last_updated: str

    @property
    def percentage(self) -> float:
        return self.completed_bytes / self.total_bytes * 100 if self.total_bytes else 0.0

    def to_dict(self) -> dict[str, Any]:
        return {
            "phase": self.phase,
            "totalBytes": self.total_bytes,
            "completedBytes": self.completed_bytes,
            "totalFiles": self.total_files,
            "completedFiles": self.completed_files,
            "speedBytesPerSec": float(self.speed),
            "lastUpdated": self.last_updated,
        }


@dataclass(frozen=True, slots=True)
class Change:
    """An operation on the entry of ``model``: set what is given, keep the rest.

    ``status`` of ``Deleted`` removes the entry. A status of ``Ready`` or ``Failed`` clears the progress.
    """

    model: str
    status: str | None = None
    config: Mapping[str, Any] | None = None
    progress: Progress | None = None
    clears_progress: bool = False

    def applied(self, existing: str | None) -> str | None:
        """The entry's text after the operation; ``None`` where there is to be none."""
        if self.status == DELETED:
            return None
        if existing is None and self.status is None and self.config is None and self.progress is None:
            return None  # nothing to clear
        entry = _known(existing)
        entry.name = entry.name or self.model
        entry.status = self.status or entry.status or (UPDATING if self.config is None else READY)
        if self.config is not None:
            entry.config = dict(self.config)
        if self.progress is not None:
            entry.progress = self.progress.to_dict()
        elif self.clears_progress or self.status in (READY, FAILED):
            entry.progress = None
        return entry.text()


def _known(existing: str | None) -> Entry:
    """The entry that there is; an empty one where it cannot be read."""
    try:
        return Entry() if existing is None else Entry.parse(existing)
    except ValueError:
        return Entry()


def config_of(spec: Mapping[str, Any], artifact: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The ``config`` of an entry from facts under the names of a model's spec.

    ``modelConfiguration`` may be the object or its JSON text. ``artifact`` tells what is shared with other models.
    """
    config = {name: spec[name] for name in _CONFIG_FIELDS if spec.get(name) is not None}
    if "modelFormat" in config and not config["modelFormat"].get("name"):
        del config["modelFormat"]
    if "decodedModelConfiguration" not in config:
        decoded = _decoded(spec.get("modelConfiguration"))
        if decoded:
            config["decodedModelConfiguration"] = decoded
    if artifact is not None:
        config["artifact"] = dict(artifact)
    return config


def _decoded(configuration: Any) -> dict[str, Any] | None:
    """``modelConfiguration`` as Go decodes it into a map; ``None`` where it is none."""
    text = configuration if isinstance(configuration, str) else encode(configuration)
    try:
        value = untyped(parse(text.encode()))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _config_to_write(config: Mapping[str, Any]) -> dict[str, Any]:
    """``config`` in its order, without empty members; the artifact is always there."""
    written = {name: config[name] for name in _CONFIG_FIELDS if config.get(name) and name != "artifact"}
    artifact = config.get("artifact") or {}
    written["artifact"] = {name: artifact.get(name, nothing) for name, nothing in _NO_ARTIFACT.items()}
    return written


def _struct(value: Value, fields: Mapping[str, str], earlier: dict[str, Any] | None = None) -> dict[str, Any]:
    """The known members of an object, of the types that Go wants; raises :class:`JsonError` for another type."""
    members = dict(earlier or {})
    if value.kind == "null":
        return members
    if value.kind != "an object":
        raise JsonError(f"expected an object, found {value.kind} ({value.where()})")
    names = {fold(name): name for name in fields}
    for key, item in value.members():
        name = names.get(fold(key))
        if name is not None:
            members[name] = _typed(item, fields[name], members.get(name))
    return members


def _typed(value: Value, kind: str, earlier: Any) -> Any:
    if value.kind == "null":
        return earlier if kind in _ZEROES or kind == "artifact" else None
    if kind == _TEXTS:
        return _text(value)
    if kind == _NUMBERS:
        return integer(value, "")
    if kind == "float":
        return _float(value)
    if kind == _LISTS:
        _require(value, "a list")
        return [_text(item) if item.kind != "null" else "" for item in value.items()]
    if kind == _MAPS:
        _require(value, "an object")
        texts = {key: _text(item) if item.kind != "null" else "" for key, item in value.members()}
        return dict(sorted({**(earlier or {}), **texts}.items()))
    if kind == "any":
        _require(value, "an object")
        return dict(sorted({**(earlier or {}), **untyped(value)}.items()))
    nested = {"config": _CONFIG_FIELDS, "progress": _PROGRESS_FIELDS, "artifact": _ARTIFACT_FIELDS}[kind]
    return _struct(value, nested, earlier)


def _text(value: Value) -> str:
    _require(value, "a text")
    return value.text()


def _float(value: Value) -> float:
    _require(value, "a number")
    return float(value.literal)


def _require(value: Value, kind: str) -> None:
    if value.kind != kind:
        raise JsonError(f"expected {kind}, found {value.kind} ({value.where()})")
