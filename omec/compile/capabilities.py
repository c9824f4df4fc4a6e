"""Which optional APIs the cluster has: whatever needs one of them is rendered only where it exists."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from msgspec.structs import fields

_RESOURCES = {
    "autoscaler_policies": "autoscalerpolicies.ome.io",
    "envoy_gateway": "backendtrafficpolicies.gateway.envoyproxy.io",
    "gateway_api": "httproutes.gateway.networking.k8s.io",
    "istio": "destinationrules.networking.istio.io",
    "keda": "scaledobjects.keda.sh",
    "kueue": "clusterqueues.kueue.x-k8s.io",
    "pod_monitors": "podmonitors.monitoring.coreos.com",
}
"""The resource that shows that the API of a field is there, as ``kubectl get crd`` names it."""


class Capabilities(msgspec.Struct, frozen=True):
    """The optional APIs of the cluster.

    The defaults hold where nothing is said about the cluster: what a manifest or the operator's configuration asks for
    by name is taken to exist, and what OME makes only because it has found the API is left out.
    """

    autoscaler_policies: bool = True
    envoy_gateway: bool = True
    gateway_api: bool = True
    istio: bool = False
    keda: bool = True
    kueue: bool = False
    pod_monitors: bool = False

    @classmethod
    def of(cls, resources: Collection[str] | None) -> Capabilities:
        """Exactly the APIs that ``resources`` name, each as ``scaledobjects.keda.sh`` or by its group, ``keda.sh``.

        ``None`` says nothing about the cluster.
        """
        if resources is None:
            return cls()
        return cls(**{field.name: _has(resources, _RESOURCES[field.name]) for field in fields(cls)})

    @property
    def istio_is_active(self) -> bool:
        """Whether OME's traffic policies are Istio's: of two gateways it takes Envoy Gateway."""
        return self.istio and not self.envoy_gateway


ASSUMED = Capabilities()
"""What is taken for granted where nothing is said."""


def _has(resources: Collection[str], resource: str) -> bool:
    return resource in resources or resource.partition(".")[2] in resources
