"""Labels that the InferenceReplica controller puts on pods, and selectors made of them (reference 05 §6.3, §11.1).

The controller overwrites these labels whatever the template says. On the pods of a standalone replica
``ome.io/inferenceservice`` is therefore the replica's own name, never that of the InferenceService: selectors go by the
replica.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.metadata import COMPONENT_LABEL, INFERENCE_SERVICE_LABEL
from omec.resolve.quota.queue_label import QUEUE_LABEL

MANAGED_BY_LABEL = "ome.io/managed-by"
MANAGED_BY = "OMENative"
RUNNER_LABEL = "ome.io/runner"
ORDINAL_LABEL = "ome.io/pod-ordinal"
INDEX_LABEL = "ome.io/instance-index"
INCARNATION_LABEL = "ome.io/instance-incarnation"
REVISION_LABEL = "ome.io/revision-hash"
PAIRING_LABEL = "ome.io/pairing-protocol"
POD_GROUP_LABEL = "scheduling.x-k8s.io/pod-group"

SERVICE_LABEL = "omec.io/inferenceservice"
"""omec's own label: the InferenceService that an object was rendered from. No controller touches it."""

CONTROLLER_OWNED = frozenset(
    {
        MANAGED_BY_LABEL,
        RUNNER_LABEL,
        ORDINAL_LABEL,
        INDEX_LABEL,
        INCARNATION_LABEL,
        REVISION_LABEL,
        PAIRING_LABEL,
        POD_GROUP_LABEL,
    }
)
"""Labels that mean nothing in a template, because only the controller knows their values."""


def pod_selector(prefix: str, component: str) -> dict[str, str]:
    """All pods of one pod set."""
    return {INFERENCE_SERVICE_LABEL: prefix, COMPONENT_LABEL: component, MANAGED_BY_LABEL: MANAGED_BY}


def serving_selector(prefix: str, component: str, *, leaders: bool) -> dict[str, str]:
    """The pods that requests go to; with ``leaders`` only the leader of each Instance."""
    selector = pod_selector(prefix, component)
    return selector | ({RUNNER_LABEL: "leader", ORDINAL_LABEL: "0"} if leaders else {})


def without_queue(labels: Mapping[str, Any]) -> dict[str, Any]:
    """``labels`` without the Kueue queue, which OME keeps away from pods that request no accelerator."""
    return {key: value for key, value in labels.items() if key != QUEUE_LABEL}
