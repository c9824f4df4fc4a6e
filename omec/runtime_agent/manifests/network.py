"""Who may talk to the agent, and to whom it may talk: NetworkPolicies, and the PodMonitor."""

from __future__ import annotations

from collections.abc import Iterable

from omec.runtime_agent.manifests.options import (
    NODE_ACCOUNT,
    PORT_NAME,
    STATUS_ACCOUNT,
    Object,
    Options,
    all_pods,
    metadata,
    selector,
)

_DNS = [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}]
_API_SERVER = (443, 6443)


def network_policies(options: Options) -> list[Object]:
    """Probes and scrapers may come in; out go name look-ups, the API server, and for nodes where weights come from.

    An API server has no labels by which a policy could name it, so that its usual ports are open to any address. Model
    hubs and registries answer at 443; other ports are those of ``egress_ports``.
    """
    return [
        _policy(NODE_ACCOUNT, "node", options, {*_API_SERVER, *options.egress_ports}),
        _policy(STATUS_ACCOUNT, "status", options, _API_SERVER),
    ]


def pod_monitor(options: Options) -> Object:
    """The metrics of both roles, for the Prometheus operator; a cluster without it shall not fail a sync."""
    described = metadata("omec-agent", options.namespace)
    described["annotations"] = {"argocd.argoproj.io/sync-options": "SkipDryRunOnMissingResource=true"}
    return {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PodMonitor",
        "metadata": described,
        "spec": {
            "selector": {"matchLabels": all_pods()},
            "podMetricsEndpoints": [{"port": PORT_NAME, "path": "/metrics"}],
        },
    }


def _policy(name: str, component: str, options: Options, ports: Iterable[int]) -> Object:
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": metadata(name, options.namespace, component),
        "spec": {
            "podSelector": {"matchLabels": selector(component)},
            "policyTypes": ["Ingress", "Egress"],
            "ingress": [{"ports": [{"port": PORT_NAME, "protocol": "TCP"}]}],
            "egress": [{"ports": [*_DNS, *({"port": port, "protocol": "TCP"} for port in sorted(ports))]}],
        },
    }
