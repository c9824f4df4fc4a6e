"""What OME would write into the InferenceReplica of a component (reference 05 §5).

These are values, not the object: OME's own replica belongs to its InferenceService, omec's stands alone
(:mod:`omec.compile.native.replica`). Both have the same pods.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from omec.api.gotext import parse_integer
from omec.compile.accelerators import Accelerator
from omec.compile.autoscaling.scale import instance_bounds
from omec.compile.components import Component
from omec.compile.inputs import Object, Service, ServiceInputs
from omec.compile.metadata import component_annotations, component_labels
from omec.compile.native.defaults import NativeDefaults
from omec.compile.native.labels import without_queue
from omec.compile.native.lifecycle import effective_lifecycle
from omec.compile.native.pods import roles, worker_size
from omec.compile.native.topology import topology
from omec.compile.pod import Pod, Role, compose_pod
from omec.compile.replicas import Bounds
from omec.compile.weights import Weights
from omec.resolve.quota.queue_label import keeps_queue_label

PAUSED_ANNOTATION = "ome.io/rollout-paused"
HISTORY_LIMIT_ANNOTATION = "ome.io/revision-history-limit"


class Projection(msgspec.Struct, frozen=True):
    """One component as a set of Instances.

    ``labels`` and ``annotations`` are those of the component's Service, ``replica_labels`` those of the replica itself,
    ``template_labels`` and ``template_annotations`` those of its pods. ``pods`` is ordered by rank. ``lifecycle`` is
    the effective block, ``None`` where nobody sets any.
    """

    service: Service
    component: Component
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    replica_labels: Mapping[str, str]
    template_labels: Mapping[str, str]
    template_annotations: Mapping[str, str]
    pods: Mapping[Role, Pod]
    worker_size: int
    bounds: Bounds
    autoscaler: Object
    lifecycle: Object | None
    topology: Object
    pause: Object
    revision_history_limit: int | None
    pairing_protocol: str | None

    @property
    def pods_per_instance(self) -> int:
        return 1 + self.worker_size

    @property
    def declares_workers(self) -> bool:
        """Whether the service itself says that there are workers; OME keeps its Service to leaders only then."""
        worker = self.component.own.get("worker")
        return worker is not None and (worker.get("size") is None or worker["size"] > 0)

    @property
    def serving_pod(self) -> Pod:
        """The leader or only pod, which requests go to."""
        return next(iter(self.pods.values()))


def project(
    inputs: ServiceInputs,
    component: Component,
    defaults: NativeDefaults,
    *,
    weights: Weights | None,
    accelerator: Accelerator,
    autoscaler: Object,
) -> Projection:
    """``component`` (merged, with the operator's defaults for pods and bounds) as Instances.

    ``autoscaler`` is the block in force, with its class. Raises :class:`omec.compile.problems.RenderError`.
    """
    spec = component.spec
    labels = component_labels(inputs, component.name, spec)
    annotations = component_annotations(inputs, component.name, spec)
    pods = {
        role: compose_pod(inputs, component, role, weights=weights, accelerator=accelerator)
        for role in roles(component)
    }
    own_labels: Mapping[str, str] = spec.get("labels") or {}
    template_labels = {**labels, **own_labels}
    replica_labels = labels
    if not keeps_queue_label(*(pod.spec for pod in pods.values()), resources=inputs.environment.queue_resources):
        replica_labels, template_labels = without_queue(labels), without_queue(template_labels)
    return Projection(
        service=inputs.service,
        component=component,
        labels=labels,
        annotations=annotations,
        replica_labels=replica_labels,
        template_labels=template_labels,
        template_annotations={**annotations, **(spec.get("annotations") or {})},
        pods=pods,
        worker_size=worker_size(component),
        bounds=instance_bounds(component),
        autoscaler=autoscaler,
        lifecycle=effective_lifecycle(spec.get("lifecycle"), component.name, defaults),
        topology=topology(spec),
        pause=pause(inputs.service.annotations),
        revision_history_limit=revision_history_limit(inputs.service.annotations),
        pairing_protocol=_pairing_protocol(inputs.service, component),
    )


def pause(annotations: Mapping[str, str]) -> Object:
    """The fields by which a service's annotation stops its rollouts; any text but the two known ones does not."""
    match annotations.get(PAUSED_ANNOTATION):
        case "true":
            return {"paused": True}
        case "freeze":
            return {"paused": True, "pauseMode": "Freeze"}
    return {}


def revision_history_limit(annotations: Mapping[str, str]) -> int | None:
    """How many old revisions to keep, ``None`` where the annotation is missing or no positive 32-bit integer."""
    number = parse_integer(annotations.get(HISTORY_LIMIT_ANNOTATION, ""), 32)
    return number if number is not None and number >= 1 else None


def _pairing_protocol(service: Service, component: Component) -> str | None:
    if component.name == "router":
        return None
    return (service.spec.get("rollout") or {}).get("pairingProtocol") or None
