"""Rules on volumes that are disks of a network or of a cloud."""

from __future__ import annotations

import re

from omec.compile.admission.fielderror import Object, Refusals, invalid, not_empty, one_of, required, unsupported
from omec.compile.admission.names import DNS_SUBDOMAIN
from omec.finding import FieldPath

_AZURE_CHOICES = {"cachingMode": ("None", "ReadOnly", "ReadWrite"), "kind": ("Dedicated", "Managed", "Shared")}
_AZURE_MANAGED = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
_AZURE_BLOB = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"
_QUALIFIED_NAMES = {
    "iqn": r"iqn\.\d{4}-\d{2}\.([A-Za-z0-9-.]+)(:[^,;*&$|\s]+)",
    "eui": r"eui.[A-Za-z0-9]{16}",
    "naa": r"naa.[A-Za-z0-9]{32}",
}


def disk(kind: str, source: Object, path: FieldPath) -> Refusals:
    """A volume's ``source`` of the ``kind`` of a disk."""
    match kind:
        case "azureDisk":
            yield from _azure(source, path)
        case "csi":
            yield from _csi(source, path)
        case "fc":
            yield from _fibre_channel(source, path)
        case "iscsi":
            yield from _iscsi(source, path)
        case _:
            if not 0 <= source.get("partition", 0) <= 255:
                yield invalid((*path, "partition"), source["partition"], "must be between 1 and 255, inclusive")


def _azure(source: Object, path: FieldPath) -> Refusals:
    yield from one_of(source, path, _AZURE_CHOICES)
    managed = source.get("kind") == "Managed"
    prefix, form = ("/subscriptions", _AZURE_MANAGED) if managed else ("https://", _AZURE_BLOB)
    if not source["diskURI"].startswith(prefix):
        yield unsupported((*path, "diskURI"), source["diskURI"], [form])


def _csi(source: Object, path: FieldPath) -> Refusals:
    if driver := source["driver"]:
        yield from DNS_SUBDOMAIN.check(driver.lower(), (*path, "driver"))
    if (secret := source.get("nodePublishSecretRef")) is not None:
        yield from not_empty(secret, (*path, "nodePublishSecretRef"), ("name",))


def _fibre_channel(source: Object, path: FieldPath) -> Refusals:
    names = source.get("targetWWNs")
    if names and source.get("wwids"):
        detail = "targetWWNs and wwids can not be specified simultaneously"
        yield invalid((*path, "targetWWNs"), names, detail)
    elif not names and not source.get("wwids"):
        yield required((*path, "targetWWNs"), "must specify either targetWWNs or wwids, but not both")
    if names and "lun" not in source:
        yield required((*path, "lun"), "lun is required if targetWWNs is specified")
    elif names:
        yield from _unit(source, path)


def _iscsi(source: Object, path: FieldPath) -> Refusals:
    yield from _unit(source, path)
    for name in ("iqn", "initiatorName"):
        if text := source.get(name):
            yield from _qualified_name(text, (*path, name))
    if source.get("chapAuthDiscovery") or source.get("chapAuthSession"):
        secret = source.get("secretRef")
        at = (*path, "secretRef")
        yield from [required(at)] if secret is None else not_empty(secret, at, ("name",))


def _qualified_name(text: str, path: FieldPath) -> Refusals:
    pattern = _QUALIFIED_NAMES.get(text[:3])
    if pattern is None:
        yield invalid(path, text, "must be valid format starting with iqn, eui, or naa")
    elif not re.fullmatch(pattern, text):
        yield invalid(path, text, "must be valid format")


def _unit(source: Object, path: FieldPath) -> Refusals:
    if not 0 <= source["lun"] <= 255:
        yield invalid((*path, "lun"), source["lun"], "must be between 0 and 255, inclusive")
