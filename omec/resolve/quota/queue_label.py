"""Which workloads carry the label that leads them to a leaf's queue (reference 15 §5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

QUEUE_LABEL = "kueue.x-k8s.io/queue-name"
ACCELERATOR_RESOURCES = ("nvidia.com/gpu", "google.com/tpu")
"""The default of the chart value ``ome.controller.quotaAcceleratorResources``."""


def keeps_queue_label(*pods: Mapping[str, Any], resources: Collection[str] = ACCELERATOR_RESOURCES) -> bool:
    """Whether an OMENative component keeps :data:`QUEUE_LABEL`, decided for its leader and worker together.

    ``pods`` are the pod specs of the component. OME takes the label off a component without accelerators, so that
    routers wait in no queue. A quantity of 0 counts as naming a resource; an empty list keeps the label everywhere.
    """
    return not resources or any(_names(pod, resources) for pod in pods)


def _names(pod: Mapping[str, Any], resources: Collection[str]) -> bool:
    return any(
        resource in (container.get("resources") or {}).get(kind, {})
        for part in ("initContainers", "containers")
        for container in pod.get(part) or ()
        for kind in ("requests", "limits")
        for resource in resources
    )
