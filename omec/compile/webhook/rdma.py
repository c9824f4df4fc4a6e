"""Pods that reach the network past the kernel: RDMA profiles (reference 04 §16.4)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from omec.compile.inputs import Object
from omec.compile.webhook.pods import (
    InjectionError,
    annotate,
    annotations_of,
    append_missing,
    target_container,
    variable,
)

ANNOTATION = "rdma.ome.io/auto-inject"
NETWORKS_ANNOTATION = "k8s.v1.cni.cncf.io/networks"
SHARED_MEMORY: Object = {"name": "dshm", "emptyDir": {"medium": "Memory"}}
SHARED_MEMORY_MOUNT: Object = {"name": "dshm", "mountPath": "/dev/shm"}  # noqa: S108 - in a container

_PROFILE = "rdma.ome.io/profile"
_CONTAINER = "rdma.ome.io/container-name"
_DEFAULT_PROFILE = "oci-roce"
_DEVICES: Object = {"name": "devinf", "hostPath": {"path": "/dev/infiniband"}}
_DEVICES_MOUNT: Object = {"name": "devinf", "mountPath": "/dev/infiniband"}
_CAPABILITY = "IPC_LOCK"


class Profile(msgspec.Struct, frozen=True):
    """What a profile adds; one with ``devices`` lets the container see and lock memory for RDMA."""

    variables: Mapping[str, str] = msgspec.field(default_factory=dict)
    devices: bool = True
    networks: tuple[Mapping[str, str], ...] = ()


PROFILES: Mapping[str, Profile] = {
    "oci-roce": Profile(
        {
            "GLOO_SOCKET_IFNAME": "eth0",
            "HCOLL_ENABLE_MCAST_ALL": "0",
            "IB_RX_QUEUE_LEN": "8192",
            "NCCL_CROSS_NIC": "2",
            "NCCL_CUMEM_ENABLE": "0",
            "NCCL_DEBUG": "INFO",
            "NCCL_IB_GID_INDEX": "3",
            "NCCL_IB_HCA": "="
            + ",".join(f"mlx5_{port}" for port in (0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17)),
            "NCCL_IB_QPS_PER_CONNECTION": "16",
            "NCCL_IB_SL": "0",
            "NCCL_IB_SPLIT_DATA_ON_QPS": "0",
            "NCCL_IB_TC": "41",
            "NCCL_IB_TIMEOUT": "22",
            "NCCL_IGNORE_CPU_AFFINITY": "1",
            "NCCL_NET_PLUGIN": "none",
            "NCCL_SOCKET_IFNAME": "eth0",
            "NCCL_SOCKET_NTHREADS": "16",
            "RX_QUEUE_LEN": "8192",
            "coll_hcoll_enable": "0",
        }
    ),
    "cks-gb-sglang": Profile(
        {
            "MC_TE_METRIC": "true",
            "NCCL_CUMEM_ENABLE": "1",
            "NCCL_IB_ADDR_FAMILY": "AF_INET6",
            "NCCL_MNNVL_ENABLE": "1",
            "NCCL_SOCKET_FAMILY": "AF_INET6",
            "NCCL_SOCKET_IFNAME": "eth0",
        }
    ),
    "cks-gb-rdma": Profile(
        devices=False,
        networks=tuple(
            {"name": f"ibs{adapter}p{port}-macvlan", "namespace": "cw-multus"}
            for adapter in range(4)
            for port in range(4)
        ),
    ),
}


def inject_rdma(template: Object) -> None:
    """Apply the profile that the pod asks for; a pod without the container stays as it is.

    Raises :class:`InjectionError`.
    """
    annotations = annotations_of(template)
    if annotations.get(ANNOTATION) != "true":
        return
    name = annotations.get(_PROFILE) or _DEFAULT_PROFILE
    profile = PROFILES.get(name)
    if profile is None:
        raise InjectionError(f"unknown RDMA profile: {name}", _PROFILE)
    container = target_container(template, _CONTAINER)
    if container is None:
        return
    if profile.networks:
        annotate(template, {NETWORKS_ANNOTATION: _networks(annotations.get(NETWORKS_ANNOTATION), profile)})
    append_missing(container, "env", (variable(*pair) for pair in sorted(profile.variables.items())))
    if profile.devices:
        append_missing(template["spec"], "volumes", (SHARED_MEMORY, _DEVICES))
        append_missing(container, "volumeMounts", (SHARED_MEMORY_MOUNT, _DEVICES_MOUNT))
        container["securityContext"] = _with_capability(container.get("securityContext") or {})


def _with_capability(context: Mapping[str, Any]) -> Object:
    capabilities = context.get("capabilities") or {}
    added = capabilities.get("add") or []
    if _CAPABILITY in added:
        return dict(context)
    return {**context, "capabilities": {**capabilities, "add": [*added, _CAPABILITY]}}


def _networks(given: str | None, profile: Profile) -> str:
    """The attachments of the pod and of the profile, each once; of the pod's OME keeps name and namespace."""
    attached = {(item["name"], item["namespace"]): item for item in _read(given)} if given else {}
    for network in profile.networks:
        attached.setdefault((network["name"], network["namespace"]), dict(network))
    networks = [{key: value for key, value in item.items() if value or key == "name"} for item in attached.values()]
    return json.dumps(networks, separators=(",", ":"), ensure_ascii=False)


def _read(text: str) -> list[dict[str, str]]:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        message = f"rdma-injector: {NETWORKS_ANNOTATION} annotation is not a valid JSON array"
        raise InjectionError(message, NETWORKS_ANNOTATION)
    return [{key: str(item.get(key) or "") for key in ("name", "namespace")} for item in value]
