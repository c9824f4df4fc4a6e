"""What the API server refuses although the schema allows it, for the kinds that omec emits.

A selection, not all of Kubernetes' validation: what manifests of runtimes and services can bring about (reference
04 §22). Each rule is one of the API server, with its text; ``tests/cluster`` asks a real one about each.
"""

from __future__ import annotations

from collections.abc import Callable

from omec.compile.admission import configuration, network, workloads
from omec.compile.admission.fielderror import Object, Refusal, Refusals
from omec.compile.admission.metadata import object_metadata

__all__ = ["Refusal", "refusals"]

_RULES: dict[str, Callable[[Object], Refusals]] = {
    "ConfigMap": configuration.config_map,
    "Deployment": workloads.deployment,
    "HorizontalPodAutoscaler": workloads.autoscaler,
    "Ingress": network.ingress,
    "Job": workloads.job,
    "PersistentVolumeClaim": configuration.claim,
    "PodDisruptionBudget": workloads.disruption_budget,
    "PodTemplate": workloads.stored_template,
    "Role": configuration.role,
    "RoleBinding": configuration.role_binding,
    "Service": network.service,
}


def refusals(obj: Object) -> Refusals:
    """Why the API server would refuse ``obj``, which satisfies the schema of its kind."""
    yield from object_metadata(obj)
    if rules := _RULES.get(obj["kind"]):
        yield from rules(obj)
