"""The standalone InferenceReplica of a component (reference 05 §7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.api.kinds import API_VERSION
from omec.compile.inputs import Object
from omec.compile.native.instances import SERVING_GATE
from omec.compile.native.labels import CONTROLLER_OWNED, SERVICE_LABEL
from omec.compile.native.lifecycle import min_ready_seconds, standalone_lifecycle
from omec.compile.native.names import replica_name
from omec.compile.native.projection import Projection
from omec.compile.native.runners import runners

_SCALED_BY_OTHERS = ("HPA", "KEDA", "External")
_OVERWRITTEN = ("hostname", "subdomain")


def inference_replica(projection: Projection, *, marked: bool) -> Object:
    """The replica; with ``marked`` it and its pods carry omec's label of the InferenceService.

    No count is stated where a scaler owns it: a count in Git would be reset by every sync.
    """
    component, autoscaler = projection.component, projection.autoscaler
    spec: Object = {"component": component.name}
    if autoscaler["class"] not in _SCALED_BY_OTHERS:
        spec["replicas"] = projection.bounds.minimum
    if seconds := min_ready_seconds(projection.lifecycle):
        spec["minReadySeconds"] = seconds
    spec |= projection.topology
    if lifecycle := standalone_lifecycle(projection.lifecycle):
        spec["lifecycle"] = lifecycle
    if projection.revision_history_limit is not None:
        spec["revisionHistoryLimit"] = projection.revision_history_limit
    # The webhook refuses the classes that nobody would act on.
    if autoscaler["class"] not in ("HPA", "KEDA"):
        spec["autoscaler"] = autoscaler
    spec |= projection.pause
    if projection.pairing_protocol is not None:
        spec["pairingProtocol"] = projection.pairing_protocol
    mark = {SERVICE_LABEL: projection.service.name} if marked else {}
    spec["runners"] = [_standalone_runner(runner, mark) for runner in runners(projection)]
    metadata = {
        "name": replica_name(projection.service.name, component.name),
        "namespace": projection.service.namespace,
        "labels": {**projection.replica_labels, **mark},
    }
    return {"apiVersion": API_VERSION, "kind": "InferenceReplica", "metadata": metadata, "spec": spec}


def _standalone_runner(runner: Object, mark: Mapping[str, str]) -> Object:
    """``runner`` without what the controller overwrites on every pod."""
    template = runner["template"]
    metadata: Object = dict(template["metadata"])
    labels = {key: value for key, value in metadata["labels"].items() if key not in CONTROLLER_OWNED}
    metadata["labels"] = {**labels, **mark}
    return {**runner, "template": {"metadata": metadata, "spec": _standalone_pod(template["spec"])}}


def _standalone_pod(pod: Mapping[str, Any]) -> Object:
    kept = {key: value for key, value in pod.items() if key not in _OVERWRITTEN}
    gates = [gate for gate in kept.pop("readinessGates", ()) if gate.get("conditionType") != SERVING_GATE]
    return {**kept, "readinessGates": gates} if gates else kept
