"""What decides about the objects beside workloads, and is said nowhere in the service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from omec.compile.capabilities import ASSUMED, Capabilities
from omec.compile.companion_settings import CHART_COMPANIONS, CompanionSettings
from omec.repo.settings_nodes import NodeGroup
from omec.resolve.quota.queue_label import ACCELERATOR_RESOURCES


class Environment(msgspec.Struct, frozen=True):
    """The operator's settings for companions, what the cluster has, and the namespace.

    ``policies`` are the specs of the AutoscalerPolicies in the namespace of the service, by name,
    ``nodes`` the nodes of the cluster, ``None`` where nothing is said about them. A component of OMENative keeps its
    Kueue queue where its pods name one of ``queue_resources``.
    """

    settings: CompanionSettings = CHART_COMPANIONS
    capabilities: Capabilities = ASSUMED
    policies: Mapping[str, Mapping[str, Any]] = msgspec.field(default_factory=dict)
    nodes: Sequence[NodeGroup] | None = None
    queue_resources: Sequence[str] = ACCELERATOR_RESOURCES
