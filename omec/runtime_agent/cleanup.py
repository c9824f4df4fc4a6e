"""Removing what the agent added to a cluster, so that nothing of it is left when its installation is deleted.

That is: the labels on nodes, the finalizers of models, the ConfigMaps of nodes and of models on claims, the lease.
Statuses stay, as they are part of objects that stay; so do the files on the nodes. What OME's agent wrote is not
touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from omec.runtime_agent.claims.contract import RESULT_LABEL, is_own_result
from omec.runtime_agent.cluster.client import Cluster, modify
from omec.runtime_agent.cluster.resources import (
    BASE_MODELS,
    CLUSTER_BASE_MODELS,
    CONFIG_MAPS,
    DAEMON_SETS,
    DEPLOYMENTS,
    LEASES,
    NODES,
    Object,
    Resource,
)
from omec.runtime_agent.coexistence import available_pods
from omec.runtime_agent.contract.names import FINALIZERS, MODEL_LABEL_DOMAIN, STATUS_LABEL
from omec.runtime_agent.manifests.options import NODE_ACCOUNT, STATUS_ACCOUNT
from omec.runtime_agent.ownership import owned_finalizers, owned_labels, owns_data
from omec.runtime_agent.status.leader import LEASE


@dataclass(frozen=True, slots=True)
class Removal:
    """One thing to remove: what it is, and how."""

    text: str
    remove: Callable[[], object]


def running_agents(cluster: Cluster, namespace: str) -> list[str]:
    """The workloads of the agent that still run; they would add again what is removed."""
    found = []
    for resource, name in ((DAEMON_SETS, NODE_ACCOUNT), (DEPLOYMENTS, STATUS_ACCOUNT)):
        workload = cluster.find(resource, name, namespace)
        if workload is not None and available_pods(workload):
            found.append(f"{resource.kind} {namespace}/{name}")
    return found


def removals(cluster: Cluster, namespace: str) -> Iterator[Removal]:
    """Everything that the agent added and that is still there; nothing is changed yet."""
    for node in cluster.list(NODES):
        labels = [label for label in owned_labels(node) if label.startswith(MODEL_LABEL_DOMAIN)]
        if labels:
            name = node["metadata"]["name"]
            patch = {"metadata": {"labels": dict.fromkeys(labels)}}
            yield Removal(f"node {name}: {_counted(labels, 'label')}", _patched(cluster, NODES, node, patch))
    for config_map in cluster.list(CONFIG_MAPS, namespace, labels=f"{STATUS_LABEL}=true"):
        if owns_data(config_map):
            yield _deleted(cluster, CONFIG_MAPS, config_map)
    for config_map in cluster.list(CONFIG_MAPS, namespace, labels=f"{RESULT_LABEL}=true"):
        if is_own_result(config_map):
            yield _deleted(cluster, CONFIG_MAPS, config_map)
    for resource in (CLUSTER_BASE_MODELS, BASE_MODELS):
        for model in cluster.list(resource):
            if FINALIZERS[resource.kind] in owned_finalizers(model):
                yield Removal(f"{_title(model)}: the finalizer", partial(_release, cluster, resource, model))
    lease = cluster.find(LEASES, LEASE, namespace)
    if lease is not None:
        yield _deleted(cluster, LEASES, lease)


def _release(cluster: Cluster, resource: Resource, model: Object) -> None:
    """Remove the finalizer; others may add or remove theirs at the same time."""
    name, namespace = model["metadata"]["name"], model["metadata"].get("namespace")

    def change() -> None:
        current = cluster.find(resource, name, namespace)
        if current is None:
            return
        metadata = current["metadata"]
        kept = [each for each in metadata.get("finalizers") or () if each != FINALIZERS[resource.kind]]
        patch = {"metadata": {"finalizers": kept, "resourceVersion": metadata["resourceVersion"]}}
        cluster.patch(resource, name, patch, namespace)

    modify(change)


def _patched(cluster: Cluster, resource: Resource, obj: Object, patch: Object) -> Callable[[], object]:
    metadata = obj["metadata"]
    return lambda: cluster.patch(resource, metadata["name"], patch, metadata.get("namespace"))


def _deleted(cluster: Cluster, resource: Resource, obj: Object) -> Removal:
    metadata = obj["metadata"]
    return Removal(_title(obj, resource), lambda: cluster.delete(resource, metadata["name"], metadata.get("namespace")))


def _title(obj: Object, resource: Resource | None = None) -> str:
    metadata = obj["metadata"]
    name = f"{metadata['namespace']}/{metadata['name']}" if metadata.get("namespace") else metadata["name"]
    return f"{resource.kind if resource else obj['kind']} {name}"


def _counted(items: list[str], noun: str) -> str:
    return f"{noun} {items[0]}" if len(items) == 1 else f"{len(items)} {noun}s ({items[0]}, …)"
