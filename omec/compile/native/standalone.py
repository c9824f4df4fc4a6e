"""InferenceReplicas that the repository itself holds: checked as OME would, and passed through (reference 05 §3, §4).

OME's manager runs them as they are. Those without ``spec.runners`` it renders from a model and a runtime, which must
be in the cluster beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.catalog import Resource
from omec.compile.inputs import Object
from omec.compile.names import COMPONENTS
from omec.compile.native import mode_rules, rules
from omec.compile.native.admission import Write, refusal
from omec.compile.native.container_remarks import in_init_container, in_replica, lacks_peers
from omec.compile.native.lifecycle_remarks import update_remarks
from omec.compile.native.names import LONGEST_NAME
from omec.compile.native.remarks import Remark
from omec.compile.native.surroundings import Surroundings
from omec.compile.native.templates import template_errors
from omec.compile.native.wording import listed
from omec.compile.problems import Steps, follow
from omec.compile.repository_rules import REFUSED_OBJECT
from omec.compile.validate import Validator
from omec.finding import FieldPath, Finding, field_text
from omec.resolve.reference import Reference, find_runtime, find_served_model

_SHAPES = (("default",), ("leader", "worker"))


def stored_replica(replica: Resource) -> Object:
    """``replica`` as the API server stores it, in its namespace."""
    metadata = {**replica.stored["metadata"], "namespace": replica.namespace}
    return {**replica.stored, "metadata": metadata}


def replica_findings(replica: Resource, surroundings: Surroundings, validator: Validator) -> list[Finding]:
    """What is wrong with ``replica``, whose manifest is valid by its schema."""
    body = stored_replica(replica)
    fault = refusal(Write(body, surroundings=surroundings))
    if fault is not None:
        return [_finding(replica, Remark(rules.REPLICA_REFUSED, fault[1], fault[0], _advice(fault[0])))]
    findings = [_finding(replica, remark) for remark in _remarks(body["spec"], replica)]
    findings += (_finding(replica, remark) for remark in _references(replica, surroundings))
    for error in template_errors(body, validator):
        message = f"the API server would refuse the pods of {replica.ref}: {error.message}"
        remark = Remark(REFUSED_OBJECT, message, error.path, "correct the field")
        findings.append(_finding(replica, remark))
    return findings


def without_controller(replica: Resource) -> Finding:
    """The finding about a replica on platform kubernetes, where nobody runs it."""
    message = f"{replica.ref} does nothing on platform kubernetes: only OME's manager runs InferenceReplicas"
    help_ = "write an InferenceService, from which omec renders Deployments and LeaderWorkerSets"
    return _finding(replica, Remark(rules.REPLICA_WITHOUT_CONTROLLER, message, ("kind",), help_))


def needed_resources(replica: Resource, surroundings: Surroundings) -> tuple[Resource, ...]:
    """The model and the runtime (with its parents) that OME renders ``replica`` from, as far as they are known."""
    model, runtime = _model(replica, surroundings), _runtime(replica, surroundings)
    chain = () if runtime is None else surroundings.chains.chain(runtime).runtimes
    return (*([] if model is None else [model]), *chain)


def _remarks(spec: Mapping[str, Any], replica: Resource) -> Iterator[Remark]:
    component = spec.get("component", "")
    if component not in COMPONENTS:
        message = f"{replica.ref} is for the component {component!r}"
        yield Remark(rules.REPLICA_COMPONENT, message, ("spec", "component"), f"write {listed(COMPONENTS, 'or')}")
    if (excess := len(replica.name) - LONGEST_NAME) > 0:
        message = (
            f"{replica.ref} has a name of {len(replica.name)} characters, its pods' host names leave room for "
            f"{LONGEST_NAME}"
        )
        yield Remark(rules.REPLICA_NAME, message, ("metadata", "name"), f"shorten the name by {excess}")
    runners = spec.get("runners") or ()
    if runners:
        yield from _shape(runners, replica)
    lifecycle = spec.get("lifecycle") or {}
    for remark in update_remarks(lifecycle, lifecycle, component):
        yield Remark(remark.rule, remark.message, ("spec", "lifecycle", *remark.steps), remark.help)
    if len(runners) > 1 and lifecycle.get("readyPolicy") == "None":
        message = f'{replica.ref} has several pods in an Instance, for which readyPolicy "None" is not supported'
        steps = ("spec", "lifecycle", "readyPolicy")
        yield Remark(mode_rules.READY_POLICY, message, steps, mode_rules.READY_POLICY.remedy)
    for index, runner in enumerate(runners):
        yield from _pod(runner, ("spec", "runners", index, "template", "spec"), replica)


def _shape(runners: list[Object], replica: Resource) -> Iterator[Remark]:
    names = tuple(runner["name"] for runner in runners)
    if names not in _SHAPES:
        help_ = "put leader before worker" if sorted(names) == ["leader", "worker"] else rules.REPLICA_SHAPE.remedy
        message = f"{replica.ref} has the runners {', '.join(names)}"
        yield Remark(rules.REPLICA_SHAPE, message, ("spec", "runners"), help_)
    for index, runner in enumerate(runners):
        if runner["name"] != "worker" and runner["size"] != 1:
            message = f"{replica.ref} has {runner['size']} pods of the runner {runner['name']} in an Instance"
            yield Remark(rules.REPLICA_SHAPE, message, ("spec", "runners", index, "size"), "set size to 1")


def _pod(runner: Mapping[str, Any], path: FieldPath, replica: Resource) -> Iterator[Remark]:
    pod = (runner.get("template") or {}).get("spec") or {}
    for field in ("containers", "initContainers"):
        for index, container in enumerate(pod.get(field) or ()):
            for remark in _container(runner, field, container, f"{container.get('name', index)} of {replica.ref}"):
                yield Remark(remark.rule, remark.message, (*path, field, index, *remark.steps), remark.help)


def _container(runner: Mapping[str, Any], field: str, container: Object, name: str) -> Iterator[Remark]:
    if field == "initContainers":
        yield from in_init_container(container, f"init container {name}")
        return
    yield from in_replica(container, f"container {name}", runner["name"])
    yield from lacks_peers(container, f"container {name}")


def _references(replica: Resource, surroundings: Surroundings) -> Iterator[Remark]:
    spec = replica.spec
    if spec.get("modelRef") is not None and _model(replica, surroundings) is None:
        yield _missing(replica, "modelRef", spec["modelRef"])
    if spec.get("runtimeRef") is not None and _runtime(replica, surroundings) is None:
        yield _missing(replica, "runtimeRef", spec["runtimeRef"])


def _missing(replica: Resource, field: str, reference: Mapping[str, Any]) -> Remark:
    message = f"{replica.ref} renders from {reference.get('kind', '')} {reference.get('name', '')}, which is not here"
    help_ = "add it to the repository, or make sure that the cluster has it"
    return Remark(rules.REPLICA_REFERENCE_MISSING, message, ("spec", field, "name"), help_)


def _model(replica: Resource, surroundings: Surroundings) -> Resource | None:
    reference = Reference.of({"model": replica.spec.get("modelRef")}, "model")
    if reference is None:
        return None
    return find_served_model(surroundings.catalog, reference, replica.namespace or "").resource


def _runtime(replica: Resource, surroundings: Surroundings) -> Resource | None:
    reference = Reference.of({"runtime": replica.spec.get("runtimeRef")}, "runtime")
    if reference is None:
        return None
    return find_runtime(surroundings.catalog, reference, replica.namespace or "").resource


def _advice(steps: Steps) -> str:
    if steps[:2] == ("metadata", "annotations"):
        return f"remove the annotation {steps[2]}"
    match steps:
        case ("metadata", "name"):
            return "rename the replica; a new name means new pods"
        case ("spec", "parentRef") | ("spec",):
            return "leave replicas of an InferenceService out of the repository: OME writes them"
        case ("spec", "autoscaler", "class"):
            return "remove the block and write the HorizontalPodAutoscaler or ScaledObject yourself"
    return rules.REPLICA_REFUSED.remedy


def _finding(replica: Resource, remark: Remark) -> Finding:
    """``remark`` at the deepest field on its way that the manifest has."""
    path: FieldPath = ()
    for length in range(len(remark.steps), -1, -1):
        if (found := follow(replica.body, remark.steps[:length])) is not None:
            path = found
            break
    return Finding(
        rule=remark.rule,
        message=remark.message,
        position=replica.locate(path),
        object=replica.ref,
        field=field_text(path) or None,
        help=remark.help,
    )
