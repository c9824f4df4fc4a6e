"""omec refuses what the API server refuses, in its words; ``tests/cluster/test_admission.py`` asks a real one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from omec.compile.validate import Validator
from omec.finding import Severity, field_text
from tests.compile.admission_cases import CASES, Case, expanded, same_place
from tests.compile.objects import Object, changed, deployment


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_refused(case: Case) -> None:
    errors = Validator().errors(case.refused)
    assert {error.keyword for error in errors} == {"admission"}, errors
    [found] = [error for error in errors if case.text in error.message]
    assert same_place(field_text(found.path), case.field)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_accepted_when_corrected(case: Case) -> None:
    assert Validator().errors(case.accepted) == []


@pytest.mark.parametrize(
    ("operator", "values"),
    [("In", ["1", "2"]), ("NotIn", ["1"]), ("Exists", []), ("DoesNotExist", []), ("Gt", ["1"]), ("Lt", ["1"])],
)
def test_operators_of_node_affinity(operator: str, values: list[str]) -> None:
    term = {"matchExpressions": [{"key": "gpus", "operator": operator, **({"values": values} if values else {})}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}
    assert Validator().errors(changed(deployment(), expanded({"pod>affinity": affinity}))) == []


def test_case_names_are_unique() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


WARNED = {
    "selects no pod": (
        "pod>topologySpreadConstraints",
        [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}],
        "a null labelSelector results in matching no pod",
    ),
    "no secret": ("pod>imagePullSecrets", [{}], 'invalid empty name ""'),
    "a kind of volume that is gone": (
        "pod>volumes>1",
        {"name": "code", "gitRepo": {"repository": "x"}},
        "deprecated in v1.11, and disabled by default in v1.33+",
    ),
    "half a byte": (
        "container>resources",
        {"limits": {"memory": "500m"}},
        'fractional byte value "500m" is invalid, must be an integer',
    ),
}
"""Changes that the API server accepts with a warning, and its words."""

REPLACED = {
    "account": (
        {"pod>serviceAccountName": "a", "pod>serviceAccount": "b"},
        "serviceAccount: the API server stores a, the serviceAccountName, in place of b",
    ),
    "stop signal": (
        {"container>lifecycle": {"stopSignal": "SIGINT"}},
        "stopSignal: a cluster without the feature gate ContainerStopSignals",
    ),
    "labels of volumes": (
        {"pod>securityContext": {"seLinuxChangePolicy": "MountOption"}},
        "seLinuxChangePolicy: a cluster without the feature gate SELinuxMount refuses MountOption",
    ),
    "address of no port": ({"container>ports>0>hostIP": "10.0.0.1"}, "hostIP 10.0.0.1 is set without hostPort"),
}
"""Changes that the API server accepts, in words of its own or in silence, but that have another effect."""


def warned(changes: Mapping[str, Any]) -> Object:
    return changed(deployment(), expanded(changes))


@pytest.mark.parametrize(("place", "value", "text"), WARNED.values(), ids=WARNED)
def test_warned(place: str, value: Any, text: str) -> None:
    _assert_warned(warned({place: value}), text)


@pytest.mark.parametrize(("changes", "text"), REPLACED.values(), ids=REPLACED)
def test_replaced(changes: Mapping[str, Any], text: str) -> None:
    _assert_warned(warned(changes), text)


def _assert_warned(obj: Object, text: str) -> None:
    [error] = Validator().errors(obj)
    assert text in error.message
    assert error.severity is Severity.WARNING
