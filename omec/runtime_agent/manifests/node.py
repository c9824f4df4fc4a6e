"""The DaemonSet of the node role."""

from __future__ import annotations

from omec.runtime_agent.manifests.options import NODE_ACCOUNT, Object, Options, metadata, selector
from omec.runtime_agent.manifests.pods import container, from_field, pod, scratch_home

_RESOURCES = {"requests": {"cpu": "100m", "memory": "256Mi"}, "limits": {"memory": "4Gi"}}
_GPU_NODES = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}


def daemon_set(options: Options) -> Object:
    """The models' directory is the host's, mounted at the same path: a path means the same in models and in pods.

    The kubelet makes a missing directory for root alone, so that the role runs as root, without any capability, unless
    the directory is known to belong to another user.
    """
    roots = (options.models_root, *options.extra_roots)
    arguments = [
        "node",
        *(f"--models-root={root}" for root in roots[:1]),
        *(f"--extra-root={root}" for root in roots[1:]),
    ]
    main = container("node", options, arguments, _RESOURCES)
    main["env"] = [
        scratch_home(),
        from_field("NODE_NAME", "spec.nodeName"),
        from_field("POD_NAMESPACE", "metadata.namespace"),
    ]
    template = pod(NODE_ACCOUNT, options, main, _user(options))
    for number, root in enumerate(roots):
        name = "models" if number == 0 else f"models-{number}"
        main["volumeMounts"].append({"name": name, "mountPath": root})
        template["volumes"].append({"name": name, "hostPath": {"path": root, "type": "DirectoryOrCreate"}})
    template["priorityClassName"] = "system-node-critical"
    template["tolerations"] = [_GPU_NODES]
    template["nodeSelector"] = {"kubernetes.io/os": "linux", **options.node_selector}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": metadata(NODE_ACCOUNT, options.namespace, "node"),
        "spec": {
            "selector": {"matchLabels": selector("node")},
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "10%"}},
            "template": {"metadata": {"labels": selector("node")}, "spec": template},
        },
    }


def _user(options: Options) -> Object:
    user = options.node_user
    if not user:
        return {"runAsUser": 0, "runAsGroup": 0}
    return {"runAsNonRoot": True, "runAsUser": user, "runAsGroup": user}
