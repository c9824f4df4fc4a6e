"""The examination of a cluster: everything is read once, then judged."""

from __future__ import annotations

from collections.abc import Iterator

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError
from omec.runtime_agent.cluster.resources import (
    BASE_MODELS,
    CLUSTER_BASE_MODELS,
    CRDS,
    DAEMON_SETS,
    DEPLOYMENTS,
    INFERENCE_REPLICAS,
    INFERENCE_SERVICES,
    LEADER_WORKER_SETS,
    Object,
    Resource,
)
from omec.runtime_agent.coexistence import MANAGER, available_pods
from omec.runtime_agent.doctor.definitions import definition_lines
from omec.runtime_agent.doctor.parts import PARTS, part_lines
from omec.runtime_agent.doctor.report import Line
from omec.runtime_agent.doctor.rules import NOT_ALLOWED
from omec.runtime_agent.doctor.services import service_lines
from omec.runtime_agent.status.workloads import SERVICE_LABEL


def examine(cluster: Cluster) -> Iterator[Line]:
    """Everything that there is to say about a cluster.

    Raises ``UnreachableError``, and ``ApiError`` for refusals other than that of one kind.
    """
    yield Line(f"Kubernetes {cluster.request('GET', '/version')['gitVersion']}")
    reader = _Reader(cluster)
    definitions = {each["metadata"]["name"]: each for each in reader.read(CRDS)}
    if "customresourcedefinitions" not in reader.refused:
        yield from definition_lines(definitions)
    parts = [part for name in PARTS for resource in (DEPLOYMENTS, DAEMON_SETS) for part in reader.named(resource, name)]
    models = [*reader.read(CLUSTER_BASE_MODELS), *reader.read(BASE_MODELS)]
    if not {"deployments", "daemonsets"} & reader.refused.keys():
        yield from part_lines(parts, models)
    services = list(reader.read(INFERENCE_SERVICES))
    rendered = (DEPLOYMENTS, LEADER_WORKER_SETS, INFERENCE_REPLICAS)
    workloads = [each for resource in rendered for each in reader.read(resource, labels=SERVICE_LABEL)]
    if not {"inferenceservices", "deployments"} & reader.refused.keys():
        manager_runs = any(each["metadata"]["name"] == MANAGER and available_pods(each) for each in parts)
        yield from service_lines(services, workloads, manager_runs=manager_runs)
    if reader.refused:
        yield Line(f"not allowed to list {', '.join(sorted(reader.refused))}: not judged", NOT_ALLOWED)


class _Reader:
    """Lists kinds. One that is unknown has no objects; :attr:`refused` are those that the identity may not list."""

    def __init__(self, cluster: Cluster) -> None:
        self.refused: dict[str, str] = {}
        self._cluster = cluster

    def named(self, resource: Resource, name: str) -> list[Object]:
        """The objects called ``name``, of all namespaces."""
        return self._list(resource, fields=f"metadata.name={name}")

    def read(self, resource: Resource, *, labels: str = "") -> list[Object]:
        return self._list(resource, labels=labels)

    def _list(self, resource: Resource, *, labels: str = "", fields: str = "") -> list[Object]:
        try:
            pages = self._cluster.pages(resource, labels=labels, fields=fields)
            return [item for page in pages for item in page["items"]]
        except ApiError as error:
            if error.status == 403:
                self.refused[resource.plural] = str(error)
            elif not error.not_found:
                raise
            return []
