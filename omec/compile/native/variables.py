"""Environment variables that a workload controller sets on the pods of a multi-node component.

The InferenceReplica controller sets ``OME_*`` (reference 05 §6.4), the LeaderWorkerSet controller ``LWS_*``
(reference 05 §12.1, §14.2). Neither sets the other's, so a runtime is written for one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from omec.compile.problems import Steps

REPLICA_VARIABLES = (
    "OME_INFERENCESERVICE_NAME",
    "OME_COMPONENT",
    "OME_COMPONENT_REPLICAS",
    "OME_INSTANCE_INDEX",
    "OME_RUNNER",
    "OME_RUNNER_SIZE",
    "OME_RUNNER_INDEX",
    "OME_INSTANCE_SUBDOMAIN",
)
"""Set in every container of every replica's pods, in this order."""

INSTANCE_VARIABLES = ("OME_LEADER_ADDRESS", "OME_INSTANCE_POD_RANK", "OME_INSTANCE_POD_COUNT")
"""Set as well where an Instance has a leader."""

LEADER_WORKER_SET_VARIABLES = {
    "OME_LEADER_ADDRESS": "LWS_LEADER_ADDRESS",
    "OME_INSTANCE_POD_COUNT": "LWS_GROUP_SIZE",
    "OME_INSTANCE_POD_RANK": "LWS_WORKER_INDEX",
}
"""What the two controllers both know, by OME's name for it."""

LEADER_WORKER_SET_LABELS = "leaderworkerset.sigs.k8s.io/"

_REFERENCE = re.compile(
    r"(?<!\$)\$(?:\((?P<kubernetes>[A-Za-z_]\w*)\)|\{(?P<braced>[A-Za-z_]\w*)|(?P<shell>[A-Za-z_]\w*))"
)
"""``$(NAME)`` as Kubernetes expands it, or ``${NAME}`` and ``$NAME`` as a shell in the container does."""


def references(text: str) -> Iterator[str]:
    """The names of the variables that ``text`` refers to."""
    if "$" not in text:
        return
    for match in _REFERENCE.finditer(text):
        yield match["kubernetes"] or match["braced"] or match["shell"]


def renamed(text: str, names: Mapping[str, str]) -> str:
    """``text`` with references to the variables in ``names`` renamed."""

    def replace(match: re.Match[str]) -> str:
        name = match["kubernetes"] or match["braced"] or match["shell"]
        return match[0].replace(name, names.get(name, name), 1)

    return _REFERENCE.sub(replace, text)


def texts(container: Mapping[str, Any]) -> Iterator[tuple[Steps, str]]:
    """The texts of ``container`` in which variables are expanded, each with the way to it."""
    for field in ("command", "args"):
        for index, word in enumerate(container.get(field) or ()):
            yield (field, index), word
    for variable in container.get("env") or ():
        if isinstance(value := variable.get("value"), str):
            yield ("env", ("name", variable["name"]), "value"), value


def rewritten(container: Mapping[str, Any], rewrite: Any) -> dict[str, Any]:
    """``container`` with ``rewrite`` applied to every text in which variables are expanded."""
    changed = dict(container)
    for field in ("command", "args"):
        if container.get(field):
            changed[field] = [rewrite(word) for word in container[field]]
    if container.get("env"):
        changed["env"] = [
            {**item, "value": rewrite(item["value"])} if isinstance(item.get("value"), str) else item
            for item in container["env"]
        ]
    return changed
