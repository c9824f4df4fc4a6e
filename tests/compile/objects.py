"""Small objects of the kinds that omec emits, each accepted by every Kubernetes version as it stands."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

Object = dict[str, Any]

_LABELS = {"app": "chat-engine"}


def pod_spec() -> Object:
    return {
        "containers": [
            {
                "name": "ome-container",
                "image": "registry.example.com/server:1.0",
                "command": ["serve"],
                "args": ["--port", "8080"],
                "env": [
                    {"name": "MODEL_PATH", "value": "/mnt/models/llama"},
                    {"name": "POD_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}},
                ],
                "ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"}],
                "readinessProbe": {"httpGet": {"path": "/health", "port": "http"}, "periodSeconds": 10},
                "resources": {
                    "limits": {"cpu": "8", "memory": "32Gi", "nvidia.com/gpu": "1"},
                    "requests": {"cpu": "4", "memory": "32Gi", "nvidia.com/gpu": "1"},
                },
                "volumeMounts": [{"name": "llama", "mountPath": "/mnt/models/llama", "readOnly": True}],
            }
        ],
        "nodeSelector": {"models.ome.io/clusterbasemodel.llama": "Ready"},
        "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
        "volumes": [{"name": "llama", "hostPath": {"path": "/mnt/models/llama"}}],
    }


def deployment() -> Object:
    return _object("apps/v1", "Deployment", "chat-engine") | {
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": dict(_LABELS)},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": "25%"}},
            "template": {"metadata": {"labels": dict(_LABELS)}, "spec": pod_spec()},
        }
    }


def service() -> Object:
    port = {"name": "http", "port": 8080, "targetPort": "http", "protocol": "TCP"}
    return _object("v1", "Service", "chat-engine") | {"spec": {"selector": dict(_LABELS), "ports": [port]}}


def autoscaler() -> Object:
    target = {"type": "Utilization", "averageUtilization": 80}
    return _object("autoscaling/v2", "HorizontalPodAutoscaler", "chat-engine") | {
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "chat-engine"},
            "minReplicas": 1,
            "maxReplicas": 3,
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": target}}],
        }
    }


def disruption_budget() -> Object:
    spec = {"maxUnavailable": 1, "selector": {"matchLabels": dict(_LABELS)}}
    return _object("policy/v1", "PodDisruptionBudget", "chat-engine") | {"spec": spec}


def role() -> Object:
    rule = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list", "watch"]}
    return _object("rbac.authorization.k8s.io/v1", "Role", "chat-router") | {"rules": [rule]}


def role_binding() -> Object:
    return _object("rbac.authorization.k8s.io/v1", "RoleBinding", "chat-router") | {
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "chat-router"},
        "subjects": [{"kind": "ServiceAccount", "name": "chat-router", "namespace": "validate"}],
    }


def service_account() -> Object:
    return _object("v1", "ServiceAccount", "chat-router")


def config_map() -> Object:
    return _object("v1", "ConfigMap", "modelconfig-chat") | {"data": {"models.json": "[]"}}


def ingress() -> Object:
    backend = {"service": {"name": "chat", "port": {"number": 8080}}}
    path = {"path": "/", "pathType": "Prefix", "backend": backend}
    spec = {"ingressClassName": "nginx", "rules": [{"host": "chat.example.com", "http": {"paths": [path]}}]}
    return _object("networking.k8s.io/v1", "Ingress", "chat") | {"spec": spec}


def job() -> Object:
    spec = pod_spec() | {"restartPolicy": "Never"}
    return _object("batch/v1", "Job", "prepare") | {"spec": {"backoffLimit": 2, "template": {"spec": spec}}}


def claim() -> Object:
    spec = {"accessModes": ["ReadOnlyMany"], "resources": {"requests": {"storage": "100Gi"}}}
    return _object("v1", "PersistentVolumeClaim", "weights") | {"spec": spec}


def pod_template() -> Object:
    template = {"metadata": {"labels": dict(_LABELS)}, "spec": pod_spec()}
    return _object("v1", "PodTemplate", "chat-engine") | {"template": template}


ALL = (
    deployment,
    service,
    autoscaler,
    disruption_budget,
    role,
    role_binding,
    service_account,
    config_map,
    ingress,
    job,
    claim,
    pod_template,
)


def _object(api_version: str, kind: str, name: str) -> Object:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": "validate"}}


REMOVED = object()
"""A change that takes the key or item away."""


def changed(obj: Object, changes: Mapping[str, Any]) -> Object:
    """A copy of ``obj`` with each value put at its path.

    Steps are separated by ``>``, because keys hold dots and slashes: ``spec>ports>0>name``. The index just past the end
    of a list appends, and maps that do not exist yet are made.
    """
    result = copy.deepcopy(obj)
    for path, value in changes.items():
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(">")]
        target: Any = result
        for step in steps:
            target = target.setdefault(step, {}) if isinstance(target, dict) else target[step]
        if value is REMOVED:
            del target[last]
        elif isinstance(target, list) and last == len(target):
            target.append(value)
        else:
            target[last] = copy.deepcopy(value)
    return result
