"""Rules on the resources of a container."""

from __future__ import annotations

import json
from typing import Any

from omec.api.quantity import parse
from omec.compile.admission.fielderror import (
    Object,
    Refusal,
    Refusals,
    duplicate,
    invalid,
    one_of,
    required,
    unsupported,
    warning,
)
from omec.compile.admission.names import qualified_name
from omec.finding import FieldPath

_STANDARD_RESOURCES = ("cpu", "ephemeral-storage", "memory")
_POD_RESOURCES = ("cpu", "memory")
_BYTES = ("ephemeral-storage", "memory")
_HUGE_PAGES = "hugepages-"
_RESIZE_POLICIES = ("NotRequired", "RestartContainer")


def resources(container: Object, path: FieldPath, pod: Object) -> Refusals:
    """What a container of ``pod`` asks for, and what happens when that changes."""
    wanted, at = container.get("resources", {}), (*path, "resources")
    yield from _amounts(wanted.get("limits", {}), wanted.get("requests", {}), at)
    if "claims" in wanted:
        yield from _claims(wanted["claims"], (*at, "claims"), pod)
    if "resizePolicy" in container:
        yield from _resize_policies(container["resizePolicy"], (*path, "resizePolicy"))


def pod_resources(spec: Object, path: FieldPath) -> Refusals:
    """What a pod's ``spec`` asks for as a whole, beside what its containers do."""
    for kind, amounts in spec.get("resources", {}).items():
        for name in amounts if kind in ("limits", "requests") else ():
            if name not in _POD_RESOURCES and not name.startswith(_HUGE_PAGES):
                yield unsupported((*path, "resources", kind, name), name, ("cpu", _HUGE_PAGES, "memory"))
    for name, amount in spec.get("overhead", {}).items():
        yield from _resource(name, amount, (*path, "overhead", name))


def _amounts(limits: Object, requests: Object, path: FieldPath) -> Refusals:
    for kind, amounts in (("limits", limits), ("requests", requests)):
        for name, amount in amounts.items():
            yield from _resource(name, amount, (*path, kind, name))
    for name, amount in requests.items():
        requested, at = parse(str(amount)), (*path, "requests")
        if name not in limits:
            if not _may_overcommit(name):
                yield required((*path, "limits"), "Limit must be set for non overcommitable resources")
            continue
        limit = parse(str(limits[name]))
        if requested.value != limit.value and not _may_overcommit(name):
            yield invalid(at, str(requested), f"must be equal to {name} limit of {limit}")
        elif requested.value > limit.value:
            yield invalid(at, str(requested), f"must be less than or equal to {name} limit of {limit}")


def _resource(name: str, amount: Any, path: FieldPath) -> Refusals:
    yield from qualified_name(name, path)
    quantity = parse(str(amount))
    if "/" not in name and name not in _STANDARD_RESOURCES and not name.startswith(_HUGE_PAGES):
        yield invalid(path, name, "must be a standard resource for containers")
    if quantity.value < 0:
        yield invalid(path, str(quantity), "must be greater than or equal to 0")
    if "/" in name and quantity.value % 1:
        yield invalid(path, str(quantity), "must be an integer")
    elif name in _BYTES and quantity.value % 1:
        yield warning(path, f'fractional byte value "{quantity}" is invalid, must be an integer')


def _may_overcommit(name: str) -> bool:
    return name in _STANDARD_RESOURCES or "kubernetes.io/" in name


def _claims(claims: Any, path: FieldPath, pod: Object) -> Refusals:
    known = [claim["name"] for claim in pod.get("resourceClaims", ())]
    for index, claim in enumerate(claims):
        if claim["name"] not in known:
            names = f": {', '.join(known)}" if known else " which is empty"
            detail = f"must be one of the names in pod.spec.resourceClaims{names}"
            yield Refusal((*path, index), f"Not found: {json.dumps(claim['name'])}: {detail}")


def _resize_policies(policies: Any, path: FieldPath) -> Refusals:
    seen = set()
    for index, policy in enumerate(policies):
        at, name = (*path, index), policy["resourceName"]
        yield from one_of(policy, at, {"resourceName": ("cpu", "memory"), "restartPolicy": _RESIZE_POLICIES})
        if name in seen:
            yield duplicate(at, name)
        seen.add(name)
