"""What is wrong with a quota tree: the reasons, their urgency, and the quota manager's texts (reference 15 §1.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from omec.finding import FieldPath


class Reason(StrEnum):
    """Why a node is not a valid member of the tree; the most urgent first."""

    PARENT_MISSING = "ParentMissing"
    PARENT_CYCLE = "ParentCycle"
    UNREACHABLE = "Unreachable"
    DUPLICATE_NODE = "DuplicateNode"
    NODE_KIND_INVALID = "NodeKindInvalid"
    DEPTH_EXCEEDED = "DepthExceeded"
    CONTAINMENT_VIOLATED = "ContainmentViolated"
    SHARE_UNRESOLVED = "ShareUnresolved"
    CAPACITY_EXCEEDED = "CapacityExceeded"


_URGENCY = {reason: rank for rank, reason in enumerate(Reason)}


class Violation(msgspec.Struct, frozen=True):
    """A rule that the node ``node`` breaks.

    ``subject`` says what of the node is at fault (a pair, the name of a parent, …); it stays the same while numbers in
    ``message`` change. ``field`` is the place in the node's manifest.
    """

    node: str
    reason: Reason
    message: str
    subject: str = ""
    field: FieldPath = ()

    @property
    def identity(self) -> tuple[str, Reason, str]:
        """What makes it the same violation in an earlier and a later state of the tree."""
        return self.node, self.reason, self.subject

    def __str__(self) -> str:
        return f"{self.node}: {self.message}"


def ordered(violations: Iterable[Violation]) -> tuple[Violation, ...]:
    """By node, the most urgent reason first, then by subject; equal ones stay in their order."""
    return tuple(sorted(violations, key=lambda found: (found.node, _URGENCY[found.reason], found.subject)))


def primary(violations: Iterable[Violation]) -> dict[str, Violation]:
    """The violation that each node reports, by node name in their order: the most urgent, and of these the first."""
    reported: dict[str, Violation] = {}
    for found in violations:
        known = reported.get(found.node)
        if known is None or _URGENCY[found.reason] < _URGENCY[known.reason]:
            reported[found.node] = found
    return dict(sorted(reported.items()))


def denial(violations: Sequence[Violation]) -> str:
    """The text with which the webhook denies a request that brings ``violations`` about."""
    if len(violations) == 1:
        return str(violations[0])
    return f"{len(violations)} invariants violated: {'; '.join(map(str, violations))}"
