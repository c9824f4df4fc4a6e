"""Diffusion pipelines: what an entry requires of a model's (OME docs: diffusion-pipeline-runtime-matching)."""

from __future__ import annotations

from typing import Any

from omec.resolve import reasons
from omec.resolve.facts import Data, as_text

COMPONENTS = ("scheduler", "textEncoder", "tokenizer", "transformer", "vae")
"""In the order in which OME compares them."""


def pipeline_mismatch(required: Data | None, given: Data | None) -> str | None:
    """Why the model's pipeline ``given`` does not meet an entry's, or ``None`` where it does.

    Only what the entry sets is required; an entry without a pipeline accepts every model.
    """
    if required is None:
        return None
    if given is None:
        return reasons.PIPELINE_MISSING
    name, model_name = as_text(required.get("className")), as_text(given.get("className"))
    if name is not None and name != model_name:
        return reasons.differs("pipeline class", "<nil>" if model_name is None else model_name, name)
    for component in COMPONENTS:
        wanted, found = _component(required.get(component)), _component(given.get(component))
        if wanted is None:
            continue
        if found is None:
            return reasons.component_missing(component)
        if mismatch := _component_mismatch(component, wanted, found):
            return mismatch
    return _additional_mismatch(_components(required), _components(given))


def _additional_mismatch(required: dict[str, Data], given: dict[str, Data]) -> str | None:
    """OME goes through a Go map, so with several failing keys its choice is open; omec takes the first by name."""
    if required and not given:
        return reasons.PIPELINE_COMPONENTS_MISSING
    for name in sorted(required):
        if name not in given:
            return reasons.additional_component_missing(name)
        if mismatch := _component_mismatch(name, required[name], given[name]):
            return mismatch
    return None


def _component_mismatch(name: str, required: Data, given: Data) -> str | None:
    for field in ("library", "type"):
        wanted, found = as_text(required.get(field)) or "", as_text(given.get(field)) or ""
        if wanted and wanted != found:
            return reasons.differs(f"{name} {field}", found, wanted)
    return None


def _component(value: Any) -> Data | None:
    return value if isinstance(value, dict) else None


def _components(pipeline: Data) -> dict[str, Data]:
    additional = pipeline.get("additionalComponents")
    if not isinstance(additional, dict):
        return {}
    return {name: value if isinstance(value, dict) else {} for name, value in additional.items()}
