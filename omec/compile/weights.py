"""How the pods of a service reach the files of its model (reference 04 §8.2, §8.3, §10.1)."""

from __future__ import annotations

import msgspec

from omec.api.storage_uri import PvcUri, StorageUriError, parse_storage_uri
from omec.compile.inputs import Model, Object

CLAIM_MOUNT_PATH = "/opt/ml/model"


class Weights(msgspec.Struct, frozen=True):
    """The volume that holds a model, where the runner mounts it, and what ``MODEL_PATH`` says (``""``: not set).

    ``on_nodes`` tells files that the model agent keeps on nodes, which carry the model's label, from a volume claim.
    """

    volume: Object
    mount: Object
    path: str
    on_nodes: bool


def weights_of(model: Model | None) -> Weights | None:
    """Where the files of ``model`` are; ``None`` without a model, or where its storage names neither path nor claim.

    A ``pvc://`` address that cannot be read counts as none; admission refuses it before.
    """
    storage = model.spec.get("storage") if model is not None else None
    if model is None or storage is None:
        return None
    if (claim := _claim(storage.get("storageUri") or "")) is not None:
        return _claimed(model.name, claim.pvc_name, claim.sub_path)
    path = storage.get("path")
    return None if path is None else _on_host(model.name, path)


def _claim(uri: str) -> PvcUri | None:
    if not uri.startswith("pvc://"):
        return None
    try:
        parsed = parse_storage_uri(uri)
    except StorageUriError:
        return None
    return parsed if isinstance(parsed, PvcUri) else None


def _claimed(name: str, claim: str, sub_path: str) -> Weights:
    return Weights(
        volume={"name": name, "persistentVolumeClaim": {"claimName": claim, "readOnly": True}},
        mount={"name": name, "mountPath": CLAIM_MOUNT_PATH, "subPath": sub_path, "readOnly": True},
        path=CLAIM_MOUNT_PATH,
        on_nodes=False,
    )


def _on_host(name: str, path: str) -> Weights:
    return Weights(
        volume={"name": name, "hostPath": {"path": path}},
        mount={"name": name, "mountPath": path, "readOnly": True},
        path=path,
        on_nodes=True,
    )
