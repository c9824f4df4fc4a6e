"""What one node says about one model: an entry of the node's ConfigMap (reference 07 §11.3), as far as it decides."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from omec.runtime_agent.contract.entry import DELETED, Entry


@dataclass(frozen=True, slots=True)
class NodeEntry:
    """The status, and the facts as JSON text (the same text on every node that has the model).

    ``status`` is ``None`` for a text that is no entry. It says nothing about the model then, but it keeps a deleted
    model from going, because nobody knows what lies on that node.
    """

    status: str | None
    config: str | None = None

    @property
    def holds(self) -> bool:
        """Whether the node still has something of the model."""
        return self.status != DELETED


UNREADABLE = NodeEntry(None)


def parse_entry(text: str) -> NodeEntry:
    """The entry in ``text``; without the progress, which changes all the time and decides nothing.

    Entries as an agent writes them are read by the fast parser. It is the contract's, which reads as Go does, that
    decides about all others.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not _is_usual(value):
        try:
            entry = Entry.parse(text)
        except ValueError:
            return UNREADABLE
        value = {"status": entry.status, "config": entry.config}
    config = value.get("config")
    return NodeEntry(value["status"], json.dumps(config, separators=(",", ":"), sort_keys=True) if config else None)


def _is_usual(value: Any) -> bool:
    if not isinstance(value, dict) or not value.keys() <= {"name", "status", "config", "progress"}:
        return False
    config, progress = value.get("config", {}), value.get("progress", {})
    return (
        isinstance(value.get("name"), str)
        and isinstance(value.get("status"), str)
        and isinstance(progress, dict)
        and isinstance(config, dict)
        and all(_is_usual_fact(name, fact) for name, fact in config.items())
    )


def _is_usual_fact(name: str, fact: Any) -> bool:
    if name in _TEXTS:
        return isinstance(fact, str)
    if name in _OBJECTS:
        return isinstance(fact, dict)
    if name in _LISTS:
        return isinstance(fact, list) and all(isinstance(item, str) for item in fact)
    return name == "maxTokens" and type(fact) is int


_TEXTS = frozenset({"modelType", "modelArchitecture", "modelParameterSize", "quantization"})
_OBJECTS = frozenset({"modelFramework", "modelFormat", "decodedModelConfiguration", "artifact"})
_LISTS = frozenset({"modelCapabilities", "apiCapabilities"})
