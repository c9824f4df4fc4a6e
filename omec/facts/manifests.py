"""Which facts a manifest lacks, as edits of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.repo.edit import Put

WRITTEN_FIELDS = (
    "modelType",
    "modelArchitecture",
    "modelFormat",
    "modelFramework",
    "modelParameterSize",
    "maxTokens",
    "modelCapabilities",
    "quantization",
    "diffusionPipeline",
)
"""In the order in which they are written. ``modelConfiguration`` is not among them: OME's agent replaces it whenever a
byte differs, which a GitOps tool would take for drift, and no decision rests on it."""

_SAYS_NOTHING: tuple[Any, ...] = (None, "", [], [""], {})


def additions(spec: Mapping[str, Any], filled: Mapping[str, Any]) -> list[Put]:
    """What ``filled`` has and the manifest's ``spec`` lacks."""
    added: list[Put] = []
    for name in WRITTEN_FIELDS:
        given, value = spec.get(name), filled.get(name)
        if value in _SAYS_NOTHING or value == given:
            continue
        if given in _SAYS_NOTHING:
            added.append(Put(("spec", name), value))
        elif isinstance(given, dict) and isinstance(value, dict):
            added += [Put(("spec", name, key), value[key]) for key in value if given.get(key) in _SAYS_NOTHING]
    return added
