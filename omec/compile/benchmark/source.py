"""Where the configuration of benchmark pods comes from: a ConfigMap of the repository, else omec.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omec.compile.benchmark import rules
from omec.compile.benchmark.config import (
    CONFIG_KEY,
    CONFIG_MAP,
    BenchmarkConfigError,
    PodConfig,
    config_of_settings,
    config_of_text,
)
from omec.errors import OmecError
from omec.finding import Finding, ObjectRef, Related
from omec.repo.document import Document

_OME_NAMESPACE = "ome"


def benchmark_config(
    others: Sequence[Document], settings: Mapping[str, Any] | None
) -> tuple[PodConfig | None, list[Finding]]:
    """The configuration, ``None`` where nothing gives one, and what is wrong with the ConfigMap.

    ``settings`` is the table ``benchmark`` of omec.toml. Raises :class:`OmecError` for one that OME could not use.
    """
    configured = None if settings is None else _of_settings(settings)
    found = [document for document in others if _is_config(document)]
    preferred = [document for document in found if _namespace(document) == _OME_NAMESPACE] or found
    if not preferred:
        return configured, []
    if len(preferred) > 1:
        return configured, [_ambiguous(document, preferred) for document in preferred]
    return _of_config_map(preferred[0])


def _of_settings(settings: Mapping[str, Any]) -> PodConfig:
    try:
        config = config_of_settings(settings)
        config.resources()
    except BenchmarkConfigError as error:
        raise OmecError(f"benchmark: {error}", hint="correct omec.toml", code="OME013") from error
    return config


def _of_config_map(document: Document) -> tuple[PodConfig | None, list[Finding]]:
    data = document.value.get("data")
    text = data.get(CONFIG_KEY) if isinstance(data, dict) else None
    try:
        config = config_of_text(text) if isinstance(text, str) else PodConfig()
        config.resources()
    except BenchmarkConfigError as error:
        return None, [_finding(document, str(error))]
    return config, []


def _is_config(document: Document) -> bool:
    metadata = document.value.get("metadata")
    named = isinstance(metadata, dict) and metadata.get("name") == CONFIG_MAP
    return document.value.get("kind") == "ConfigMap" and named


def _namespace(document: Document) -> str | None:
    namespace = document.value["metadata"].get("namespace")
    return namespace if isinstance(namespace, str) else None


def _finding(document: Document, message: str) -> Finding:
    return Finding(
        rules.BENCHMARK_CONFIG,
        message,
        document.locate(("data", CONFIG_KEY)),
        object=ObjectRef("ConfigMap", _namespace(document), CONFIG_MAP),
        field=f"data.{CONFIG_KEY}",
        help="correct the JSON text under this key",
    )


def _ambiguous(document: Document, copies: Sequence[Document]) -> Finding:
    where = ("metadata", "name")
    others = [copy.locate(where) for copy in copies if copy is not document]
    return Finding(
        rules.BENCHMARK_CONFIG,
        f"the configuration of benchmarks is also defined in {', '.join(str(position) for position in others)}",
        document.locate(where),
        object=ObjectRef("ConfigMap", _namespace(document), CONFIG_MAP),
        field="metadata.name",
        help="keep one of them, or leave the others out with exclude",
        related=tuple(Related(position, "also defined here") for position in others),
    )
