"""Rules on the volumes of a pod."""

from __future__ import annotations

from omec.api.quantity import parse
from omec.compile.admission.configuration import claim_spec
from omec.compile.admission.fielderror import Object, Refusals, forbidden, invalid, not_empty, one_of, required, warning
from omec.compile.admission.names import POD_LABEL
from omec.finding import FieldPath

_REQUIRED = {
    "awsElasticBlockStore": ("volumeID",),
    "azureDisk": ("diskName", "diskURI"),
    "azureFile": ("secretName", "shareName"),
    "cinder": ("volumeID",),
    "configMap": ("name",),
    "csi": ("driver",),
    "flexVolume": ("driver",),
    "gcePersistentDisk": ("pdName",),
    "hostPath": ("path",),
    "iscsi": ("targetPortal", "iqn"),
    "nfs": ("path", "server"),
    "persistentVolumeClaim": ("claimName",),
    "portworxVolume": ("volumeID",),
    "secret": ("secretName",),
    "vsphereVolume": ("volumePath",),
}
_GONE = {
    "cephfs": "deprecated in v1.28, non-functional in v1.31+",
    "flocker": "deprecated in v1.22, non-functional in v1.25+",
    "gitRepo": "deprecated in v1.11, and disabled by default in v1.33+",
    "glusterfs": "deprecated in v1.25, non-functional in v1.26+",
    "photonPersistentDisk": "deprecated in v1.11, non-functional in v1.16+",
    "quobyte": "deprecated in v1.22, non-functional in v1.25+",
    "rbd": "deprecated in v1.28, non-functional in v1.31+",
    "scaleIO": "deprecated in v1.16, non-functional in v1.22+",
    "storageos": "deprecated in v1.22, non-functional in v1.25+",
}
"""Types of volumes that no supported Kubernetes mounts any more; what else is wrong with one does not matter."""
_DISKS = ("awsElasticBlockStore", "azureDisk", "csi", "fc", "gcePersistentDisk", "iscsi")
_FILE_SOURCES = ("configMap", "downwardAPI", "projected", "secret")
_FILE_FIELDS = frozenset(("defaultMode", "items", "sources"))
"""What says which files of a source there are; most take all of them."""
_HOST_PATH_TYPES = ("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")
_PULL_POLICIES = ("Always", "IfNotPresent", "Never")


def volume(volume: Object, path: FieldPath) -> Refusals:
    name = volume["name"]
    yield from POD_LABEL.require(name, (*path, "name"))
    sources = [kind for kind in volume if kind != "name"]
    if len(sources) > 1:
        yield forbidden(path, "may not specify more than 1 volume type")
    for kind in sources:
        if kind in _GONE:
            yield warning((*path, kind), _GONE[kind])
        yield from not_empty(volume[kind], (*path, kind), _REQUIRED.get(kind, ()))
        yield from _contents(kind, volume[kind], (*path, kind))
    yield from _details(volume, path)


def _contents(kind: str, source: Object, path: FieldPath) -> Refusals:
    """What is wrong with a volume's ``source`` of a ``kind`` that few pods have."""
    if kind in _FILE_SOURCES and not _FILE_FIELDS.isdisjoint(source):
        from omec.compile.admission.volume_files import files  # noqa: PLC0415

        yield from files(kind, source, path)
    elif kind in _DISKS:
        from omec.compile.admission.volume_disks import disk  # noqa: PLC0415

        yield from disk(kind, source, path)


def _details(volume: Object, path: FieldPath) -> Refusals:
    """What only one type of volume has."""
    if host_path := volume.get("hostPath"):
        at = (*path, "hostPath")
        if ".." in host_path["path"].split("/"):
            yield invalid((*at, "path"), host_path["path"], "must not contain '..'")
        yield from one_of(host_path, at, {"type": _HOST_PATH_TYPES})
    if (share := volume.get("nfs")) and not share["path"].startswith("/"):
        yield invalid((*path, "nfs", "path"), share["path"], "must be an absolute path")
    if (limit := volume.get("emptyDir", {}).get("sizeLimit")) is not None and parse(str(limit)).value < 0:
        yield forbidden((*path, "emptyDir", "sizeLimit"), "SizeLimit field must be a valid resource quantity")
    if image := volume.get("image"):
        yield from one_of(image, (*path, "image"), {"pullPolicy": _PULL_POLICIES})
    if "ephemeral" in volume:
        template, at = volume["ephemeral"].get("volumeClaimTemplate"), (*path, "ephemeral", "volumeClaimTemplate")
        yield from claim_spec(template["spec"], (*at, "spec")) if template else (required(at),)
