"""A service in front of InferenceReplicas of the repository (reference 05 §9.2).

OME renders no workload for it, only a Service for each role and what leads to these.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from omec.catalog import Resource
from omec.compile.accelerators import NO_ACCELERATOR
from omec.compile.components import merge_components
from omec.compile.inputs import Object, Runtime, Service, ServiceInputs
from omec.compile.names import ComponentName
from omec.compile.native import rules
from omec.compile.native.fronting import fronting_services, reference_refusals, referenced, shape_refusals
from omec.compile.native.labels import RUNNER_LABEL, pod_selector
from omec.compile.native.pods import roles
from omec.compile.native.standalone import stored_replica
from omec.compile.native.surroundings import Surroundings
from omec.compile.pod import compose_pod
from omec.compile.problems import Origin, Place, Problem, RenderError
from omec.resolve.reference import Reference, find_runtime


class Front(msgspec.Struct, frozen=True):
    """One role: its Service, the labels of all pods behind it, and of those that requests from outside go to."""

    component: ComponentName
    replica: str
    service: Object
    selector: Mapping[str, str]
    external_selector: Mapping[str, str]


def fronts(service: Service, surroundings: Surroundings) -> list[Front]:
    """What ``service``, which has ``spec.replicaRefs``, is made of, engine first.

    Raises :class:`RenderError` with OME's text where OME refuses the service, for a replica that the repository does
    not have as well: where it stands and what its ports are, nobody could say.
    """
    names = referenced(service.spec)
    replicas = [
        _with_runners(replica, surroundings) if replica.name in names.values() else stored_replica(replica)
        for replica in surroundings.catalog.of_kind("InferenceReplica")
    ]
    others = [
        Service.of(other.stored, other.namespace or "") for other in surroundings.catalog.of_kind("InferenceService")
    ]
    for refusals in (shape_refusals(service.spec), reference_refusals(service, replicas, others)):
        for steps, message in refusals:
            place = Place(Origin.SERVICE, ("spec", *steps))
            raise RenderError(Problem(rules.REPLICA_REFS, message, place, _help(message)))
    return [
        _front(component, names[component], body)
        for component, body in zip(names, fronting_services(service, replicas), strict=True)
    ]


def _front(component: ComponentName, replica: str, body: Object) -> Front:
    selector = pod_selector(replica, component)
    leaders = {key: value for key, value in body["spec"]["selector"].items() if key == RUNNER_LABEL}
    return Front(component, replica, body, selector, {**selector, **leaders})


def _with_runners(replica: Resource, surroundings: Surroundings) -> Object:
    """``replica`` as stored; of one that renders from a runtime, with the runners that OME will make of it.

    They are as complete as Services need: containers with their names and ports.
    """
    body = stored_replica(replica)
    spec = body["spec"]
    reference = Reference.of({"runtime": spec.get("runtimeRef")}, "runtime")
    namespace = replica.namespace or ""
    runtime = None if reference is None else find_runtime(surroundings.catalog, reference, namespace).resource
    chain = None if runtime is None else surroundings.chains.chain(runtime)
    if spec.get("runners") or runtime is None or chain is None or chain.spec is None:
        return body
    service = Service(replica.name, namespace, {}, {}, {spec.get("component", ""): {}})
    inputs = ServiceInputs(service, Runtime(runtime.name, chain.spec))
    runners = [
        {
            "name": role,
            "template": {"spec": compose_pod(inputs, part, role, weights=None, accelerator=NO_ACCELERATOR).spec},
        }
        for part in merge_components(inputs)
        for role in roles(part)
    ]
    return {**body, "spec": {**spec, "runners": runners}}


def _help(message: str) -> str:
    if message.endswith("create it first"):
        return "add the replica to the repository, or its folder to [[sources]] in omec.toml"
    return rules.REPLICA_REFS.remedy
