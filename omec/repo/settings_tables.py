"""The settings that are tables of their own: catalogs elsewhere, quotas and benchmarks."""

from __future__ import annotations

from typing import Any

import msgspec

from omec.repo.config_rules import CONFIG_RESERVED
from omec.repo.settings import Place, table, text, type_name

QUOTA_KEYS = (
    "max-depth",
    "enrolled-namespaces",
    "cover-resources",
    "default-distribution-policy",
    "known-quotas",
    "accelerator-resources",
)
BENCHMARK_KEYS = ("image", "cpuRequest", "memoryRequest", "cpuLimit", "memoryLimit")


class CatalogSource(msgspec.Struct, frozen=True):
    """One entry of ``[[sources]]``: a catalog of runtimes and models that lives elsewhere."""

    path: str


def catalog_sources(value: Any, place: Place) -> tuple[CatalogSource, ...]:
    if not isinstance(value, list | tuple):
        raise place.error(f"must be a list of tables, not {type_name(value)}", hint="write it as [[sources]]")
    return tuple(_catalog_source(item, place.child(index)) for index, item in enumerate(value))


def _catalog_source(value: Any, place: Place) -> CatalogSource:
    entry = table(value, place)
    for key in entry:
        if key in ("git", "rev"):
            raise place.child(key).error(
                "is reserved for a later release of omec",
                hint="fetch the repository yourself and name its folder with path",
                rule=CONFIG_RESERVED,
            )
        if key != "path":
            raise place.unknown(key, ("path",))
    if "path" not in entry:
        raise place.error("has no path", hint='write path = "folder"')
    return CatalogSource(text(entry["path"], place.child("path")))


def quota(value: Any, place: Place) -> dict[str, Any]:
    """The settings of OME's quota manager; what a value may be is known where quotas are judged."""
    return _known(value, place, QUOTA_KEYS)


def benchmark(value: Any, place: Place) -> dict[str, Any]:
    """The fields of ``podConfig`` of OME's ConfigMap ``benchmarkjob-config``."""
    return {key: text(item, place.child(key)) for key, item in _known(value, place, BENCHMARK_KEYS).items()}


def _known(value: Any, place: Place, keys: tuple[str, ...]) -> dict[str, Any]:
    given = dict(table(value, place))
    for key in given:
        if key not in keys:
            raise place.unknown(key, keys)
    return given
