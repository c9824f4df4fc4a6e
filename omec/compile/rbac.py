"""What lets a router find the engine and decoder pods through the API server (reference 04 §11)."""

from __future__ import annotations

from collections.abc import Mapping

from omec.compile.inputs import Object

_RBAC_GROUP = "rbac.authorization.k8s.io"


def router_access(name: str, namespace: str, labels: Mapping[str, str]) -> list[Object]:
    """The ServiceAccount of the router, and the Role and RoleBinding by which it may watch pods of its namespace."""

    def object_of(api_version: str, kind: str) -> Object:
        metadata = {"name": name, "namespace": namespace, "labels": dict(labels)}
        return {"apiVersion": api_version, "kind": kind, "metadata": metadata}

    return [
        object_of("v1", "ServiceAccount"),
        object_of(f"{_RBAC_GROUP}/v1", "Role")
        | {"rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list", "watch"]}]},
        object_of(f"{_RBAC_GROUP}/v1", "RoleBinding")
        | {
            "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": namespace}],
            "roleRef": {"apiGroup": _RBAC_GROUP, "kind": "Role", "name": name},
        },
    ]
