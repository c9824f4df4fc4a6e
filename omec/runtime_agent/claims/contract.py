"""Names that the status role and the Job agree on (reference 07 §9.2, §9.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from omec.api.storage_uri import PvcUri, StorageUriError, parse_storage_uri
from omec.runtime_agent.contract.names import ModelKey
from omec.runtime_agent.ownership import owns_data

RESULT_LABEL = "models.ome/pvc-status"
MODEL_LABEL, SCOPE_LABEL = "models.ome/model-name", "models.ome/model-scope"
LAST_ERROR = "models.ome/pvc-metadata-last-error"
STORAGE_URI = "omec.io/pvc-storage-uri"
"""Of which URI a result is, so that a model that moves is read again, and one that stays is not."""

ACCOUNT = "omec-agent-metadata"
"""The service account of the Jobs, in the namespace of the claim."""

_LONGEST_LABEL = 63


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim of a model, and the directory in it."""

    namespace: str
    name: str
    path: str

    @classmethod
    def of(cls, model: Mapping[str, Any]) -> Claim:
        """The claim that a model names; raises :class:`StorageUriError` with OME's text."""
        uri = uri_of(model)
        try:
            parsed = parse_storage_uri(uri)
        except StorageUriError as error:
            raise StorageUriError(f'invalid PVC storage URI "{uri}": {error}') from None
        assert isinstance(parsed, PvcUri)
        own = model["metadata"].get("namespace")
        if not own and not parsed.namespace:
            form = "pvc://{namespace}:{pvc-name}/{sub-path}"
            raise StorageUriError(f"ClusterBaseModel PVC URI must specify a namespace (format: {form})")
        if own and parsed.namespace:
            message = "namespaced BaseModel PVC URI must not specify a namespace; the BaseModel's own namespace is used"
            raise StorageUriError(message)
        return cls(own or parsed.namespace, parsed.pvc_name, parsed.sub_path)


def uri_of(model: Mapping[str, Any]) -> str:
    return str(((model.get("spec") or {}).get("storage") or {}).get("storageUri") or "")


def model_labels(key: ModelKey) -> dict[str, str]:
    """The labels by which a Job or a result belongs to a model."""
    name = re.sub(r"[^A-Za-z0-9._-]", "-", key.name)[:_LONGEST_LABEL].strip("._-")
    return {MODEL_LABEL: name or "model", SCOPE_LABEL: "namespaced" if key.namespace else "cluster"}


def result_labels(key: ModelKey) -> dict[str, str]:
    return {RESULT_LABEL: "true", **model_labels(key)}


def is_own_result(config_map: Mapping[str, Any]) -> bool:
    """Whether a result is omec's and not OME's: its data is, or it has none yet."""
    return owns_data(config_map) or not config_map.get("data")
