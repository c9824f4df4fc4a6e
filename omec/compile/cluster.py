"""The cluster that objects are rendered for, as far as its configuration is known."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from omec.compile.capabilities import Capabilities
from omec.compile.environment import Environment
from omec.compile.native.target import Target
from omec.compile.operator import CHART_DEFAULTS, OperatorConfig
from omec.compile.operator_source import OperatorSettings
from omec.compile.webhook.settings import WebhookSettings
from omec.repo.config import Config
from omec.resolve.quota.queue_label import ACCELERATOR_RESOURCES


class Cluster(msgspec.Struct, frozen=True):
    """``target`` says who runs in it, ``operator`` how OME is configured, ``environment`` what else there is,
    ``webhook`` what pods are injected with (``None``: nothing is).

    The policies of ``environment`` are those of no namespace; each service gets those of its own. ``metadata``: whether
    objects carry omec's marks, ``model_config``: whether there is a ConfigMap for each model that is served.
    """

    target: Target = msgspec.field(default_factory=Target)
    operator: OperatorConfig = CHART_DEFAULTS
    environment: Environment = msgspec.field(default_factory=Environment)
    webhook: WebhookSettings | None = None
    metadata: bool = True
    model_config: bool = False


def cluster_of(config: Config, operator: OperatorSettings) -> Cluster:
    """The cluster that ``config`` describes, with the settings of its operator."""
    return Cluster(
        Target(config.platform, config.ome_version, operator.native),
        operator.config,
        Environment(
            operator.companions,
            Capabilities.of(config.capabilities),
            nodes=config.nodes,
            queue_resources=_queue_resources(config),
        ),
        operator.webhook,
        metadata=config.metadata,
        model_config=config.model_config,
    )


def _queue_resources(config: Config) -> Sequence[str]:
    if "accelerator-resources" not in config.quota:
        return ACCELERATOR_RESOURCES
    from omec.compile.kueue.settings import settings_of  # noqa: PLC0415 - few repositories have quotas

    return settings_of(config).accelerator_resources
