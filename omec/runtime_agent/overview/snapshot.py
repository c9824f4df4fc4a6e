"""What ``omec status`` reads from a cluster, and what it was not allowed to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError
from omec.runtime_agent.cluster.resources import (
    BASE_MODELS,
    CLUSTER_BASE_MODELS,
    CONFIG_MAPS,
    DEPLOYMENTS,
    INFERENCE_REPLICAS,
    INFERENCE_SERVICES,
    LEADER_WORKER_SETS,
    NODES,
    PODS,
    Object,
    Resource,
)
from omec.runtime_agent.contract.names import STATUS_LABEL
from omec.runtime_agent.status import slim
from omec.runtime_agent.status.workloads import SERVICE_LABEL


@dataclass(slots=True)
class Snapshot:
    """Objects of one moment. ``unread`` names what the identity may not list (``nodes``), with the refusal."""

    models: list[Object] = field(default_factory=list)
    reports: dict[str, dict[str, str]] = field(default_factory=dict)
    """The ``data`` of each node's ConfigMap."""
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    """The labels of each node."""
    services: list[Object] = field(default_factory=list)
    workloads: list[Object] = field(default_factory=list)
    pods: list[Object] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    knows_models: bool = True
    """Whether the cluster knows the kinds of ome.io at all."""


def take_snapshot(cluster: Cluster, namespace: str, only: str | None = None) -> Snapshot:
    """Read everything; ``namespace`` is where nodes report, ``only`` the namespace that is asked about.

    Raises ``UnreachableError``, and ``ApiError`` for refusals other than that of one kind.
    """
    found = Snapshot()
    read = _Reader(cluster, found)
    found.models = [*read(CLUSTER_BASE_MODELS), *read(BASE_MODELS, only)]
    found.services = list(read(INFERENCE_SERVICES, only))
    for resource in (DEPLOYMENTS, LEADER_WORKER_SETS, INFERENCE_REPLICAS):
        found.workloads += read(resource, only, labels=SERVICE_LABEL, shape=slim.workload)
    found.pods = list(read(PODS, only, labels=SERVICE_LABEL, shape=_pod))
    found.nodes = {each["metadata"]["name"]: each["metadata"].get("labels") or {} for each in read(NODES)}
    reports = read(CONFIG_MAPS, namespace, labels=f"{STATUS_LABEL}=true", shape=dict)
    found.reports = {each["metadata"]["name"]: each.get("data") or {} for each in reports}
    return found


class _Reader:
    """Lists one kind after the other; a kind that is unknown has no objects, one that is forbidden is noted."""

    def __init__(self, cluster: Cluster, found: Snapshot) -> None:
        self._cluster = cluster
        self._found = found

    def __call__(
        self,
        resource: Resource,
        namespace: str | None = None,
        *,
        labels: str = "",
        shape: Callable[[Object], Object] = slim.whole,
    ) -> Iterator[Object]:
        try:
            yield from map(shape, self._cluster.list(resource, namespace, labels=labels))
        except ApiError as error:
            if error.not_found:
                self._found.knows_models &= resource is not CLUSTER_BASE_MODELS
            elif error.status == 403:
                self._found.unread[resource.plural] = str(error)
            else:
                raise


def _pod(pod: Object) -> Object:
    """The states of the containers, and why the pod has no node."""
    kept = slim.pod(pod)
    status = pod.get("status") or {}
    kept["status"] |= {name: status[name] for name in ("phase", "conditions") if name in status}
    return kept
