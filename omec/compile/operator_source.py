"""Where the operator settings come from: a ConfigMap of the repository, else omec.toml, else OME's chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from omec.catalog.build import OPERATOR_CONFIGMAP
from omec.compile.companion_settings import (
    CompanionSettings,
    companion_settings_of_config_map,
    companion_settings_of_settings,
)
from omec.compile.native.defaults import (
    NativeDefaults,
    native_defaults_of_config_map,
    native_defaults_of_settings,
)
from omec.compile.operator import (
    OperatorConfig,
    OperatorConfigError,
    operator_config_of_config_map,
    operator_config_of_settings,
)
from omec.compile.repository_rules import OPERATOR_CONFIG_AMBIGUOUS, OPERATOR_CONFIG_INVALID
from omec.compile.webhook.settings import (
    WebhookSettings,
    webhook_settings_of_config_map,
    webhook_settings_of_settings,
)
from omec.errors import OmecError
from omec.finding import Finding, ObjectRef, Related
from omec.repo.config import Config
from omec.repo.document import Document

_OME_NAMESPACE = "ome"


class OperatorSettings(msgspec.Struct, frozen=True):
    """The operator settings by what they are about, what is wrong with the ConfigMap that holds them, and whether
    there is one.
    """

    config: OperatorConfig
    companions: CompanionSettings
    native: NativeDefaults
    webhook: WebhookSettings
    findings: tuple[Finding, ...] = ()
    in_repository: bool = False


def operator_settings(others: Sequence[Document], config: Config) -> OperatorSettings:
    """The operator settings of a repository.

    Raises :class:`OmecError` where the ``operator`` table of the configuration is one that OME would refuse.
    """
    try:
        settings = OperatorSettings(
            operator_config_of_settings(config.operator),
            companion_settings_of_settings(config.operator),
            native_defaults_of_settings(config.operator),
            webhook_settings_of_settings(config.operator),
        )
    except OperatorConfigError as error:
        raise OmecError(f"operator.{error.key}: {error.message}", hint="correct omec.toml", code="OME013") from error
    preferred = _preferred(others)
    if not preferred:
        return settings
    if len(preferred) > 1:
        findings = tuple(_ambiguous(document, preferred) for document in preferred)
        return replace(settings, findings=findings, in_repository=True)
    document = preferred[0]
    try:
        return _of_config_map(document.value.get("data"))
    except OperatorConfigError as error:
        return replace(settings, findings=(_invalid(document, error),), in_repository=True)


def operator_config_map(others: Sequence[Document]) -> Document | None:
    """The ConfigMap of the repository that holds the settings, ``None`` where there is none or more than one."""
    preferred = _preferred(others)
    return preferred[0] if len(preferred) == 1 else None


def _preferred(others: Sequence[Document]) -> list[Document]:
    """The ConfigMaps of that name: those of OME's namespace, else all."""
    candidates = [document for document in others if _is_operator_config(document)]
    return [document for document in candidates if _namespace(document) == _OME_NAMESPACE] or candidates


def _of_config_map(value: Any) -> OperatorSettings:
    data = value if isinstance(value, dict) else {}
    return OperatorSettings(
        operator_config_of_config_map(data),
        companion_settings_of_config_map(data),
        native_defaults_of_config_map(data),
        webhook_settings_of_config_map(data),
        in_repository=True,
    )


def _is_operator_config(document: Document) -> bool:
    metadata = document.value.get("metadata")
    return (
        document.value.get("kind") == "ConfigMap"
        and isinstance(metadata, dict)
        and metadata.get("name") == OPERATOR_CONFIGMAP
    )


def _namespace(document: Document) -> str | None:
    namespace = document.value["metadata"].get("namespace")
    return namespace if isinstance(namespace, str) else None


def _ref(document: Document) -> ObjectRef:
    return ObjectRef("ConfigMap", _namespace(document), OPERATOR_CONFIGMAP)


def _ambiguous(document: Document, copies: Sequence[Document]) -> Finding:
    where = ("metadata", "name")
    others = [copy.locate(where) for copy in copies if copy is not document]
    return Finding(
        OPERATOR_CONFIG_AMBIGUOUS,
        f"the operator settings are also defined in {', '.join(str(position) for position in others)}",
        document.locate(where),
        object=_ref(document),
        field="metadata.name",
        help="keep one of them, or leave the others out with exclude",
        related=tuple(Related(position, "also defined here") for position in others),
    )


def _invalid(document: Document, error: OperatorConfigError) -> Finding:
    return Finding(
        OPERATOR_CONFIG_INVALID,
        error.message,
        document.locate(("data", error.key)),
        object=_ref(document),
        field=f"data.{error.key}",
        help=error.remedy,
    )
