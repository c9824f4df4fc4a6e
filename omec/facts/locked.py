"""What ``omec.lock`` holds about one model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from omec.facts.attention import Attention
from omec.facts.facts import Facts
from omec.facts.filling import fill_as_agent, fill_as_controller
from omec.finding import FieldPath

Check = Callable[[Any], bool]


class InvalidBlockError(Exception):
    """A value of a block that cannot be used: its ``path`` in the block, what is wrong, and the keys it may have been.

    ``known`` is there only where the key itself is the problem.
    """

    def __init__(self, path: FieldPath, problem: str, known: tuple[str, ...] = ()) -> None:
        super().__init__(problem)
        self.path = path
        self.problem = problem
        self.known = known


class LockedModel(msgspec.Struct, frozen=True):
    """The facts of one model, and the files that they came from.

    ``uri`` is the model's storage URI as its manifest has it, ``revision`` what that meant when it was read (a commit
    of the hub, the digest of an OCI manifest; empty for a directory), ``digest`` that of everything that was read.
    ``facts`` are the fields that OME would fill into a spec that has none of them.
    """

    uri: str
    digest: str
    revision: str = ""
    facts: Mapping[str, Any] = msgspec.field(default_factory=dict)
    weights: Mapping[str, int] = msgspec.field(default_factory=dict)
    attention: Attention | None = None

    @classmethod
    def of(cls, uri: str, facts: Facts, *, revision: str, digest: str) -> LockedModel:
        """The block for a model whose files were read just now."""
        return cls(uri, digest, revision, facts.spec(), dict(facts.weight_bytes), facts.attention)

    @classmethod
    def from_dict(cls, block: Any) -> LockedModel:
        """The block as it stands in the file; raises :class:`InvalidBlockError`."""
        values = _checked(block, _BLOCK, (), required=("uri", "digest"))
        memory = _checked(values.get("memory", {}), _MEMORY, ("memory",))
        attention = _checked(memory.get("attention", {}), dict.fromkeys(_DIMENSIONS, _NUMBER), ("memory", "attention"))
        facts = _checked(values.get("facts", {}), _FACTS, ("facts",))
        return cls(
            uri=values["uri"],
            digest=values["digest"],
            revision=values.get("revision", ""),
            facts=facts,
            weights=memory.get("weights", {}),
            attention=Attention.from_dict(attention) if attention else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """The block as it is written; empty parts are left out."""
        memory: dict[str, Any] = {"weights": dict(self.weights)} if self.weights else {}
        if self.attention is not None:
            memory["attention"] = self.attention.to_dict()
        block = {
            "uri": self.uri,
            "revision": self.revision,
            "digest": self.digest,
            "facts": dict(self.facts),
            "memory": memory,
        }
        return {key: value for key, value in block.items() if value}

    def fill(self, spec: Mapping[str, Any], *, by_job: bool = False) -> dict[str, Any]:
        """``spec`` as it becomes in the cluster: what it leaves unset is filled, what it sets stays.

        ``by_job`` is for a model on a PVC, which only the controller fills. Source: reference 08 §9.
        """
        filled = dict(spec) if by_job else fill_as_agent(spec, self.facts)
        return fill_as_controller(filled, self.facts)


def _checked(value: Any, known: Mapping[str, Check], path: FieldPath, required: tuple[str, ...] = ()) -> dict[str, Any]:
    """``value``, if it is a mapping of ``known`` keys whose values pass their checks."""
    if not isinstance(value, dict):
        raise InvalidBlockError(path, "is no mapping")
    for key, item in value.items():
        if key not in known:
            raise InvalidBlockError((*path, key), "is a key that this omec does not know", tuple(known))
        if not known[key](item):
            raise InvalidBlockError((*path, key), f"is not {_EXPECTED[known[key]]}")
    for key in required:
        if key not in value:
            raise InvalidBlockError(path, f"has no {key}")
    return value


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_versioned(value: Any) -> bool:
    return isinstance(value, dict) and "name" in value and {"name", "version"} >= value.keys() and _all_texts(value)


def _all_texts(value: dict[str, Any]) -> bool:
    return all(map(_is_text, value.values()))


def _is_sizes(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_number, value.values()))


_TEXT, _NUMBER, _MAPPING = _is_text, _is_number, _is_mapping
_EXPECTED: Mapping[Check, str] = {
    _is_text: "a text",
    _is_number: "a whole number",
    _is_mapping: "a mapping",
    _is_texts: "a list of texts",
    _is_versioned: "a name and a version",
    _is_sizes: "a mapping to numbers of bytes",
}
_BLOCK = {"uri": _TEXT, "revision": _TEXT, "digest": _TEXT, "facts": _MAPPING, "memory": _MAPPING}
_MEMORY = {"weights": _is_sizes, "attention": _MAPPING}
_DIMENSIONS = ("layers", "heads", "kvHeads", "headSize", "latent", "windowedLayers", "window")
_FACTS = {
    "modelType": _TEXT,
    "modelArchitecture": _TEXT,
    "modelFormat": _is_versioned,
    "modelFramework": _is_versioned,
    "modelParameterSize": _TEXT,
    "maxTokens": _NUMBER,
    "modelCapabilities": _is_texts,
    "quantization": _TEXT,
    "modelConfiguration": _MAPPING,
    "diffusionPipeline": _MAPPING,
}
