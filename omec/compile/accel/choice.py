"""The class of a component, with everything that led to it (reference 03 §5).

A class that is named anywhere comes before every policy; constraints count for policies alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any

import msgspec

from omec.compile.accel.classes import AcceleratorClass
from omec.compile.accel.constraints import Constraints
from omec.compile.accel.policies import Policy, pick
from omec.compile.accel.scores import best_fit, most_capable
from omec.compile.problems import Steps

CLASS = "acceleratorClass"
POLICY = "policy"
SELECTOR = "acceleratorSelector"
IN_SELECTOR: Steps = ("spec", SELECTOR)


class Basis(StrEnum):
    """Why a component has the class that it has, or none."""

    NONE_LISTED = "the runtime lists no accelerator classes"
    NOT_ASKED = "the service asks for no class"
    NAMED = "the service names the class"
    POLICY = "the service leaves the class to a policy"


class Candidate(msgspec.Struct, frozen=True):
    """A class of the runtime's list; ``exclusion`` says in OME's words why the constraints rule it out.

    The scores are those of the two policies that weigh, whichever policy decides; an excluded class has none.
    """

    accelerator: AcceleratorClass
    exclusion: str | None
    best_fit: float | None = None
    most_capable: float | None = None

    def to_dict(self) -> dict[str, Any]:
        described: dict[str, Any] = {"name": self.accelerator.name, "valid": self.exclusion is None}
        if self.exclusion is not None:
            return {**described, "reason": self.exclusion}
        return {**described, "bestFit": self.best_fit, "mostCapable": self.most_capable}


class Wish(msgspec.Struct, frozen=True):
    """What the service asks for: a class or a policy, and the field that says so."""

    value: str
    steps: Steps

    @property
    def is_policy(self) -> bool:
        return self.steps[-1] == POLICY


class Choice(msgspec.Struct, frozen=True, dict=True):
    """The class of one component; ``wish`` is ``None`` where the service asks for none.

    ``candidates`` are the existing classes of the runtime's list in its order, ``absent`` the names in it that no class
    has. ``exists`` tells whether the ``chosen`` class does: one that the service names may not.
    """

    component: str
    basis: Basis
    wish: Wish | None = None
    chosen: str | None = None
    exists: bool = True
    candidates: tuple[Candidate, ...] = ()
    absent: tuple[str, ...] = ()
    constrained: bool = False

    @cached_property
    def valid(self) -> tuple[Candidate, ...]:
        """The candidates that meet the constraints."""
        return tuple(candidate for candidate in self.candidates if candidate.exclusion is None)

    @property
    def crashes_ome(self) -> bool:
        """Whether OME 1.3 itself fails over the choice: it reads constraints that are not there."""
        if self.basis is not Basis.POLICY or self.constrained or self.wish is None:
            return False
        return self.wish.value == Policy.BEST_FIT and len(self.valid) > 1

    @property
    def error(self) -> str | None:
        """OME's text for a named class that does not exist."""
        return None if self.exists else f"accelerator class {self.chosen} not found at cluster scope"

    def to_dict(self) -> dict[str, Any]:
        """The decision as plain data, for plans and reports."""
        described: dict[str, Any] = {"component": self.component, "class": self.chosen, "because": str(self.basis)}
        if self.wish is not None:
            described["asked"] = {POLICY if self.wish.is_policy else CLASS: self.wish.value}
        if self.basis is Basis.POLICY:
            described["candidates"] = [candidate.to_dict() for candidate in self.candidates]
            described["absent"] = list(self.absent)
        return {**described, "error": self.error} if self.error is not None else described


def choose(
    component: str, spec: Mapping[str, Any], runtime: Mapping[str, Any], classes: Mapping[str, Mapping[str, Any]]
) -> Choice:
    """The class of ``component`` (engine or decoder) of an InferenceService with the stored ``spec``.

    ``runtime`` is the spec of the runtime in use, ``classes`` the specs of all existing classes by name. Raises
    ``QuantityError`` for a class that the API server would refuse.
    """
    wish = wish_of(component, spec)
    listed = listed_classes(runtime)
    if wish is None:
        return Choice(component, Basis.NOT_ASKED)
    if not listed:
        return Choice(component, Basis.NONE_LISTED, wish)
    if not wish.is_policy:
        return Choice(component, Basis.NAMED, wish, wish.value, exists=wish.value in classes)
    given = (spec.get(SELECTOR) or {}).get("constraints")
    wanted = Constraints.of(given)
    candidates = assess(listed, classes, wanted)
    chosen = pick(Policy(wish.value), [c.accelerator for c in candidates if c.exclusion is None], wanted)
    return Choice(
        component,
        Basis.POLICY,
        wish,
        chosen=None if chosen is None else chosen.name,
        candidates=candidates,
        absent=tuple(name for name in listed if name not in classes),
        constrained=given is not None,
    )


def wish_of(component: str, spec: Mapping[str, Any]) -> Wish | None:
    """What the service asks for ``component``: a class wherever it is named, else a policy."""
    selector = spec.get(SELECTOR) or {}
    override = (spec.get(component) or {}).get("acceleratorOverride") or {}
    override_steps: Steps = ("spec", component, "acceleratorOverride")
    # A null falls back to the selector; an empty text hides it, and names nothing.
    overridden = override.get(CLASS) is not None
    if name := (override if overridden else selector).get(CLASS):
        return Wish(name, (*(override_steps if overridden else IN_SELECTOR), CLASS))
    if override.get(POLICY):
        return Wish(override[POLICY], (*override_steps, POLICY))
    return Wish(selector[POLICY], (*IN_SELECTOR, POLICY)) if selector.get(POLICY) else None


def listed_classes(runtime: Mapping[str, Any]) -> tuple[str, ...]:
    """The classes that a runtime with this spec lists, each once, in the order of the list."""
    listed = (runtime.get("acceleratorRequirements") or {}).get("acceleratorClasses") or ()
    return tuple(dict.fromkeys(listed))


def assess(
    listed: Sequence[str], classes: Mapping[str, Mapping[str, Any]], wanted: Constraints
) -> tuple[Candidate, ...]:
    """The existing classes among ``listed``, each with its exclusion or its scores."""
    found = [AcceleratorClass.of(name, classes[name]) for name in listed if name in classes]
    exclusions = [wanted.exclusion(candidate) for candidate in found]
    valid = [candidate for candidate, exclusion in zip(found, exclusions, strict=True) if exclusion is None]
    capability = dict(zip((candidate.name for candidate in valid), most_capable(valid, wanted), strict=True))
    return tuple(
        Candidate(candidate, None, best_fit(candidate, wanted), capability[candidate.name])
        if exclusion is None
        else Candidate(candidate, exclusion)
        for candidate, exclusion in zip(found, exclusions, strict=True)
    )
