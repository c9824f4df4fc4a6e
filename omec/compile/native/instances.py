"""The objects that the replica controller makes of an InferenceReplica (reference 05 §6).

They are never written to the output: omec predicts them to check names, to explain, and to compare revisions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from omec.api.shapes import POD_SPEC
from omec.compile.inputs import Object
from omec.compile.metadata import COMPONENT_LABEL, INFERENCE_SERVICE_LABEL
from omec.compile.names import DEFAULT_CONTAINER
from omec.compile.native.labels import (
    INCARNATION_LABEL,
    INDEX_LABEL,
    MANAGED_BY,
    MANAGED_BY_LABEL,
    ORDINAL_LABEL,
    PAIRING_LABEL,
    POD_GROUP_LABEL,
    REVISION_LABEL,
    RUNNER_LABEL,
    pod_selector,
)
from omec.compile.native.names import DerivedNames
from omec.compile.native.placement import add_colocation, add_spread
from omec.compile.native.tpu import requests_tpu, tpu_variables

SERVING_GATE = "ome.io/serving"
_INTERNAL_ANNOTATION = "internal.ome.io/in-place-image-transition"


class Instance(msgspec.Struct, frozen=True):
    """One unit of a replica; ``ordinal`` alternates where a single pod is replaced by surge."""

    index: int
    incarnation: int = 1
    ordinal: int = 0


def replicas(spec: Mapping[str, Any]) -> int:
    """How many Instances a replica with ``spec`` wants: never none."""
    return max(spec.get("replicas") or 1, 1)


def fresh_instances(replica: Mapping[str, Any]) -> list[Instance]:
    """The Instances of a replica that was just created."""
    return [Instance(index) for index in range(replicas(replica["spec"]))]


def pods(
    replica: Mapping[str, Any], instances: Sequence[Instance] | None = None, *, revision: str | None = None
) -> list[Object]:
    """The pods of ``instances`` (of a new replica by default), without owner references.

    ``revision`` is the hash that a pod's label names; it cannot be predicted, because it depends on the replica's UID.
    """
    wanted = fresh_instances(replica) if instances is None else instances
    return [
        _pod(replica, instance, runner, ordinal, revision)
        for instance in wanted
        for runner in replica["spec"]["runners"]
        for ordinal in _ordinals(replica, instance, runner)
    ]


def headless_service(replica: Mapping[str, Any]) -> Object:
    """The Service that gives the pods of ``replica`` their DNS names, ready or not."""
    names = DerivedNames.of(replica)
    selector = pod_selector(names.prefix, names.component)
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": names.headless_service,
            "namespace": replica["metadata"]["namespace"],
            "labels": selector,
        },
        "spec": {
            "selector": dict(selector),
            "clusterIP": "None",
            "type": "ClusterIP",
            "publishNotReadyAddresses": True,
        },
    }


def pods_per_instance(spec: Mapping[str, Any]) -> int:
    return sum(runner["size"] for runner in spec["runners"])


def _ordinals(replica: Mapping[str, Any], instance: Instance, runner: Mapping[str, Any]) -> range:
    single = pods_per_instance(replica["spec"]) == 1
    return range(instance.ordinal, instance.ordinal + 1) if single else range(runner["size"])


def _pod(
    replica: Mapping[str, Any], instance: Instance, runner: Mapping[str, Any], ordinal: int, revision: str | None
) -> Object:
    spec, names = replica["spec"], DerivedNames.of(replica)
    name = names.pod(instance.index, runner["name"], ordinal)
    template = _template(spec, runner["name"])
    pod: Object = _trimmed(POD_SPEC.normalise(template["spec"]))
    pod["hostname"], pod["subdomain"] = name, names.headless_service
    _add_gate(pod)
    for container in (*(pod.get("containers") or ()), *(pod.get("initContainers") or ())):
        if not container.get("name"):
            container["name"] = DEFAULT_CONTAINER
    variables = _variables(replica, instance, runner, ordinal)
    if requests_tpu(pod):
        variables |= tpu_variables(names, spec["runners"], instance.index, _rank(spec, runner, ordinal))
    for container in pod["containers"]:
        _set_variables(container, variables)
    add_colocation(pod, names, spec, instance.index, runner["name"])
    add_spread(pod, names, spec, runner["name"])
    metadata: Object = {"name": name, "namespace": replica["metadata"]["namespace"]}
    described = _template(spec, "leader").get("metadata") or {}
    metadata["labels"] = {
        **(described.get("labels") or {}),
        **_labels(names, spec, instance, runner["name"], ordinal, revision),
    }
    annotations = {
        key: value for key, value in (described.get("annotations") or {}).items() if key != _INTERNAL_ANNOTATION
    }
    if annotations:
        metadata["annotations"] = annotations
    return {"metadata": metadata, "spec": pod}


def _template(spec: Mapping[str, Any], runner: str) -> Mapping[str, Any]:
    """The template of a runner's pods. Workers have their own; all others share the last that is not theirs, and its
    metadata is that of every pod.
    """
    of_workers = runner == "worker"
    templates = [item["template"] for item in spec["runners"] if (item["name"] == "worker") is of_workers]
    found: Mapping[str, Any] = templates[-1] if templates else {}
    return found


def _labels(
    names: DerivedNames,
    spec: Mapping[str, Any],
    instance: Instance,
    runner: str,
    ordinal: int,
    revision: str | None,
) -> dict[str, str]:
    labels = {
        INFERENCE_SERVICE_LABEL: names.prefix,
        COMPONENT_LABEL: names.component,
        MANAGED_BY_LABEL: MANAGED_BY,
        INDEX_LABEL: str(instance.index),
        INCARNATION_LABEL: str(instance.incarnation),
        RUNNER_LABEL: runner,
        ORDINAL_LABEL: str(ordinal),
    }
    if revision:
        labels[REVISION_LABEL] = revision
    if spec.get("pairingProtocol"):
        labels[PAIRING_LABEL] = spec["pairingProtocol"]
    if pods_per_instance(spec) > 1:
        labels[POD_GROUP_LABEL] = names.pod_group(instance.index)
    return labels


def _add_gate(pod: Object) -> None:
    gates = pod.get("readinessGates") or []
    if all(gate.get("conditionType") != SERVING_GATE for gate in gates):
        pod["readinessGates"] = [*gates, {"conditionType": SERVING_GATE}]


def _variables(
    replica: Mapping[str, Any], instance: Instance, runner: Mapping[str, Any], ordinal: int
) -> dict[str, str]:
    spec, names = replica["spec"], DerivedNames.of(replica)
    variables = {
        "OME_INFERENCESERVICE_NAME": names.prefix,
        "OME_COMPONENT": names.component,
        "OME_COMPONENT_REPLICAS": str(replicas(spec)),
        "OME_INSTANCE_INDEX": str(instance.index),
        "OME_RUNNER": runner["name"],
        "OME_RUNNER_SIZE": str(runner["size"]),
        "OME_RUNNER_INDEX": str(ordinal if runner["size"] > 1 else 0),
        "OME_INSTANCE_SUBDOMAIN": names.instance(instance.index),
    }
    if any(other["name"] == "leader" for other in spec["runners"]):
        variables |= {
            "OME_LEADER_ADDRESS": names.address(instance.index, "leader", 0),
            "OME_INSTANCE_POD_RANK": str(_rank(spec, runner, ordinal)),
            "OME_INSTANCE_POD_COUNT": str(pods_per_instance(spec)),
        }
    return variables


def _rank(spec: Mapping[str, Any], runner: Mapping[str, Any], ordinal: int) -> int:
    """The position of a pod in its Instance: runners in the order in which they are declared."""
    rank = ordinal
    for other in spec["runners"]:
        if other["name"] == runner["name"]:
            break
        rank += other["size"]
    return rank


def _set_variables(container: Object, variables: Mapping[str, str]) -> None:
    kept = [item for item in container.get("env") or () if item["name"] not in variables]
    container["env"] = [*kept, *({"name": name, "value": value} for name, value in variables.items())]


def _trimmed(value: Any) -> Any:
    """``value`` without nulls and empty resources, which Go writes and which say nothing."""
    if isinstance(value, dict):
        return {k: _trimmed(v) for k, v in value.items() if v is not None and not (k == "resources" and v == {})}
    return [_trimmed(item) for item in value] if isinstance(value, list) else value
