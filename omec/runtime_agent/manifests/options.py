"""What of an installation can be chosen, and the names that its objects share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from omec.version import __version__

Object = dict[str, Any]

NODE_ACCOUNT, STATUS_ACCOUNT = "omec-agent-node", "omec-agent-status"
PORT = 8080
PORT_NAME = "metrics"
GRACE_SECONDS = 60
UNPRIVILEGED = 65532
"""The user that images without root run as, by a convention of Kubernetes' own images."""

NAME_LABEL, COMPONENT_LABEL = "app.kubernetes.io/name", "app.kubernetes.io/component"
_NAME = "omec-agent"


@dataclass(frozen=True, slots=True)
class Options:
    """An installation.

    ``node_user`` is the owner of the models' directory on the nodes, where that is not root. ``secrets`` are the
    names of the Secrets with tokens, by namespace; ``claims`` the ConfigMaps for what is read of models on claims, by
    the namespace of the claim.
    """

    namespace: str = "ome"
    image: str = f"omec-agent:{__version__}"
    pull_secrets: tuple[str, ...] = ()
    models_root: str = "/mnt/data/models"
    extra_roots: tuple[str, ...] = ()
    node_selector: Mapping[str, str] = field(default_factory=dict)
    node_user: int | None = None
    egress_ports: tuple[int, ...] = ()
    takeover: bool = False
    monitoring: bool = True
    secrets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    claims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def selector(component: str) -> dict[str, str]:
    """The labels by which the pods of ``node`` or ``status`` are found; they never change."""
    return {NAME_LABEL: _NAME, COMPONENT_LABEL: component}


def all_pods() -> dict[str, str]:
    """The label that the pods of both roles have."""
    return {NAME_LABEL: _NAME}


def metadata(name: str, namespace: str | None = None, component: str | None = None) -> Object:
    """The metadata of an object of the installation."""
    labels = selector(component) if component else all_pods()
    return {"name": name, **({"namespace": namespace} if namespace else {}), "labels": labels}
