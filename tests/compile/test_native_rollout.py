"""What OME's webhook says about rollouts: the table of reference 05 §12.3, and 09 A4 rules 23 to 25 and 32."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.native.rollout_admission import progression, rollout_problems, rollout_refusals
from tests.compile.native_cases import slugs
from tests.compile.rendering import Object

PAIR = ["engine", "decoder"]


def group(*components: str, **fields: Any) -> Object:
    return {"components": list(components), **fields}


def spec(*groups: Object, mode: str | None = "OMENative", **more: Any) -> Object:
    found: Object = {"engine": {}, "decoder": {}, "rollout": {"groups": list(groups)}, **more}
    return found if mode is None else {"deploymentMode": mode, **found}


def refusal(given: Object) -> tuple[Any, str] | None:
    return next(rollout_refusals(given), None)


CANARY = {"canary": {"steps": [{"capacity": "100%", "traffic": 100}]}}
AT = "spec.rollout.groups[0]: "


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (spec(group(*PAIR)), None),
        (spec(group(*PAIR, **CANARY)), None),
        (spec(), None),
        (
            spec(group("engine"), mode="RawDeployment"),
            f'{AT}component "engine" has deploymentMode="RawDeployment"; coordination requires OMENative '
            "(CoordinationRequiresOMENative)",
        ),
        # A leader with workers runs on OMENative, but does not declare it.
        (
            spec(group("engine"), mode=None, engine={"leader": {}, "worker": {}}),
            f'{AT}component "engine" has deploymentMode=""; coordination requires OMENative '
            "(CoordinationRequiresOMENative)",
        ),
        (
            spec(group(*PAIR, **CANARY), mode="RawDeployment"),
            f'{AT}component "engine" has deploymentMode="RawDeployment"; canary requires OMENative '
            "(CanaryRequiresOMENative)",
        ),
        (
            spec(group("engine", policyRef={"name": "p", "progression": "canary"}), mode="RawDeployment"),
            f'{AT}component "engine" has deploymentMode="RawDeployment"; canary requires OMENative '
            "(CanaryRequiresOMENative)",
        ),
        (
            spec(group("engine", **CANARY)),
            f"{AT}this InferenceService declares both engine and decoder, so a canary group naming either must name "
            "both — they roll as one unit (CanaryInvalid)",
        ),
        (
            spec(group("frontend")),
            f'{AT}component "frontend" is not one of router/engine/decoder (InvalidComponentInCoordinationGroup)',
        ),
        (
            spec(group("engine"), group("engine")),
            'spec.rollout.groups: component "engine" appears in groups[0] and groups[1] '
            "(DuplicateComponentInCoordinationGroups)",
        ),
        (
            spec(group("engine", "router")),
            f'{AT}component(s) "router" not declared on the InferenceService (OrphanCoordinationGroup)',
        ),
        (
            spec(group("engine", rollingUpdate={"maxSurge": -1})),
            "spec.rollout.groups[0].rollingUpdate.maxSurge=-1 must be >= 0 (InvalidRollingUpdateInteger)",
        ),
        (
            spec(group("engine", rollingUpdate={"maxSurge": "3"})),
            'spec.rollout.groups[0].rollingUpdate.maxSurge="3" must be an integer count or a percent string like "25%" '
            "(InvalidRollingUpdatePercent)",
        ),
        (
            spec(group("engine", rollingUpdate={"maxSurge": "9223372036854775808%"})),
            'spec.rollout.groups[0].rollingUpdate.maxSurge="9223372036854775808%" has a malformed percent value '
            "(InvalidRollingUpdatePercent)",
        ),
        (
            spec(group("engine", rollingUpdate={"maxUnavailable": "a%"})),
            'spec.rollout.groups[0].rollingUpdate.maxUnavailable="a%" has a malformed percent value '
            "(InvalidRollingUpdatePercent)",
        ),
        (
            spec(group("engine", rollingUpdate={"maxUnavailable": "101%"})),
            'spec.rollout.groups[0].rollingUpdate.maxUnavailable="101%" percent must be between 0% and 100% '
            "(InvalidRollingUpdatePercent)",
        ),
        (
            spec(group("engine", rollingUpdate={"maxSurge": 0, "maxUnavailable": "0%"})),
            "spec.rollout.groups[0].rollingUpdate: maxSurge and maxUnavailable both resolve to zero, which deadlocks "
            "the rollout — set at least one non-zero (ZeroBudgetPacingUnstartable)",
        ),
        (spec(group("engine", rollingUpdate={"maxSurge": 0})), None),
        (
            spec(group("engine", soak="5m")),
            f"{AT}soak is honored only when the rollout is a sequence of single-Component groups (which roll "
            "one-at-a-time); this rollout runs groups concurrently, so the soak would be dropped (SoakNotHonored)",
        ),
        (spec(group("decoder", soak="5m"), group("engine")), None),
        (
            spec(group(*PAIR, soak="5m", **CANARY)),
            f"{AT}soak is not honored on a canary group (the canary engine does not gate on it) (SoakNotHonored)",
        ),
        (
            spec(group("engine"), engine={"lifecycle": {"updateStrategy": {"rollingUpdate": {"maxSurge": "x"}}}}),
            'spec.engine.lifecycle.updateStrategy.rollingUpdate.maxSurge="x" must be an integer count or a percent '
            'string like "25%" (InvalidRollingUpdatePercent)',
        ),
        (
            spec(group(*PAIR, order=["engine"])),
            f"{AT}order is not applied by any progression — the Components in a group advance together; to roll "
            "Components one at a time, declare one single-Component blueGreen group per Component, in the desired "
            "sequence (OrderNotHonored)",
        ),
    ],
)
def test_refusals(given: Object, message: str | None) -> None:
    found = refusal(given)
    assert (None if found is None else found[1]) == message


@pytest.mark.parametrize(
    ("groups", "shape"),
    [
        ([group("decoder"), group("engine")], None),
        ([group("decoder"), group("engine", rollingUpdate={})], "rollingUpdate"),
        ([group(*PAIR, **CANARY), group("router")], "canary"),
        ([group(*PAIR), group("router")], "multi-Component"),
    ],
)
def test_order_of_groups(groups: list[Object], shape: str | None) -> None:
    given = spec(*groups, router={})
    found = refusal(given)
    if shape is None:
        assert found is None
    else:
        assert found is not None
        assert f"is a {shape} group, so" in found[1]
        assert found[1].endswith("(GroupOrderingNotHonored)")
    given["rollout"]["groupOrdering"] = "Concurrent"
    assert refusal(given) is None


def test_places() -> None:
    found = refusal(spec(group("decoder"), group("engine", rollingUpdate={"maxSurge": "x"})))
    assert found is not None
    assert found[0] == ("spec", "rollout", "groups", 1, "rollingUpdate", "maxSurge")


def test_problems() -> None:
    assert slugs(rollout_problems(spec(group("engine", maintainRatio={"tolerance": 80})))) == [
        "ratio-tolerance-too-high"
    ]
    assert slugs(rollout_problems(spec(group(*PAIR, maintainRatio={"tolerance": 50})))) == []
    assert slugs(rollout_problems(spec(group("router"), group("router")))) == ["rollout-refused"]
    assert slugs(rollout_problems({"engine": {}})) == []


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, "blueGreen"),
        ({"policyRef": {"name": "p", "progression": "canary"}}, "canary"),
        ({"policyRef": {"name": "p", "progression": "canary"}, "blueGreen": {}}, "blueGreen"),
        ({"rollingUpdate": {}}, "rollingUpdate"),
    ],
)
def test_progression(fields: Object, kind: str) -> None:
    assert progression(group("engine", **fields)) == kind
