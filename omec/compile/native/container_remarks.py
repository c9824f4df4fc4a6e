"""Variables and labels in containers that the controller of their pods does not provide (reference 05 §6.4, §7.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from omec.compile.native import rules
from omec.compile.native.peers import PEER_VARIABLES, revision_endpoints
from omec.compile.native.remarks import Remark
from omec.compile.native.variables import (
    INSTANCE_VARIABLES,
    LEADER_WORKER_SET_LABELS,
    LEADER_WORKER_SET_VARIABLES,
    REPLICA_VARIABLES,
    references,
    texts,
)

_OF_REPLICAS = frozenset({*REPLICA_VARIABLES, *INSTANCE_VARIABLES})
_OF_SETS = {lws: ome for ome, lws in LEADER_WORKER_SET_VARIABLES.items()}
_OF_OTHER_FORMS = _OF_REPLICAS | _OF_SETS.keys()

Container = Mapping[str, Any]


def in_replica(container: Container, who: str, role: str) -> Iterator[Remark]:
    """About a container in the pods of a replica's ``role``; ``who`` names it in messages."""
    for steps, text in texts(container):
        used = {*references(text)} - _defined(container)
        for name in sorted(used.intersection(INSTANCE_VARIABLES) if role == "default" else ()):
            message = f"{who} uses $({name}), which only pods with a leader get"
            yield Remark(rules.FOREIGN_VARIABLES, message, steps, "set it in env, or add a leader and workers")
        for lws in sorted(used & _OF_SETS.keys()):
            message = f"{who} uses $({lws}), which only a LeaderWorkerSet sets"
            yield Remark(rules.FOREIGN_VARIABLES, message, steps, f"write $({_OF_SETS[lws]})")
        if LEADER_WORKER_SET_LABELS in text:
            message = f"{who} selects by {LEADER_WORKER_SET_LABELS}…, which no pod has"
            help_ = "write ome.io/runner=leader for leaderworkerset.sigs.k8s.io/worker-index=0"
            yield Remark(rules.FOREIGN_VARIABLES, message, steps, help_)
    for endpoint in revision_endpoints(container):
        help_ = f"write $({endpoint.replace('_REVISION', '')})"
        yield Remark(rules.PEER_ENDPOINT, f"{who} uses $({endpoint}), which nothing sets", (), help_)
    yield from _set_behind(container, who)


def names_service(container: Container, who: str) -> Iterator[Remark]:
    """About the variable with the name of the InferenceService, where it holds that of the replica instead."""
    for steps, text in texts(container):
        if "OME_INFERENCESERVICE_NAME" in {*references(text)} - _defined(container):
            message = f"{who} uses $(OME_INFERENCESERVICE_NAME)"
            yield Remark(rules.SERVICE_NAME_VARIABLE, message, steps, rules.SERVICE_NAME_VARIABLE.remedy)


def lacks_peers(container: Container, who: str) -> Iterator[Remark]:
    """About the addresses of other components, which OME tells only to the pods of an InferenceService."""
    used = {name for _, text in texts(container) for name in references(text)}
    for name in sorted(used - _defined(container)):
        if name in PEER_VARIABLES:
            help_ = f"set {name} in env, for example to the name of a Service"
            yield Remark(rules.PEER_ENDPOINT, f"{who} uses $({name}), which nothing sets", (), help_)


def _set_behind(container: Container, who: str) -> Iterator[Remark]:
    """About variables that are made from OME's, which come at the end of ``env``."""
    for item in container.get("env") or ():
        for name in sorted({*references(item.get("value") or "")} & (_OF_REPLICAS - _defined(container))):
            message = f"{item['name']} of {who} refers to $({name}), which OME sets behind it"
            steps = ("env", ("name", item["name"]), "value")
            yield Remark(rules.EARLY_VARIABLES, message, steps, f"use $({name}) in the arguments instead")


def in_init_container(container: Container, who: str) -> Iterator[Remark]:
    for steps, text in texts(container):
        for name in sorted({*references(text)} & (_OF_REPLICAS - _defined(container))):
            message = f"{who} uses $({name}), which it does not get"
            yield Remark(rules.EARLY_VARIABLES, message, steps, rules.EARLY_VARIABLES.remedy)


def in_group(container: Container, who: str, provided: Collection[str]) -> Iterator[Remark]:
    """About a container in the pods of a LeaderWorkerSet; ``provided`` are the variables of OME that omec sets."""
    for steps, text in texts(container):
        for name in sorted({*references(text)} & (_OF_REPLICAS - {*_defined(container), *provided})):
            lws = LEADER_WORKER_SET_VARIABLES.get(name)
            help_ = "set it in env, or use platform ome with mode OMENative" if lws is None else f"write $({lws})"
            message = f"{who} uses $({name}), which a LeaderWorkerSet does not set"
            yield Remark(rules.FOREIGN_VARIABLES, message, steps, help_)


def in_deployment(container: Container, who: str, provided: Collection[str]) -> Iterator[Remark]:
    """About a container in the pods of a Deployment; ``provided`` are the variables of OME that omec sets."""
    for steps, text in texts(container):
        names = {*references(text)} & _OF_OTHER_FORMS
        for name in sorted(names - {*_defined(container), *provided} if names else ()):
            message = f"{who} uses $({name}), which the pods of a Deployment lack"
            help_ = "set it in env, or run the component on OMENative with platform ome"
            yield Remark(rules.FOREIGN_VARIABLES, message, steps, help_)


def _defined(container: Container) -> set[str]:
    return {item["name"] for item in container.get("env") or ()}
