"""Rules on the security contexts of pods and containers."""

from __future__ import annotations

import re

from omec.compile.admission.fielderror import (
    Object,
    Refusals,
    duplicate,
    invalid,
    one_of,
    required,
    unsupported,
    warning,
)
from omec.finding import FieldPath

_LARGEST_ID = 2**31
_ID_RANGE = "must be between 0 and 2147483647, inclusive"
_CONTAINER_CHOICES = {"procMount": ("Default", "Unmasked")}
_PROFILES = {
    "appArmorProfile": ("AppArmor", ("Localhost", "RuntimeDefault", "Unconfined")),
    "seccompProfile": ("seccomp", ("Localhost", "RuntimeDefault", "Unconfined")),
}
_SYSCTL = r"([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_LONGEST_SYSCTL = 253
_POD_CHOICES = {
    "fsGroupChangePolicy": ("Always", "OnRootMismatch"),
    "supplementalGroupsPolicy": ("Merge", "Strict"),
}


def security(context: Object, path: FieldPath) -> Refusals:
    """What the security contexts of pods and containers have in common."""
    for name in ("fsGroup", "runAsGroup", "runAsUser"):
        if not 0 <= context.get(name, 0) < _LARGEST_ID:
            yield invalid((*path, name), context[name], _ID_RANGE)
    for name, (kind, types) in _PROFILES.items():
        if name in context:
            yield from _profile(context[name], (*path, name), kind, types)


def container_security(context: Object, path: FieldPath) -> Refusals:
    yield from security(context, path)
    yield from one_of(context, path, _CONTAINER_CHOICES)
    if context.get("allowPrivilegeEscalation", True):
        return
    added = context.get("capabilities", {}).get("add", ())
    for escalates, setting in (
        (context.get("privileged"), "`privileged` to true"),
        ("CAP_SYS_ADMIN" in added, "`capabilities.Add` CAP_SYS_ADMIN"),
    ):
        if escalates:
            yield invalid(path, context, f"cannot set `allowPrivilegeEscalation` to false and {setting}")


def pod_security(context: Object, path: FieldPath, *, host_network: bool) -> Refusals:
    yield from security(context, path)
    yield from one_of(context, path, _POD_CHOICES)
    if (change := context.get("seLinuxChangePolicy", "Recursive")) == "MountOption":
        yield warning(
            (*path, "seLinuxChangePolicy"), "a cluster without the feature gate SELinuxMount refuses MountOption"
        )
    elif change != "Recursive":
        yield unsupported((*path, "seLinuxChangePolicy"), change, ("Recursive",))
    for index, group in enumerate(context.get("supplementalGroups", ())):
        if not 0 <= group < _LARGEST_ID:
            yield invalid((*path, "supplementalGroups", index), group, _ID_RANGE)
    names = set()
    for index, setting in enumerate(context.get("sysctls", ())):
        if setting["name"] in names:
            yield duplicate((*path, "sysctls", index, "name"), setting["name"])
        names.add(setting["name"])
        yield from _sysctl(setting["name"], (*path, "sysctls", index, "name"), host_network=host_network)


def _sysctl(name: str, path: FieldPath, *, host_network: bool) -> Refusals:
    if not name:
        yield required(path)
    elif len(name) > _LONGEST_SYSCTL or not re.fullmatch(_SYSCTL, name):
        yield invalid(path, name, f"must have at most {_LONGEST_SYSCTL} characters and match regex ^{_SYSCTL}$")
    elif host_network and name.replace("/", ".").startswith("net."):
        yield invalid(path, name, "may not be specified when 'hostNetwork' is true")


def _profile(profile: Object, path: FieldPath, kind: str, types: tuple[str, ...]) -> Refusals:
    type_, file = profile["type"], profile.get("localhostProfile")
    if type_ not in types:
        yield unsupported((*path, "type"), type_, types) if type_ else required((*path, "type"), "type is required")
    elif type_ == "Localhost" and not file:
        yield required((*path, "localhostProfile"), f"must be set when {kind} type is Localhost")
    elif type_ != "Localhost" and file is not None:
        yield invalid((*path, "localhostProfile"), file, f"can only be set when {kind} type is Localhost")
