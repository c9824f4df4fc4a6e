"""The Deployment of the status role."""

from __future__ import annotations

from omec.runtime_agent.manifests.options import STATUS_ACCOUNT, UNPRIVILEGED, Object, Options, metadata, selector
from omec.runtime_agent.manifests.pods import container, from_field, pod, scratch_home

_RESOURCES = {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "512Mi"}}
_USER = {"runAsNonRoot": True, "runAsUser": UNPRIVILEGED, "runAsGroup": UNPRIVILEGED}


def deployment(options: Options) -> Object:
    """Two replicas on two nodes, where there are two: one writes, the other takes over within seconds."""
    main = container("status", options, ["status", f"--metadata-image={options.image}"], _RESOURCES)
    main["env"] = [
        scratch_home(),
        from_field("POD_NAME", "metadata.name"),
        from_field("POD_NAMESPACE", "metadata.namespace"),
    ]
    template = pod(STATUS_ACCOUNT, options, main, _USER)
    template["priorityClassName"] = "system-cluster-critical"
    template["nodeSelector"] = {"kubernetes.io/os": "linux"}
    template["topologySpreadConstraints"] = [
        {
            "maxSkew": 1,
            "topologyKey": "kubernetes.io/hostname",
            "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": {"matchLabels": selector("status")},
        }
    ]
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata(STATUS_ACCOUNT, options.namespace, "status"),
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": selector("status")},
            "template": {"metadata": {"labels": selector("status")}, "spec": template},
        },
    }
