"""Rules on what a container takes of the volumes of its pod."""

from __future__ import annotations

from collections.abc import Mapping

from omec.compile.admission.fielderror import Object, Refusals, invalid, not_empty, not_found, one_of
from omec.finding import FieldPath

_MOUNT_CHOICES = {
    "mountPropagation": ("Bidirectional", "HostToContainer", "None"),
    "recursiveReadOnly": ("Disabled", "Enabled", "IfPossible"),
}
_BLOCK_VOLUMES = ("ephemeral", "persistentVolumeClaim")


def mounts(container: Object, path: FieldPath, volumes: Mapping[str, Object]) -> Refusals:
    """Volume mounts and block devices; ``volumes`` are those of the pod by name."""
    for index, mount in enumerate(container.get("volumeMounts", ())):
        yield from _mount(mount, (*path, "volumeMounts", index), volumes)
    if "volumeDevices" in container:
        yield from _devices(container, path, volumes)


def _mount(mount: Object, path: FieldPath, volumes: Mapping[str, Object]) -> Refusals:
    yield from not_empty(mount, path, ("name", "mountPath"))
    if mount["name"] and mount["name"] not in volumes:
        yield not_found((*path, "name"), mount["name"])
    yield from one_of(mount, path, _MOUNT_CHOICES)
    for name in ("subPath", "subPathExpr"):
        if sub_path := mount.get(name):
            yield from _sub_path(sub_path, (*path, name))
    if mount.get("subPath") and mount.get("subPathExpr"):
        yield invalid((*path, "subPathExpr"), mount["subPathExpr"], "subPathExpr and subPath are mutually exclusive")


def _sub_path(text: str, path: FieldPath) -> Refusals:
    if text.startswith("/"):
        yield invalid(path, text, "must be a relative path")
    if ".." in text.split("/"):
        yield invalid(path, text, "must not contain '..'")


def _devices(container: Object, path: FieldPath, volumes: Mapping[str, Object]) -> Refusals:
    mounted = {mount["name"] for mount in container.get("volumeMounts", ())}
    for index, device in enumerate(container["volumeDevices"]):
        at, name = (*path, "volumeDevices", index), device["name"]
        yield from not_empty(device, at, ("name", "devicePath"))
        if name not in volumes:
            yield not_found((*at, "name"), name)
        elif not any(kind in volumes[name] for kind in _BLOCK_VOLUMES):
            detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"
            yield invalid((*at, "name"), name, detail)
        if name in mounted:
            yield invalid((*at, "name"), name, "must not already exist in volumeMounts")
