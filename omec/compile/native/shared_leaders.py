"""Services that send requests to each other's leaders (reference 05 §14.3)."""

from __future__ import annotations

from collections.abc import Iterable

from omec.compile.layout import OutputObject
from omec.compile.leaderworkerset import LEADER_LABEL
from omec.compile.native.mode_rules import SHARED_LEADERS
from omec.finding import Finding, Related


def shared_leaders(outputs: Iterable[OutputObject]) -> list[Finding]:
    """A finding for each Service with nothing but OME's selector that is not the only one of its namespace."""
    by_namespace: dict[str, list[OutputObject]] = {}
    for output in outputs:
        body = output.body
        if body["kind"] == "Service" and (body["spec"].get("selector") or {}) == LEADER_LABEL:
            by_namespace.setdefault(body["metadata"]["namespace"], []).append(output)
    return [
        _finding(output, [other for other in outputs_ if other is not output])
        for outputs_ in by_namespace.values()
        if len(outputs_) > 1
        for output in outputs_
    ]


def _finding(output: OutputObject, others: list[OutputObject]) -> Finding:
    names = ", ".join(other.body["metadata"]["name"] for other in others)
    message = f"Service {output.body['metadata']['name']} goes to the leaders of {names} as well"
    path = ("metadata", "name")
    return Finding(
        SHARED_LEADERS,
        message,
        output.owner.locate(path),
        object=output.owner.ref,
        field="metadata.name",
        help=SHARED_LEADERS.remedy,
        related=tuple(
            Related(other.owner.locate(path), f"{other.owner.ref} has Service {other.body['metadata']['name']}")
            for other in others
        ),
    )
