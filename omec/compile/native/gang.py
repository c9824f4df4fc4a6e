"""PodGroups, by which a gang-aware scheduler places the pods of an Instance together (reference 05 §11.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from omec.api.duration import parse_duration
from omec.compile.inputs import Object
from omec.compile.metadata import COMPONENT_LABEL, INFERENCE_SERVICE_LABEL
from omec.compile.native.instances import Instance, pods_per_instance
from omec.compile.native.labels import INDEX_LABEL, MANAGED_BY, MANAGED_BY_LABEL
from omec.compile.native.names import DerivedNames

_SECOND = 1_000_000_000


class GangTimeout(msgspec.Struct, frozen=True):
    """The operator's bounds for the scheduling timeout, in seconds; bounds that make no sense count as none."""

    minimum: int
    maximum: int

    @property
    def is_valid(self) -> bool:
        return 0 < self.minimum <= self.maximum

    def clamp(self, seconds: int) -> int:
        return min(max(seconds, self.minimum), self.maximum)


def pod_groups(
    replica: Mapping[str, Any], instances: Sequence[Instance], clamp: GangTimeout | None = None
) -> list[Object]:
    """The PodGroup of each of ``instances``; single pods have none."""
    spec, names = replica["spec"], DerivedNames.of(replica)
    if pods_per_instance(spec) < 2:
        return []
    timeout = schedule_timeout((spec.get("lifecycle") or {}).get("instanceReadyTimeout"), clamp)
    return [_pod_group(replica, names, instance.index, timeout) for instance in instances]


def schedule_timeout(ready_timeout: str | None, clamp: GangTimeout | None) -> int | None:
    """How many seconds a gang may wait for its nodes, ``None`` for no limit."""
    seconds = parse_duration(ready_timeout) // _SECOND if ready_timeout else 0
    if clamp is not None and clamp.is_valid:
        return clamp.clamp(seconds)
    return seconds if seconds > 0 else None


def _pod_group(replica: Mapping[str, Any], names: DerivedNames, index: int, timeout: int | None) -> Object:
    metadata: Object = {
        "name": names.pod_group(index),
        "namespace": replica["metadata"]["namespace"],
        "labels": {
            COMPONENT_LABEL: names.component,
            INFERENCE_SERVICE_LABEL: names.prefix,
            INDEX_LABEL: str(index),
            MANAGED_BY_LABEL: MANAGED_BY,
        },
    }
    if replica["spec"].get("topologyKey"):
        metadata["annotations"] = {"ome.io/topology-key": replica["spec"]["topologyKey"]}
    spec: Object = {"minMember": pods_per_instance(replica["spec"])}
    if timeout is not None:
        spec["scheduleTimeoutSeconds"] = timeout
    return {"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "PodGroup", "metadata": metadata, "spec": spec}
