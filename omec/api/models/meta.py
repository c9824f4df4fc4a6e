"""The envelope of every object, and references between objects."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import WithJsonSchema

from omec.api.models.base import Model, list_map, since
from omec.api.models.scalars import Int64, StringMap

Status: TypeAlias = Annotated[
    dict[str, Any], WithJsonSchema({"type": "object", "x-kubernetes-preserve-unknown-fields": True})
]
"""What OME writes about the object. The API server ignores it in an applied manifest, so nothing in it is checked."""


class OwnerReference(Model):
    """The object that owns this one; the garbage collector deletes this one with it."""

    api_version: str
    """API version of the owner."""
    kind: str
    """Kind of the owner."""
    name: str
    """Name of the owner."""
    uid: str
    """UID of the owner."""
    controller: bool | None = None
    """Whether the owner manages this object."""
    block_owner_deletion: bool | None = None
    """Whether a foreground deletion of the owner waits for this object."""


class ObjectMeta(Model):
    """Name, namespace, labels and annotations of an object, and what the API server records about it."""

    name: str | None = None
    """Name, unique within the namespace (or the cluster) and kind."""
    generate_name: str | None = None
    """Prefix for a name that the API server makes up; of no use in a repository."""
    namespace: str | None = None
    """Namespace; not for cluster-scoped kinds."""
    labels: StringMap | None = None
    """Identifying key-value pairs that selectors match."""
    annotations: StringMap | None = None
    """Other key-value pairs; OME reads many settings here."""
    finalizers: list[str] | None = None
    """What must happen before the object is deleted for good."""
    owner_references: Annotated[list[OwnerReference], list_map("uid")] | None = None
    """Objects that own this one."""
    uid: str | None = None
    """Written by the API server."""
    resource_version: str | None = None
    """Written by the API server."""
    generation: Int64 | None = None
    """Written by the API server."""
    creation_timestamp: str | None = None
    """Written by the API server."""
    deletion_timestamp: str | None = None
    """Written by the API server."""
    deletion_grace_period_seconds: Int64 | None = None
    """Written by the API server."""
    self_link: str | None = None
    """Written by API servers of old."""
    managed_fields: list[dict[str, Any]] | None = None
    """Written by the API server."""


class KubernetesObject(Model):
    """What every kind has in common. ``spec`` may be absent: no CRD requires it at the root."""

    api_version: Literal["ome.io/v1beta1"]
    """Group and version of the kind."""
    metadata: ObjectMeta
    """Name, namespace, labels, annotations."""
    status: Status | None = None
    """What OME reports; ignored in an applied manifest."""


class ObjectReference(Model):
    """The name of another object, with its namespace where that is not implied."""

    name: str
    """Name of the object."""
    namespace: str | None = None
    """Namespace of the object."""


class ModelOverlayRef(Model):
    """A further model that is mounted beside the main one."""

    name: str
    """Name of the model."""
    kind: str = "ClusterBaseModel"
    """``ClusterBaseModel`` or ``BaseModel``."""
    api_group: str = "ome.io"
    """API group of the model."""


class ModelRef(Model):
    """The model that is served."""

    name: str
    """Name of the model."""
    kind: str = "ClusterBaseModel"
    """``ClusterBaseModel``, or ``BaseModel`` for one in the namespace of the referring object."""
    api_group: str = "ome.io"
    """API group of the model."""
    fine_tuned_weights: list[str] | None = None
    """Names of FineTunedWeights to apply."""
    overlays: Annotated[list[ModelOverlayRef], list_map("name")] | None = since("1.3")
    """Further models, each mounted at ``/opt/ml/model-overlays/<name>``; disabled ones are left out silently."""


class ServingRuntimeRef(Model):
    """The runtime that serves the model; without one OME selects a runtime on its own."""

    name: str
    """Name of the runtime."""
    kind: str = "ClusterServingRuntime"
    """``ClusterServingRuntime``, or ``ServingRuntime`` for one in the namespace of the referring object."""
    api_group: str = "ome.io"
    """API group of the runtime."""
    auto_sync: bool = True
    """Whether pods follow the live runtime; ``false`` pins the service to a stored revision of it."""
    revision: str | None = None
    """ControllerRevision to pin to; ignored while ``autoSync`` is true."""
