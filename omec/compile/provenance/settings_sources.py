"""The settings of OME's operator and of omec.toml as sources."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from omec.compile.disruption_settings import CHART as BUDGETS
from omec.compile.disruption_settings import KEY as BUDGETS_KEY
from omec.compile.exposure.settings import CHART as INGRESS
from omec.compile.exposure.settings import KEY as INGRESS_KEY
from omec.compile.native.defaults import CHART as NATIVE
from omec.compile.operator import CHART as OPERATOR
from omec.compile.operator import overlaid
from omec.compile.operator_source import operator_config_map
from omec.compile.provenance.source import Role, Source, of_document
from omec.compile.provenance.values import has
from omec.compile.webhook.settings import CHART as WEBHOOK
from omec.finding import FieldPath, Position
from omec.repo.config import Config
from omec.repo.document import Document

_CHART: dict[str, Any] = overlaid(
    overlaid(OPERATOR, {"deploy": NATIVE, INGRESS_KEY: INGRESS, BUDGETS_KEY: BUDGETS}), WEBHOOK
)
"""What OME's Helm chart sets of all that omec reads."""


class SettingsSources:
    """The configuration of one run, as sources that can be changed."""

    def __init__(self, config: Config, others: Sequence[Document]) -> None:
        self.config = config
        self.others = others
        self._document = operator_config_map(others)
        written = {
            "operator": dict(config.operator),
            "default-namespace": config.default_namespace,
            "quota": dict(config.quota),
            "benchmark": dict(config.benchmark or {}),
        }
        self.toml = Source(
            Role.CONFIG,
            "omec.toml" if config.path is None else config.path.name,
            {key: value for key, value in written.items() if value},
            self._in_file,
            written="" if config.path is None else config.path.name,
        )
        self.chart = Source(Role.CHART, "OME's chart", {"operator": _CHART}, lambda _: None)

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """A ConfigMap of the repository stands for itself; nothing else says anything about the operator then."""
        if self._document is None:
            return self.toml, self.chart
        return self.config_map, self.toml

    @cached_property
    def config_map(self) -> Source:
        assert self._document is not None
        data = self._document.value.get("data") or {}
        value = {"data": {key: _parsed(text) for key, text in data.items()}}
        return of_document(Role.CONFIG_MAP, self._document, value, depth=2)

    def changed(self, changes: Mapping[Source, Any]) -> tuple[Config, Sequence[Document]]:
        """The configuration and the documents with ``changes``."""
        toml = changes.get(self.toml, self.toml.value)
        operator = toml.get("operator") or {}
        if self.chart in changes:
            operator = overlaid(changes[self.chart]["operator"], operator)
        config = replace(
            self.config,
            operator=operator,
            default_namespace=toml.get("default-namespace"),
            quota=toml.get("quota") or {},
            benchmark=toml.get("benchmark") or self.config.benchmark,
        )
        if self._document is None or self.config_map not in changes:
            return config, self.others
        data = {key: _text(value) for key, value in changes[self.config_map]["data"].items()}
        other = self._document.with_value({**self._document.value, "data": data})
        return config, [other if item is self._document else item for item in self.others]

    def _in_file(self, path: FieldPath) -> Position | None:
        """The place of a setting; ``None`` where the command line gives it."""
        if self.config.path is None:
            return None
        from omec.repo import settings_file  # noqa: PLC0415

        file = settings_file.read(self.config.path)
        of_environment = ("environments", self.config.environment or "", *path)
        return next((file.position(full) for full in (of_environment, path) if has(file.settings, full)), None)


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return text


def _text(value: Any) -> Any:
    return value if isinstance(value, str) else json.dumps(value)
