"""The scheduling terms that the replica controller adds to the pods of an Instance (reference 05 §11.4, §11.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.inputs import Object
from omec.compile.metadata import COMPONENT_LABEL, INFERENCE_SERVICE_LABEL
from omec.compile.native.labels import INDEX_LABEL, RUNNER_LABEL
from omec.compile.native.names import DerivedNames
from omec.compile.native.topology import spread_key

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def add_colocation(pod: Object, names: DerivedNames, spec: Mapping[str, Any], index: int, runner: str) -> None:
    """Make a worker follow its leader to a node with the same value of the topology key.

    A term of the template for that key wins.
    """
    key = spec.get("topologyKey")
    if runner != "worker" or not key or all(other["name"] != "leader" for other in spec["runners"]):
        return
    affinity = pod.setdefault("affinity", {}).setdefault("podAffinity", {})
    terms = affinity.get(_REQUIRED) or []
    if any(term.get("topologyKey") == key for term in terms):
        return
    labels = {**_set_labels(names), INDEX_LABEL: str(index), RUNNER_LABEL: "leader"}
    affinity[_REQUIRED] = [*terms, {"topologyKey": key, "labelSelector": {"matchLabels": labels}}]


def add_spread(pod: Object, names: DerivedNames, spec: Mapping[str, Any], runner: str) -> None:
    """Spread the leaders or only pods of all Instances; a constraint of the template for that key wins."""
    key = spread_key(spec)
    constraints = pod.get("topologySpreadConstraints") or []
    if runner == "worker" or not key or any(constraint.get("topologyKey") == key for constraint in constraints):
        return
    constraint = {
        "maxSkew": 1,
        "topologyKey": key,
        "whenUnsatisfiable": "DoNotSchedule" if spec["topologySpread"] == "Required" else "ScheduleAnyway",
        "labelSelector": {"matchLabels": {**_set_labels(names), RUNNER_LABEL: runner}},
    }
    pod["topologySpreadConstraints"] = [*constraints, constraint]


def _set_labels(names: DerivedNames) -> dict[str, str]:
    return {INFERENCE_SERVICE_LABEL: names.prefix, COMPONENT_LABEL: names.component}
