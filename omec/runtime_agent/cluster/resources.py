"""The REST resources that the agent reads and writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

Object = dict[str, Any]
"""A Kubernetes object as JSON has it."""


@dataclass(frozen=True, slots=True)
class Resource:
    """One kind of objects: ``api_version`` as in manifests, the ``plural`` of its URL."""

    api_version: str
    kind: str
    plural: str
    namespaced: bool = True

    @property
    def root(self) -> str:
        """The path of the group and version; what is there says which kinds the API server knows."""
        return f"/apis/{self.api_version}" if "/" in self.api_version else f"/api/{self.api_version}"

    def path(self, name: str = "", namespace: str | None = None, subresource: str = "") -> str:
        """The path of one object, or of all (of a namespace, or of all namespaces)."""
        scope = f"/namespaces/{quote(namespace, safe='')}" if namespace and self.namespaced else ""
        parts = [f"{self.root}{scope}/{self.plural}", quote(name, safe=""), subresource]
        return "/".join(part for part in parts if part)


OME = "ome.io/v1beta1"

NODES = Resource("v1", "Node", "nodes", namespaced=False)
NAMESPACES = Resource("v1", "Namespace", "namespaces", namespaced=False)
CONFIG_MAPS = Resource("v1", "ConfigMap", "configmaps")
SECRETS = Resource("v1", "Secret", "secrets")
PODS = Resource("v1", "Pod", "pods")
SERVICES = Resource("v1", "Service", "services")
EVENTS = Resource("events.k8s.io/v1", "Event", "events")
DEPLOYMENTS = Resource("apps/v1", "Deployment", "deployments")
DAEMON_SETS = Resource("apps/v1", "DaemonSet", "daemonsets")
CLAIMS = Resource("v1", "PersistentVolumeClaim", "persistentvolumeclaims")
JOBS = Resource("batch/v1", "Job", "jobs")
LEASES = Resource("coordination.k8s.io/v1", "Lease", "leases")
CRDS = Resource("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", namespaced=False)
BASE_MODELS = Resource(OME, "BaseModel", "basemodels")
CLUSTER_BASE_MODELS = Resource(OME, "ClusterBaseModel", "clusterbasemodels", namespaced=False)
SERVING_RUNTIMES = Resource(OME, "ServingRuntime", "servingruntimes")
CLUSTER_SERVING_RUNTIMES = Resource(OME, "ClusterServingRuntime", "clusterservingruntimes", namespaced=False)
INFERENCE_SERVICES = Resource(OME, "InferenceService", "inferenceservices")
INFERENCE_REPLICAS = Resource(OME, "InferenceReplica", "inferencereplicas")
LEADER_WORKER_SETS = Resource("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "leaderworkersets")
