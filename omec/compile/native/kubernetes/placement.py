"""Where the pods of a LeaderWorkerSet are placed relative to each other (reference 05 §11.4 and §11.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.inputs import Object
from omec.compile.leaderworkerset import GROUP_INDEX_LABEL, SET_NAME_LABEL, WORKER_INDEX_LABEL

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def add_colocation(worker: Object, set_name: str, topology: Mapping[str, Any]) -> None:
    """Make the pod ``worker`` follow the leader of its own group to a node with the same value of the topology key.

    A term of the pod's own for that key wins, as under OME.
    """
    key = topology.get("topologyKey")
    if not key:
        return
    affinity = dict(worker.get("affinity") or {})
    pods = dict(affinity.get("podAffinity") or {})
    terms = pods.get(_REQUIRED) or []
    if any(term.get("topologyKey") == key for term in terms):
        return
    term = {
        "topologyKey": key,
        "labelSelector": {"matchLabels": {SET_NAME_LABEL: set_name, WORKER_INDEX_LABEL: "0"}},
        "matchLabelKeys": [GROUP_INDEX_LABEL],
    }
    worker["affinity"] = {**affinity, "podAffinity": {**pods, _REQUIRED: [*terms, term]}}
