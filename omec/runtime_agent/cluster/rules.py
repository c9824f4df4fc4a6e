"""Rules about the connection to a cluster; each ends the command."""

from __future__ import annotations

from omec.finding import Rule, Severity

CLIENT_MISSING = Rule(
    code="OME730",
    slug="agent-extra-missing",
    severity=Severity.ERROR,
    summary="The client for Kubernetes is not installed",
    why="Linting and compiling need no cluster, so the client is an extra that only the agent's image has to carry.",
    fix="Install it with `pip install 'omec[agent]'`.",
    source="omec",
)

NO_CLUSTER = Rule(
    code="OME731",
    slug="no-cluster",
    severity=Severity.ERROR,
    summary="No cluster is configured, or the configuration cannot be used",
    why="In a pod the service account says where the API server is; elsewhere a kubeconfig does.",
    fix="Name a kubeconfig with --kubeconfig or KUBECONFIG, and one of its contexts with --context.",
    source="omec",
)

CLUSTER_REFUSES = Rule(
    code="OME732",
    slug="cluster-refuses",
    severity=Severity.ERROR,
    summary="The API server cannot be reached, or refuses what the command needs",
    why="Without it the command would show or do only a part of what was asked, and say so nowhere.",
    fix="Check the network and the identity; `kubectl auth can-i` tells what the identity may do.",
    source="omec",
)
