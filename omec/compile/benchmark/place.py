"""From a field of a rendered benchmark Job back to the field of the BenchmarkJob that says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omec.compile.benchmark.pod import OUTPUT_VOLUME, OVERRIDDEN_CONTAINER
from omec.finding import FieldPath

_NAME: FieldPath = ("metadata", "name")
_SERVICE: FieldPath = ("spec", "endpoint", "inferenceService", "name")
_OUTPUT: FieldPath = ("spec", "outputLocation", "storageUri")
_OVERRIDE: FieldPath = ("spec", "podOverride")
_POD = 3
"""The pod stands at ``spec.template.spec``."""


def place_in_benchmark(path: FieldPath, job: Mapping[str, Any], spec: Mapping[str, Any]) -> FieldPath:
    """The field of the BenchmarkJob with ``spec`` that the field at ``path`` of its ``job`` comes from."""
    override = spec.get("podOverride") or {}
    pod = job["spec"]["template"]["spec"]
    match path[_POD:]:
        case ("containers", 0, "name") if pod["containers"][0]["name"] != OVERRIDDEN_CONTAINER:
            return _NAME
        case ("containers", 0, "env", int(index), *rest):
            return _env_place(pod["containers"][0]["env"][index], override, rest)
        case ("containers", 0, "volumeMounts", int(index), *rest):
            mount = pod["containers"][0]["volumeMounts"][index]
            return _entry(override, "volumeMounts", "mountPath", mount, rest) or _volume_source(mount["name"])
        case ("containers", 0, "resources" | "envFrom" | "image" as field, *rest):
            return (*_OVERRIDE, field, *rest)
        case ("volumes", int(index), *rest):
            volume = pod["volumes"][index]
            return _entry(override, "volumes", "name", volume, rest) or _volume_source(volume["name"])
        case ("tolerations" | "affinity" | "nodeSelector" as field, *rest):
            return (*_OVERRIDE, field, *rest)
    return _NAME


def _env_place(variable: Mapping[str, Any], override: Mapping[str, Any], rest: Sequence[str | int]) -> FieldPath:
    return _entry(override, "env", "name", variable, rest) or ("spec", "huggingFaceSecretReference", "name")


def _entry(
    override: Mapping[str, Any], field: str, key: str, entry: Mapping[str, Any], rest: Sequence[str | int]
) -> FieldPath | None:
    """The entry of the override with the key of ``entry``, where it has one."""
    for index, given in enumerate(override.get(field) or ()):
        if given.get(key) == entry.get(key):
            return (*_OVERRIDE, field, index, *rest)
    return None


def _volume_source(name: str) -> FieldPath:
    return _OUTPUT if name == OUTPUT_VOLUME else _SERVICE
