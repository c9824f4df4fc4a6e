"""Rules on the security contexts of pods and containers."""

from __future__ import annotations

from omec.compile.admission.fielderror import Object, Refusals, duplicate, invalid, one_of, required, unsupported
from omec.finding import FieldPath

_LARGEST_ID = 2**31
_PROFILES = {
    "appArmorProfile": ("AppArmor", ("Localhost", "RuntimeDefault", "Unconfined")),
    "seccompProfile": ("seccomp", ("Localhost", "RuntimeDefault", "Unconfined")),
}
_POD_CHOICES = {
    "fsGroupChangePolicy": ("Always", "OnRootMismatch"),
    "supplementalGroupsPolicy": ("Merge", "Strict"),
}


def security(context: Object, path: FieldPath) -> Refusals:
    """What the security contexts of pods and containers have in common."""
    for name in ("fsGroup", "runAsGroup", "runAsUser"):
        if not 0 <= context.get(name, 0) < _LARGEST_ID:
            yield invalid((*path, name), context[name], "must be between 0 and 2147483647, inclusive")
    for name, (kind, types) in _PROFILES.items():
        if name in context:
            yield from _profile(context[name], (*path, name), kind, types)


def pod_security(context: Object, path: FieldPath) -> Refusals:
    yield from security(context, path)
    yield from one_of(context, path, _POD_CHOICES)
    names = set()
    for index, setting in enumerate(context.get("sysctls", ())):
        if setting["name"] in names:
            yield duplicate((*path, "sysctls", index, "name"), setting["name"])
        names.add(setting["name"])


def _profile(profile: Object, path: FieldPath, kind: str, types: tuple[str, ...]) -> Refusals:
    type_, file = profile["type"], profile.get("localhostProfile")
    if type_ not in types:
        yield unsupported((*path, "type"), type_, types) if type_ else required((*path, "type"), "type is required")
    elif type_ == "Localhost" and not file:
        yield required((*path, "localhostProfile"), f"must be set when {kind} type is Localhost")
    elif type_ != "Localhost" and file is not None:
        yield invalid((*path, "localhostProfile"), file, f"can only be set when {kind} type is Localhost")
