"""A model as the node role sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from omec.api.storage_uri import StorageUriError, parse_storage_uri, storage_type
from omec.runtime_agent.cluster.resources import BASE_MODELS, CLUSTER_BASE_MODELS, Resource
from omec.runtime_agent.contract.names import CLUSTER_KIND, RESERVE_LABEL, ModelKey, is_true
from omec.runtime_agent.node.eligibility import NodeIdentity, is_eligible

_OWN_FILES = ("HUGGINGFACE", "OCI", "MODELPACK")
"""The schemes whose files the agent brings, and takes away again."""


@dataclass(frozen=True, slots=True)
class NodeModel:
    """One BaseModel or ClusterBaseModel; ``body`` is the whole object and is never changed."""

    key: ModelKey
    body: Mapping[str, Any]

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> NodeModel:
        return cls(ModelKey.of(body), body)

    @property
    def resource(self) -> Resource:
        return CLUSTER_BASE_MODELS if self.key.kind == CLUSTER_KIND else BASE_MODELS

    @property
    def storage(self) -> Mapping[str, Any]:
        storage: Mapping[str, Any] = (self.body.get("spec") or {}).get("storage") or {}
        return storage

    def is_for(self, node: NodeIdentity) -> bool:
        """Whether the model belongs on ``node``."""
        return is_eligible((self.body.get("spec") or {}).get("storage"), node)

    @property
    def uri(self) -> str:
        return str(self.storage.get("storageUri") or "")

    @property
    def scheme(self) -> str | None:
        """OME's name of the scheme; ``None`` for an unknown one."""
        return storage_type(self.uri)

    @property
    def path(self) -> str:
        return str(self.storage.get("path") or "")

    @property
    def place(self) -> str:
        """Where the model's files are: ``path`` without what two spellings of one path may differ in."""
        path = self.path or (self.uri.removeprefix("local://") if self.scheme == "LOCAL" else "")
        return "/" + "/".join(part for part in path.split("/") if part not in ("", ".")) if path else ""

    @property
    def owns_files(self) -> bool:
        return self.scheme in _OWN_FILES

    def brings_other_files_than(self, other: NodeModel) -> bool:
        """Whether the agent brings files for both, and not the same ones."""
        return self.owns_files and other.owns_files and not same_uri(self.uri, other.uri)

    @property
    def parameters(self) -> Mapping[str, str]:
        return self.storage.get("parameters") or {}

    @property
    def annotations(self) -> Mapping[str, str]:
        return self.body["metadata"].get("annotations") or {}

    @property
    def is_shared(self) -> bool:
        """Whether a snapshot of the hub is kept once for all models that name it."""
        return self.scheme == "HUGGINGFACE" and self.storage.get("downloadPolicy") == "ReuseIfExists"

    @property
    def is_reserved(self) -> bool:
        """Whether the files stay when the model goes."""
        return is_true((self.body["metadata"].get("labels") or {}).get(RESERVE_LABEL))

    @property
    def is_going(self) -> bool:
        return bool(self.body["metadata"].get("deletionTimestamp"))


def same_uri(first: str, second: str) -> bool:
    """Whether both name the same model, however they are spelled."""
    try:
        return parse_storage_uri(first) == parse_storage_uri(second)
    except StorageUriError:
        return first == second
