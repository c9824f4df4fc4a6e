"""The Sidecar of Istio that OME makes for groups of pods in the mesh.

No document of OME's tells of it; OME's answers do: a component of mode MultiNode whose pods are to have Istio's proxy
gets one, with the name of the component in place of the service in its selector.
"""

from __future__ import annotations

from collections.abc import Mapping

from omec.compile.inputs import Object
from omec.compile.metadata import INFERENCE_SERVICE_LABEL
from omec.compile.names import DEFAULT_PORT

_INJECT_LABEL = "sidecar.istio.io/inject"


def istio_sidecar(name: str, namespace: str, labels: Mapping[str, str]) -> Object | None:
    """The Sidecar of the component called ``name`` with ``labels``; ``None`` where its pods are not in the mesh."""
    if labels.get(_INJECT_LABEL) != "true":
        return None
    port = {"number": DEFAULT_PORT, "protocol": "HTTP"}
    return {
        "apiVersion": "networking.istio.io/v1beta1",
        "kind": "Sidecar",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "workloadSelector": {"labels": {INFERENCE_SERVICE_LABEL: name}},
            "ingress": [{"port": dict(port)}],
            "egress": [{"port": dict(port), "hosts": ["./*"]}],
        },
    }
