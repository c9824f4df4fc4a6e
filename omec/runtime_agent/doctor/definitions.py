"""Are the definitions of ome.io there, and new enough for what omec renders?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.api.crd import custom_resource_definition
from omec.api.kinds import GROUP, KINDS
from omec.runtime_agent.doctor.report import Line
from omec.runtime_agent.doctor.rules import DEFINITION_MISSING, DEFINITION_TOO_OLD

Object = Mapping[str, Any]

_NEEDED = frozenset(
    {"AcceleratorClass", "BaseModel", "ClusterBaseModel", "ClusterServingRuntime", "InferenceService", "ServingRuntime"}
)
"""Kinds that every installation has; the others belong to parts that are optional."""
_NAMED = 3


def definition_lines(live: Mapping[str, Object]) -> Iterator[Line]:
    """``live`` are the CustomResourceDefinitions of the cluster by name."""
    current = 0
    undefined: list[str] = []
    absent: list[str] = []
    for kind in KINDS:
        wanted = custom_resource_definition(kind)
        found = live.get(wanted["metadata"]["name"])
        if found is None:
            (undefined if kind in _NEEDED else absent).append(kind)
            continue
        missing = missing_fields(wanted, found)
        if missing:
            yield Line(f"the definition of {kind} has no {_listed(missing)}", DEFINITION_TOO_OLD)
        else:
            current += 1
    if undefined:
        yield Line(f"{GROUP} has no {', '.join(undefined)}", DEFINITION_MISSING)
    if current:
        yield Line(f"definitions: {current} kinds of {GROUP} as of OME 1.3")
    if absent:
        yield Line(f"definitions of optional kinds: none of {', '.join(absent)}", level="-")


def missing_fields(wanted: Object, found: Object) -> list[str]:
    """The fields of ``spec`` and ``status`` that ``found`` does not have; the version where it does not serve it."""
    version = wanted["spec"]["versions"][0]
    served = next((each for each in found["spec"]["versions"] if each["name"] == version["name"]), None)
    if served is None or not served.get("served"):
        return [f"version {version['name']}"]
    missing = [] if "status" in (served.get("subresources") or {}) else ["subresource status"]
    ours, theirs = _root(version), _root(served)
    for part in ("spec", "status"):
        there = theirs.get(part) or {}
        if there.get("x-kubernetes-preserve-unknown-fields"):
            continue
        known = there.get("properties") or {}
        missing += [f"{part}.{name}" for name in (ours.get(part) or {}).get("properties") or {} if name not in known]
    return missing


def _root(version: Object) -> Object:
    schema: Object = ((version.get("schema") or {}).get("openAPIV3Schema") or {}).get("properties") or {}
    return schema


def _listed(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
