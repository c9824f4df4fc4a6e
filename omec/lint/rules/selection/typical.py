"""The model that an entry of a runtime is made for."""

from __future__ import annotations

from omec.resolve.entry import Entry, Requirement
from omec.resolve.facts import ModelFacts, Versioned


def typical_model(entry: Entry) -> ModelFacts | None:
    """A model of no known size with exactly what ``entry`` asks for; ``None`` where not even that would match.

    Every other model that the entry matches gets the same score from it, and so from every entry with its demand.
    """
    wanted = _versioned(entry.format)
    if wanted is None:
        return None
    model = ModelFacts(
        format=wanted,
        framework=_versioned(entry.framework),
        architecture=entry.architecture,
        quantization=entry.quantization,
        pipeline=entry.pipeline,
        size=None,
        size_value=0.0,
        sharded=False,
    )
    return model if entry.matches(model) else None


def _versioned(requirement: Requirement | None) -> Versioned | None:
    return None if requirement is None else Versioned(requirement.name, requirement.version, requirement.parsed)
