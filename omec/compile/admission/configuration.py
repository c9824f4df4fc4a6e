"""Rules on access, configuration and storage objects."""

from __future__ import annotations

from omec.api.quantity import parse
from omec.compile.admission.fielderror import Object, Refusal, Refusals, invalid, not_empty, required, unsupported
from omec.compile.admission.names import CONFIG_KEY
from omec.finding import FieldPath

_RBAC_GROUP = "rbac.authorization.k8s.io"
_SUBJECT_GROUPS = {"ServiceAccount": "", "User": _RBAC_GROUP, "Group": _RBAC_GROUP}
_CONFIG_MAP_LIMIT = 1024 * 1024
_ACCESS_MODES = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")


def role(obj: Object) -> Refusals:
    for index, rule in enumerate(obj.get("rules", ())):
        at = ("rules", index)
        if not rule.get("verbs"):
            yield required((*at, "verbs"), "verbs must contain at least one value")
        if not rule.get("apiGroups"):
            yield required((*at, "apiGroups"), "resource rules must supply at least one api group")
        if not rule.get("resources"):
            yield required((*at, "resources"), "resource rules must supply at least one resource")


def role_binding(obj: Object) -> Refusals:
    reference, at = obj["roleRef"], ("roleRef",)
    if reference.get("apiGroup", "") not in ("", _RBAC_GROUP):
        yield unsupported((*at, "apiGroup"), reference["apiGroup"], [_RBAC_GROUP])
    if reference["kind"] not in ("ClusterRole", "Role"):
        yield unsupported((*at, "kind"), reference["kind"], ["Role", "ClusterRole"])
    yield from not_empty(reference, at, ("name",))
    for index, subject in enumerate(obj.get("subjects", ())):
        yield from _subject(subject, ("subjects", index))


def _subject(subject: Object, path: FieldPath) -> Refusals:
    yield from not_empty(subject, path, ("name",))
    kind = subject["kind"]
    if kind not in _SUBJECT_GROUPS:
        yield unsupported((*path, "kind"), kind, _SUBJECT_GROUPS)
    elif subject.get("apiGroup") and subject["apiGroup"] != _SUBJECT_GROUPS[kind]:
        yield unsupported((*path, "apiGroup"), subject["apiGroup"], [_SUBJECT_GROUPS[kind]])


def config_map(obj: Object) -> Refusals:
    data, binary = obj.get("data", {}), obj.get("binaryData", {})
    for key in data:
        yield from CONFIG_KEY.check(key, ("data", key))
    for key in binary:
        yield from CONFIG_KEY.check(key, ("binaryData", key))
        if key in data:
            yield invalid(("data", key), key, "duplicate of key present in binaryData")
    if sum(len(value.encode()) for value in data.values()) > _CONFIG_MAP_LIMIT:
        yield Refusal((), f"Too long: may not be more than {_CONFIG_MAP_LIMIT} bytes")


def claim(obj: Object) -> Refusals:
    yield from claim_spec(obj["spec"], ("spec",))


def claim_spec(spec: Object, at: FieldPath) -> Refusals:
    """The ``spec`` of a PersistentVolumeClaim."""
    if not spec.get("accessModes"):
        yield required((*at, "accessModes"), "at least 1 access mode is required")
    for mode in spec.get("accessModes", ()):
        if mode not in _ACCESS_MODES:
            yield unsupported((*at, "accessModes"), mode, _ACCESS_MODES)
    storage: FieldPath = (*at, "resources", "requests", "storage")
    requested = spec.get("resources", {}).get("requests", {}).get("storage")
    if requested is None:
        yield required(storage)
    elif parse(str(requested)).value <= 0:
        yield invalid(storage, str(parse(str(requested))), "must be greater than zero")
