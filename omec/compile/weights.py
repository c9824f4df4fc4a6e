"""How the pods of a service reach the files of its model (reference 04 §8.2, §8.3, §10.1)."""

from __future__ import annotations

import msgspec

from omec.api.storage_uri import PvcUri, StorageUriError, parse_storage_uri, storage_type
from omec.compile.inputs import Model, Object

CLAIM_MOUNT_PATH = "/opt/ml/model"


class Weights(msgspec.Struct, frozen=True):
    """The volume that holds a model, where the runner mounts it, and what ``MODEL_PATH`` says (``""``: not set).

    ``volume`` and ``mount`` are ``None`` where OME finds nothing to mount. ``on_nodes`` tells files that the model
    agent keeps on nodes, which carry the model's label, from a volume claim.
    """

    volume: Object | None
    mount: Object | None
    path: str
    on_nodes: bool


def weights_of(model: Model | None) -> Weights | None:
    """Where the files of ``model`` are; ``None`` without a model, or where its storage names neither path nor claim.

    Of a ``pvc://`` address that cannot be read, which admission refuses, OME mounts the path; for all else it goes by
    the scheme.
    """
    storage = model.spec.get("storage") if model is not None else None
    if model is None or storage is None:
        return None
    uri, path = storage.get("storageUri") or "", storage.get("path")
    claimed = storage_type(uri) == PvcUri.type
    if claimed and (claim := _claim(uri)) is not None:
        return _on_claim(model.name, claim.pvc_name, claim.sub_path)
    if path is not None:
        return _on_host(model.name, path, claimed=claimed)
    return Weights(None, None, CLAIM_MOUNT_PATH, on_nodes=False) if claimed else None


def _claim(uri: str) -> PvcUri | None:
    try:
        parsed = parse_storage_uri(uri)
    except StorageUriError:
        return None
    return parsed if isinstance(parsed, PvcUri) else None


def _on_claim(name: str, claim: str, sub_path: str) -> Weights:
    return Weights(
        volume={"name": name, "persistentVolumeClaim": {"claimName": claim, "readOnly": True}},
        mount={"name": name, "mountPath": CLAIM_MOUNT_PATH, "subPath": sub_path, "readOnly": True},
        path=CLAIM_MOUNT_PATH,
        on_nodes=False,
    )


def _on_host(name: str, path: str, *, claimed: bool) -> Weights:
    return Weights(
        volume={"name": name, "hostPath": {"path": path}},
        mount={"name": name, "mountPath": path, "readOnly": True},
        path=CLAIM_MOUNT_PATH if claimed else path,
        on_nodes=not claimed,
    )
