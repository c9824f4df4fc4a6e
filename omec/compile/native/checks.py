"""What renders to a valid replica, but hardly runs as its author meant it (reference 05 §7, §10, §11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from omec.compile.inputs import ServiceInputs
from omec.compile.modes import Mode
from omec.compile.names import DEFAULT_CONTAINER, ComponentName
from omec.compile.native import rollout_rules, rules
from omec.compile.native.lifecycle_remarks import update_remarks
from omec.compile.native.names import LONGEST_NAME, NAME_PATTERN, is_replica_name, replica_name
from omec.compile.native.projection import Projection
from omec.compile.native.topology import spread_key
from omec.compile.native.wording import listed
from omec.compile.problems import Origin, Place, Problem

_IGNORED_QUEUES = ("ome.io/dedicated-ai-cluster", "ome.io/volcano-queue")
_MIGRATION_PREFIX = "ome.io/migration-request-v1-"
_SERVICE_NAME = Place(Origin.SERVICE, ("metadata", "name"))


def check_service(inputs: ServiceInputs, modes: Mapping[ComponentName, Mode]) -> Iterator[Problem]:
    """What a service with OMENative components asks for, and only OME does for replicas of its own."""
    if Mode.OME_NATIVE not in modes.values():
        return
    spec = inputs.service.spec
    if (spec.get("rollout") or {}).get("groups"):
        message = f"the rollout groups of {inputs.service.name} have no effect: every component rolls out by itself"
        place = Place(Origin.SERVICE, ("spec", "rollout", "groups"))
        yield Problem(rollout_rules.ROLLOUT_IGNORED, message, place, rollout_rules.ROLLOUT_IGNORED.remedy)
    for key in inputs.service.annotations:
        if key.startswith(_MIGRATION_PREFIX):
            message = "a migration request has no effect: OME moves Instances of its own replicas only"
            yield Problem(rules.SETTING_IGNORED, message, Place(Origin.SERVICE, ("metadata", "annotations", key)))


def standalone_note(inputs: ServiceInputs, native: Sequence[ComponentName]) -> Problem:
    """What a service loses because the replicas of the components ``native`` stand alone, said once."""
    runs = "runs as a standalone InferenceReplica" if len(native) == 1 else "run as standalone InferenceReplicas"
    message = (
        f"{listed(native)} of {inputs.service.name} {runs}: each rolls out by itself, without Services for "
        "single revisions, and no InferenceService reports its state"
    )
    return Problem(rules.STANDALONE_LOSES, message, _SERVICE_NAME)


def check_replica(projection: Projection) -> Iterator[Problem]:
    """What concerns one component that runs as a replica."""
    yield from _name(projection)
    yield from check_bounds(projection)
    yield from check_update(projection)
    yield from check_topology(projection)
    yield from _queues(projection)
    if "leader" in projection.pods:
        yield from _multi_pod(projection)


def _name(projection: Projection) -> Iterator[Problem]:
    name = replica_name(projection.service.name, projection.component.name)
    if not is_replica_name(name):
        message = f'InferenceReplica {name} must match "{NAME_PATTERN}"'
        yield Problem(rules.REPLICA_NAME, message, _SERVICE_NAME, "rename the InferenceService")
    elif (excess := len(name) - LONGEST_NAME) > 0:
        message = (
            f"InferenceReplica {name} has {len(name)} characters, its pods' host names leave room for {LONGEST_NAME}"
        )
        yield Problem(rules.REPLICA_NAME, message, _SERVICE_NAME, f"shorten the name by {excess}")


def check_bounds(projection: Projection) -> Iterator[Problem]:
    component = projection.component
    minimum, maximum = component.spec.get("minReplicas") or 1, component.spec.get("maxReplicas")
    if maximum and maximum < minimum:
        message = f"the {component.name} has minReplicas {minimum} and maxReplicas {maximum}: OME runs {minimum}"
        field = "maxReplicas" if "maxReplicas" in component.own else "minReplicas"
        yield Problem(rules.BOUNDS_RAISED, message, component.place(field), rules.BOUNDS_RAISED.remedy)


def check_update(projection: Projection) -> Iterator[Problem]:
    """An update strategy that never comes to an end, or takes everything down.

    That the service itself leaves no budget at all is told as what OME's webhook refuses.
    """
    component = projection.component
    written = component.own.get("lifecycle") or {}
    for remark in update_remarks(projection.lifecycle or {}, written, component.name):
        if remark.rule is rollout_rules.ZERO_BUDGET:
            continue
        yield Problem(remark.rule, remark.message, component.place("lifecycle", *remark.steps), remark.help)


def check_budgets(projection: Projection) -> Iterator[Problem]:
    """The same for Kubernetes' own workloads, which have no budget of 0."""
    for problem in check_update(projection):
        stalls = problem.rule is rollout_rules.STALLED_BUDGET
        yield replace(problem, rule=rollout_rules.ZERO_BUDGET) if stalls else problem


def check_topology(projection: Projection) -> Iterator[Problem]:
    component, fields = projection.component, projection.topology
    if fields.get("topologySpread") and not spread_key(fields):
        message = f"the {component.name} has topologySpread, but neither topologySpreadKey nor topologyKey"
        yield Problem(rules.SETTING_IGNORED, message, component.place("topologySpread"), "set topologySpreadKey")
    if fields.get("topologyKey") and "leader" not in projection.pods and not fields.get("topologySpread"):
        message = f"the {component.name} has topologyKey, but no workers that could follow a leader"
        yield Problem(rules.SETTING_IGNORED, message, component.place("topologyKey"), "remove it")


def _queues(projection: Projection) -> Iterator[Problem]:
    component = projection.component
    for key in _IGNORED_QUEUES:
        if key in projection.annotations:
            message = f"the annotation {key} puts no OMENative pods of the {component.name} into a queue"
            on_component = key in (component.spec.get("annotations") or {})
            place = (
                component.place("annotations", key)
                if on_component
                else Place(Origin.SERVICE, ("metadata", "annotations", key))
            )
            help_ = "label the service or component with kueue.x-k8s.io/queue-name, or name a gang scheduler"
            yield Problem(rules.SETTING_IGNORED, message, place, help_)


def _multi_pod(projection: Projection) -> Iterator[Problem]:
    component = projection.component
    if not projection.declares_workers:
        message = (
            f"the Service of the {component.name} selects the workers too, as OME's does where only the runtime has "
            "workers"
        )
        help_ = f"add leader: {{}} and worker: {{}} to spec.{component.name}"
        yield Problem(rules.MULTI_POD_ADVICE, message, component.place(), help_)
    for role, pod in projection.pods.items():
        if not pod.spec.get("schedulerName"):
            message = f"the {role} pods of the {component.name} name no scheduler, so nothing places an Instance as one"
            help_ = "set schedulerName to a scheduler that knows PodGroups, such as ome-scheduler"
            yield Problem(rules.MULTI_POD_ADVICE, message, component.place(role), help_)
            break
    for role, pod in projection.pods.items():
        containers = pod.spec["containers"]
        if all(container["name"] != DEFAULT_CONTAINER for container in containers):
            message = (
                f"the {role} pods of the {component.name} have no container {DEFAULT_CONTAINER}, by whose restarts OME "
                "recreates an Instance"
            )
            yield Problem(
                rules.MULTI_POD_ADVICE, message, component.place(role), f"name the runner {DEFAULT_CONTAINER}"
            )
    for probe in ("readinessProbe", "livenessProbe"):
        if any(probe in container for container in projection.pods["worker"].spec["containers"]):
            message = f"the workers of the {component.name} have a {probe}, though only the leader serves"
            place = component.place("worker", "runner", probe)
            yield Problem(rules.MULTI_POD_ADVICE, message, place, "probe the leader alone")
