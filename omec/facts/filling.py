"""Filling what a model's spec leaves unset.

Two writers do it in a cluster. The model agent writes the spec of a model that it has downloaded, and records the same
facts in a ConfigMap of its node; from that the controller fills what is still unset, and is the only writer for a model
on a PVC. Both leave alone what the user set. They differ in small things (reference 08 §9, ``spec-fill`` goldens).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TEXTS = ("modelType", "modelArchitecture", "modelParameterSize")

Spec = Mapping[str, Any]


def fill_as_agent(spec: Spec, derived: Spec) -> dict[str, Any]:
    """A copy of ``spec`` with the fields that the agent writes; ``derived`` has the facts under the spec's names.

    Derived texts are written even when they are empty. ``modelConfiguration`` is filled only where there is none, as
    the documentation promises; OME's code replaces another one.
    """
    filled = dict(spec)
    for name in _TEXTS:
        if name in derived and filled.get(name) is None:
            filled[name] = derived[name]
    if not _name_of(filled.get("modelFormat")) and derived.get("modelFormat"):
        filled["modelFormat"] = derived["modelFormat"]
    for name in ("modelFramework", "modelConfiguration", "diffusionPipeline"):
        _fill_absent(filled, derived, name)
    _fill_values(filled, derived)
    return filled


def fill_as_controller(spec: Spec, derived: Spec) -> dict[str, Any]:
    """A copy of ``spec`` with the fields that the controller writes from a node's ConfigMap.

    Empty texts are not written. A format that has a name but no version gets the derived version, whatever the name.
    """
    filled = dict(spec)
    for name in _TEXTS:
        if derived.get(name) and filled.get(name) is None:
            filled[name] = derived[name]
    own_format = filled.get("modelFormat") or {}
    if isinstance(own_format, Mapping) and (added := _missing(own_format, _without_empty(derived.get("modelFormat")))):
        filled["modelFormat"] = {**own_format, **added}
    derived_framework = _without_empty(derived.get("modelFramework"))
    if derived_framework and filled.get("modelFramework") is None:
        filled["modelFramework"] = derived_framework
    _fill_values(filled, derived)
    return filled


def _fill_values(filled: dict[str, Any], derived: Spec) -> None:
    """The fields that both writers treat alike."""
    if (derived.get("maxTokens") or 0) > 0:
        _fill_absent(filled, derived, "maxTokens")
    if not filled.get("modelCapabilities") and derived.get("modelCapabilities"):
        filled["modelCapabilities"] = derived["modelCapabilities"]
    _fill_absent(filled, derived, "quantization")


def _fill_absent(filled: dict[str, Any], derived: Spec, name: str) -> None:
    if derived.get(name) and filled.get(name) is None:
        filled[name] = derived[name]


def _name_of(named: Any) -> Any:
    return named.get("name") if isinstance(named, Mapping) else named


def _without_empty(named: Any) -> dict[str, Any]:
    """A ``{name, version}`` without empty or absent texts; nothing for anything else."""
    return {key: value for key, value in named.items() if value} if isinstance(named, Mapping) else {}


def _missing(own: Spec, derived: Spec) -> dict[str, Any]:
    """What ``own`` lacks of ``derived``: a name that is empty counts as lacking, a version only where it is absent."""
    lacks_name, lacks_version = not own.get("name"), own.get("version") is None
    return {key: value for key, value in derived.items() if (lacks_name if key == "name" else lacks_version)}
