"""OME's copy of the Kubernetes pod spec, in the three forms that ome.io kinds use.

Fields keep their Kubernetes meaning. Enum-like strings (``restartPolicy``, ``dnsPolicy``) are plain strings here, as
in OME's CRDs.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from omec.api.models import kubernetes as k8s
from omec.api.models.base import Model, list_map
from omec.api.models.scalars import Int32, Int64, Quantity, StringMap


class PodFields(Model):
    """The pod fields that are the same wherever OME embeds a pod spec."""

    volumes: Annotated[list[k8s.Volume], list_map("name")] | None = None
    """Volumes that the containers can mount."""
    init_containers: Annotated[list[k8s.Container], list_map("name")] | None = None
    """Containers that run to completion, in order, before the others start."""
    restart_policy: str | None = None
    """What happens to containers that end (``Always`` unless set)."""
    termination_grace_period_seconds: Int64 | None = None
    """Seconds from the stop signal to the kill (30 unless set)."""
    active_deadline_seconds: Int64 | None = None
    """Seconds after which the pod is killed for having run too long."""
    dns_policy: str | None = None
    """How the pod resolves names (``ClusterFirst`` unless set)."""
    node_selector: StringMap | None = None
    """Labels that a node must have to run the pod."""
    service_account_name: str | None = None
    """ServiceAccount that the pod runs as."""
    service_account: str | None = None
    """Deprecated alias of ``serviceAccountName``."""
    automount_service_account_token: bool | None = None
    """Whether the account's token is mounted."""
    node_name: str | None = None
    """Node to run on, past the scheduler."""
    host_network: bool | None = None
    """Whether the pod uses the node's network."""
    host_pid: bool | None = Field(None, alias="hostPID")
    """Whether the pod sees the node's processes."""
    host_ipc: bool | None = Field(None, alias="hostIPC")
    """Whether the pod shares the node's IPC namespace."""
    share_process_namespace: bool | None = None
    """Whether the containers see each other's processes."""
    security_context: k8s.PodSecurityContext | None = None
    """Security settings of the pod."""
    image_pull_secrets: Annotated[list[k8s.LocalObjectReference], list_map("name", name="")] | None = None
    """Secrets with registry credentials."""
    hostname: str | None = None
    """Host name of the pod."""
    subdomain: str | None = None
    """Headless Service whose domain the host name belongs to."""
    affinity: k8s.Affinity | None = None
    """Scheduling rules about nodes and other pods."""
    scheduler_name: str | None = None
    """Scheduler to use."""
    tolerations: list[k8s.Toleration] | None = None
    """Node taints that the pod accepts."""
    host_aliases: Annotated[list[k8s.HostAlias], list_map("ip")] | None = None
    """Entries for the pod's hosts file."""
    priority_class_name: str | None = None
    """PriorityClass of the pod."""
    priority: Int32 | None = None
    """Number of the priority class; written by the API server."""
    dns_config: k8s.PodDNSConfig | None = None
    """DNS settings beside ``dnsPolicy``."""
    readiness_gates: list[k8s.PodReadinessGate] | None = None
    """Conditions that must hold beside the containers' readiness."""
    runtime_class_name: str | None = None
    """RuntimeClass that runs the containers."""
    enable_service_links: bool | None = None
    """Whether Services of the namespace appear as environment variables (true unless set)."""
    preemption_policy: str | None = None
    """Whether the pod may evict others (``PreemptLowerPriority`` unless set)."""
    overhead: dict[str, Quantity] | None = None
    """Resources that the runtime class itself takes."""
    topology_spread_constraints: (
        Annotated[list[k8s.TopologySpreadConstraint], list_map("topologyKey", "whenUnsatisfiable")] | None
    ) = None
    """How pods spread over failure domains."""
    set_hostname_as_fqdn: bool | None = Field(None, alias="setHostnameAsFQDN")
    """Whether the host name is the fully qualified one."""
    host_users: bool | None = None
    """``false`` gives the pod a user namespace of its own."""
    scheduling_gates: Annotated[list[k8s.PodSchedulingGate], list_map("name")] | None = None
    """What must be lifted before the pod is scheduled."""
    resource_claims: Annotated[list[k8s.PodResourceClaim], list_map("name")] | None = None
    """Claims of dynamically allocated devices."""


class PodSpec(PodFields):
    """A pod spec whose ``containers`` may be absent."""

    containers: Annotated[list[k8s.Container], list_map("name")] | None = None
    """Sidecars; one called like the runner is merged with it."""
    ephemeral_containers: Annotated[list[k8s.EphemeralContainer], list_map("name")] | None = None
    """Not for manifests: Kubernetes refuses them in pod templates."""
    os: k8s.PodOS | None = None
    """Operating system of the pod."""


class ServicePodSpec(PodFields):
    """The pod fields of an InferenceService's component, where OME's edited CRD requires less."""

    containers: Annotated[list[k8s.ServiceContainer], list_map("name")] | None = None
    """Sidecars; one called like the runner is merged with it."""
    os: k8s.ServicePodOS | None = None
    """Operating system of the pod."""


class ServingRuntimePodSpec(Model):
    """The older pod template at the top of a runtime's spec: a subset of the pod fields, with labels, annotations."""

    containers: Annotated[list[k8s.Container], list_map("name")] | None = None
    """Containers of the pod."""
    volumes: Annotated[list[k8s.Volume], list_map("name")] | None = None
    """Volumes that the containers can mount."""
    node_selector: StringMap | None = None
    """Labels that a node must have to run the pod."""
    affinity: k8s.Affinity | None = None
    """Scheduling rules about nodes and other pods."""
    tolerations: list[k8s.Toleration] | None = None
    """Node taints that the pod accepts."""
    labels: StringMap | None = None
    """Labels of the pods."""
    annotations: StringMap | None = None
    """Annotations of the pods."""
    image_pull_secrets: Annotated[list[k8s.LocalObjectReference], list_map("name", name="")] | None = None
    """Secrets with registry credentials."""
    scheduler_name: str | None = None
    """Scheduler to use."""
    host_ipc: bool | None = Field(None, alias="hostIPC")
    """Whether the pod shares the node's IPC namespace."""
    dns_policy: str | None = None
    """How the pod resolves names."""
    host_network: bool | None = None
    """Whether the pod uses the node's network."""
