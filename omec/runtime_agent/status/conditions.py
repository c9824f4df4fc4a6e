"""Conditions of a status, as Kubernetes keeps them: the transition time is that of the last change of ``status``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Condition = dict[str, Any]


def condition(type_: str, status: str, reason: str = "", message: str = "", **more: Any) -> Condition:
    """A condition without a time yet; empty texts are left out, as OME does."""
    texts = {"reason": reason, "message": message}
    return {"type": type_, "status": status, **{key: text for key, text in texts.items() if text}, **more}


def find(conditions: Iterable[Mapping[str, Any]] | None, type_: str) -> Mapping[str, Any] | None:
    """The condition of a type, ``None`` where it is not set."""
    return next((each for each in conditions or () if each.get("type") == type_), None)


def timed(wanted: Condition, former: Iterable[Mapping[str, Any]] | None, now: str) -> Condition:
    """``wanted`` with its transition time: its own, or the former one where the status is the same, else ``now``."""
    if wanted.get("lastTransitionTime"):
        return wanted
    before = find(former, wanted["type"])
    same = before is not None and before.get("status") == wanted["status"]
    time = before.get("lastTransitionTime") if same and before is not None else None
    return wanted | {"lastTransitionTime": time or now}


def merged(wanted: Iterable[Condition], former: Iterable[Mapping[str, Any]] | None, now: str) -> list[Condition]:
    """``former`` with the ``wanted`` ones put in, ordered by type as OME stores them; others stay as they are."""
    kept = {str(each.get("type")): dict(each) for each in former or ()}
    kept |= {each["type"]: timed(each, former, now) for each in wanted}
    return [kept[type_] for type_ in sorted(kept)]
