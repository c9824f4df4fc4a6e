"""Names under which a model is known on nodes and in ConfigMaps (reference 07 §9.2, §9.3, §10.1, §11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from omec.compile.names import clipped, model_label_key

CLUSTER_KIND, NAMESPACED_KIND = "ClusterBaseModel", "BaseModel"

STATUS_LABEL = "models.ome/basemodel-status"
"""The label (with the value ``true``) of the ConfigMaps in which nodes report."""
NODE_LABEL = "node"
NODE_NAME_ANNOTATION = "models.ome.io/node-name"
MANAGED_BY_ANNOTATION = "models.ome.io/managed-by"
MANAGED_BY = "model-agent"
RESERVE_LABEL = "models.ome/reserve-model-artifact"
"""The label of a model whose files stay when the model goes, with ``true`` in any case of letters."""
MODEL_LABEL_DOMAIN = "models.ome.io/"

FINALIZERS = {CLUSTER_KIND: "clusterbasemodels.ome.io/finalizer", NAMESPACED_KIND: "basemodels.ome.io/finalizer"}

_CLUSTER_PREFIX = "clusterbasemodel."
_INFIX = ".basemodel."
_CLUSTER_LIMIT, _NAMESPACED_LIMIT, _NAMESPACE_LIMIT = 236, 242, 8
_JOB_LIMIT = 63
_HASH_DIGITS = 8


@dataclass(frozen=True, slots=True)
class ModelKey:
    """The identity of a model; ``namespace`` is ``None`` for a ClusterBaseModel."""

    namespace: str | None
    name: str

    @classmethod
    def of(cls, model: Mapping[str, Any]) -> ModelKey:
        """The key of a BaseModel or ClusterBaseModel."""
        return cls(model["metadata"].get("namespace") or None, model["metadata"]["name"])

    @property
    def kind(self) -> str:
        return CLUSTER_KIND if self.namespace is None else NAMESPACED_KIND

    @property
    def label(self) -> str:
        """The key of the node label that tells the model's state on the node."""
        return model_label_key(self.name, self.namespace)

    @property
    def entry(self) -> str:
        """The key of the model's entry in the ConfigMap of a node."""
        return entry_key(self.name, self.namespace)

    def __str__(self) -> str:
        return self.name if self.namespace is None else f"{self.namespace}/{self.name}"


def entry_key(name: str, namespace: str | None = None) -> str:
    """The data key of a model; long names are replaced as in labels, within 253 characters."""
    if namespace is None:
        return f"{_CLUSTER_PREFIX}{clipped(name, _CLUSTER_LIMIT)}"
    if len(namespace) + len(name) > _NAMESPACED_LIMIT:
        limit = min(len(namespace), _NAMESPACE_LIMIT)
        namespace, name = clipped(namespace, limit), clipped(name, _NAMESPACED_LIMIT - limit)
    return f"{namespace}{_INFIX}{name}"


def parse_entry_key(key: str) -> ModelKey | None:
    """The model that a data key names, ``None`` where it is no model's; a name that was replaced stays so.

    A namespace called ``clusterbasemodel`` is read as a ClusterBaseModel, as OME does.
    """
    if key.startswith(_CLUSTER_PREFIX):
        return ModelKey(None, key.removeprefix(_CLUSTER_PREFIX))
    namespace, infix, name = key.partition(_INFIX)
    return ModelKey(namespace, name) if infix else None


def metadata_config_map(key: ModelKey) -> str:
    """The ConfigMap in which the Job of a ``pvc://`` model leaves what it read."""
    return f"pvc-metadata-{_digest(str(key))}"


def metadata_job(model: str, storage_uri: str) -> str:
    """The Job that reads a ``pvc://`` model; the model's name is cut at its end where the whole is too long."""
    suffix = f"-metadata-{_digest(storage_uri)}"
    kept = model[: _JOB_LIMIT - len(suffix)].rstrip("-")
    return f"{kept or 'metadata'}{suffix}"


def uid_label(uid: str) -> str:
    """The node label that older releases used for the model with this UID."""
    return f"models.ome/{uid}"


def is_true(value: object) -> bool:
    """Whether a label or annotation says ``true``, in any case of letters."""
    return isinstance(value, str) and value.lower() == "true"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_HASH_DIGITS]
