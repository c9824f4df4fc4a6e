"""Which models a node gets (reference 07 §3).

OME evaluates nodeSelector and the required node affinity itself, and not quite as Kubernetes does: ``NotIn`` does not
match where the key is absent, ``Gt`` and ``Lt`` compare texts where one side is no number, an empty term matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from omec.facts.int64 import fits

NODE_NAME_KEY = "metadata.name"
_NUMBER = re.compile(r"[+-]?0*[0-9]{1,19}")


@dataclass(frozen=True, slots=True)
class NodeIdentity:
    """What of a node decides: its name and labels."""

    name: str
    labels: Mapping[str, str] = field(default_factory=dict)


def is_eligible(storage: Mapping[str, Any] | None, node: NodeIdentity) -> bool:
    """Whether a model with ``spec.storage`` belongs on ``node``; models on claims belong on none."""
    if storage is None:
        return True
    if str(storage.get("storageUri") or "").startswith("pvc://"):
        return False
    selector = storage.get("nodeSelector") or {}
    if any(node.labels.get(key) != value for key, value in selector.items()):
        return False
    required = (storage.get("nodeAffinity") or {}).get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    terms = required.get("nodeSelectorTerms") or []
    return not terms or any(_term_matches(term, node) for term in terms)


def _term_matches(term: Mapping[str, Any], node: NodeIdentity) -> bool:
    requirements: Iterable[Mapping[str, Any]] = (
        *(term.get("matchExpressions") or ()),
        *(term.get("matchFields") or ()),
    )
    return all(_requirement_matches(requirement, node) for requirement in requirements)


def _requirement_matches(requirement: Mapping[str, Any], node: NodeIdentity) -> bool:
    key, operator = requirement.get("key", ""), requirement.get("operator", "")
    values = requirement.get("values") or []
    present = node.labels.get(key, node.name if key == NODE_NAME_KEY else None)
    if present is None:
        return bool(operator == "DoesNotExist")
    if operator == "In":
        return present in values
    if operator == "NotIn":
        return present not in values
    if operator == "Exists":
        return True
    if operator in ("Gt", "Lt") and values:
        left, right = (present, values[0]) if operator == "Gt" else (values[0], present)
        return _is_greater(left, right)
    return False


def _is_greater(left: str, right: str) -> bool:
    numbers = _integer(left), _integer(right)
    if numbers[0] is not None and numbers[1] is not None:
        return numbers[0] > numbers[1]
    return left.encode() > right.encode()


def _integer(text: str) -> int | None:
    """``text`` as a decimal number of 64 bits, with an optional sign and nothing else."""
    if not _NUMBER.fullmatch(text):
        return None
    value = int(text)
    return value if fits(value) else None
