"""Which class a component gets, and why (reference 03 §5)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.accel.choice import Basis, Choice, choose
from tests.compile.accel_classes import CLASSES

Object = dict[str, Any]

EXISTING = {"h100": CLASSES["nvidia-h100"], "l40s": CLASSES["nvidia-l40s"], "h200": CLASSES["nvidia-h200"]}
BOTH = ["h100", "l40s"]


def asking(text: str) -> Object:
    """``class / policy`` as the reference writes it: ``-`` for unset, ``""`` for the empty text."""
    name, policy = (part.strip() for part in text.split("/"))
    given: Object = {} if name == "-" else {"acceleratorClass": "" if name == '""' else name}
    return given if policy == "-" else {**given, "policy": policy}


def chosen(
    listed: list[str] | None,
    selector: str = "- / -",
    override: str = "- / -",
    component: str = "engine",
    *,
    constraints: Object | None = None,
    own_constraints: Object | None = None,
    annotation: str | None = None,
) -> Choice:
    service: Object = {
        "acceleratorSelector": {**asking(selector), **({} if constraints is None else {"constraints": constraints})},
        "engine": {"acceleratorOverride": {**asking(override), "constraints": own_constraints}},
        "decoder": {},
    }
    runtime = {} if listed is None else {"acceleratorRequirements": {"acceleratorClasses": listed}}
    return choose(component, service, runtime, EXISTING)


@pytest.mark.parametrize(
    ("row", "choice", "expected"),
    [
        ("A1", chosen(None, "h100 / -"), None),
        ("A1", chosen([], "h100 / -"), None),
        ("A2", chosen(BOTH), None),
        ("A3", chosen(BOTH, "h100 / -"), "h100"),
        ("A4", chosen(BOTH, "h100 / Cheapest"), "h100"),
        ("A5", chosen(BOTH, "h100 / -", "l40s / -"), "l40s"),
        ("A6", chosen(BOTH, "h100 / -", "- / Cheapest"), "h100"),
        ("A7", chosen(BOTH, "- / Cheapest", "- / MostCapable"), "h100"),
        ("A8", chosen(BOTH, "- / Cheapest", "h100 / -"), "h100"),
        ("A8", chosen(BOTH, "- / Cheapest", "h100 / -", "decoder"), "l40s"),
        ("A9", chosen(["h100"], "h200 / -"), "h200"),
        ("A11", chosen(["ghost", "l40s"], "- / FirstAvailable"), "l40s"),
        ("A12", chosen(["ghost"], "- / FirstAvailable"), None),
        ("A13", chosen(BOTH, "h100 / Cheapest", '"" / -'), "l40s"),
        ("A14", chosen(BOTH, '"" / -'), None),
        ("A16", chosen(BOTH, constraints={"minMemory": 1}), None),
        ("A17", chosen(BOTH, "h100 / -", constraints={"excludedClasses": ["h100"]}), "h100"),
        ("A18", chosen(BOTH, "- / Cheapest", own_constraints={"excludedClasses": ["l40s"]}), "l40s"),
    ],
)
def test_class_of_a_component(row: str, choice: Choice, expected: str | None) -> None:
    assert (choice.chosen, choice.error) == (expected, None)


def test_named_class_that_does_not_exist() -> None:
    """A10."""
    choice = chosen(["h100"], "ghost / -")
    assert choice.error == "accelerator class ghost not found at cluster scope"
    assert choice.to_dict()["error"] == choice.error


def test_annotation_gives_no_class() -> None:
    """A15: nothing of the choice reads annotations."""
    assert chosen(BOTH).basis is Basis.NOT_ASKED


@pytest.mark.parametrize(
    ("selector", "override", "steps"),
    [
        ("h100 / -", "- / -", ("spec", "acceleratorSelector", "acceleratorClass")),
        ("h100 / -", "l40s / -", ("spec", "engine", "acceleratorOverride", "acceleratorClass")),
        ("- / Cheapest", "- / -", ("spec", "acceleratorSelector", "policy")),
        ("- / Cheapest", "- / MostCapable", ("spec", "engine", "acceleratorOverride", "policy")),
    ],
)
def test_field_that_decides(selector: str, override: str, steps: tuple[str, ...]) -> None:
    wish = chosen(BOTH, selector, override).wish
    assert wish is not None
    assert wish.steps == steps


def test_repeated_names_are_one_candidate() -> None:
    choice = chosen(["l40s", "l40s", "h100"], "- / FirstAvailable")
    assert [candidate.accelerator.name for candidate in choice.candidates] == ["l40s", "h100"]


@pytest.mark.parametrize(
    ("listed", "policy", "constraints", "crashes"),
    [
        (BOTH, "BestFit", None, True),
        (BOTH, "BestFit", {}, False),
        (BOTH, "BestFit", {"minMemory": 48}, False),
        (["h100"], "BestFit", None, False),
        (["h100", "ghost"], "BestFit", None, False),
        (BOTH, "MostCapable", None, False),
    ],
)
def test_best_fit_without_constraints(
    listed: list[str], policy: str, constraints: Object | None, crashes: bool
) -> None:
    """§6.3: OME 1.3 panics, which later code does not; the choice is that of empty constraints."""
    choice = chosen(listed, f"- / {policy}", constraints=constraints)
    assert choice.crashes_ome is crashes
    assert choice.chosen is not None


def test_plan_of_a_policy() -> None:
    plan = chosen(["ghost", "h100", "l40s"], "- / Cheapest", constraints={"minMemory": 80}).to_dict()
    assert plan == {
        "component": "engine",
        "class": "h100",
        "because": "the service leaves the class to a policy",
        "asked": {"policy": "Cheapest"},
        "candidates": [
            {"name": "h100", "valid": True, "bestFit": 1.0, "mostCapable": 1.0},
            {"name": "l40s", "valid": False, "reason": "memory 48GB < required 80GB"},
        ],
        "absent": ["ghost"],
    }
