"""What the definition of KEDA's ScaledObject refuses, and OME's of an autoscaler block allows (KEDA 2.x).

Users who give the definition itself (``--schema-dir``) have the whole object checked; these are the fields that OME
takes over unseen, so they are checked for everybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.compile.autoscaling import rules
from omec.compile.autoscaling.block import Autoscaler
from omec.compile.names import ComponentName
from omec.compile.problems import Place, Problem
from omec.finding import FieldPath, field_text

_LEAST: dict[FieldPath, int] = {
    ("pollingInterval",): 1,
    ("cooldownPeriod",): 0,
    ("idleReplicaCount",): 0,
    ("fallback", "failureThreshold"): 0,
    ("fallback", "replicas"): 0,
}
_CHOICES: dict[FieldPath, tuple[str, ...]] = {
    ("advanced", "scalingModifiers", "metricType"): ("AverageValue", "Value"),
    ("fallback", "behavior"): (
        "static",
        "currentReplicas",
        "currentReplicasIfHigher",
        "currentReplicasIfLower",
        "scalingModifiers",
    ),
}
_AUTHENTICATIONS = ("TriggerAuthentication", "ClusterTriggerAuthentication")


def keda_problems(component: ComponentName, autoscaler: Autoscaler) -> Iterator[Problem]:
    """The values of a block of class KEDA with which the API server would refuse the ScaledObject."""
    for steps, says in _faults(autoscaler.block["keda"]):
        message = f"KEDA refuses {field_text(('keda', *steps))} of the {component}: {says}"
        place = autoscaler.place
        if place.steps[-1] == "autoscaler":
            place = Place(place.origin, (*place.steps, "keda", *steps))
        yield Problem(rules.KEDA_REFUSES, message, place, rules.KEDA_REFUSES.remedy)


def _faults(keda: Mapping[str, Any]) -> Iterator[tuple[FieldPath, str]]:
    for steps, least in _LEAST.items():
        value = _at(keda, steps)
        if value is not None and value < least:
            yield steps, f"{value} is less than {least}"
    for steps, choices in _CHOICES.items():
        value = _at(keda, steps)
        if value and value not in choices:
            yield steps, f"{value} is not one of {', '.join(choices)}"
    for index, trigger in enumerate(keda["triggers"]):
        if not trigger.get("type"):
            yield ("triggers", index, "type"), "it is empty"
        kind = _at(trigger, ("authenticationRef", "kind"))
        if kind and kind not in _AUTHENTICATIONS:
            yield (
                ("triggers", index, "authenticationRef", "kind"),
                f"{kind} is not one of {', '.join(_AUTHENTICATIONS)}",
            )


def _at(value: Mapping[str, Any], steps: FieldPath) -> Any:
    found: Any = value
    for step in steps:
        found = (found or {}).get(step)
    return found
