"""What OME's webhook answers to a write of an InferenceReplica (reference 05 §4).

Schema errors come before: the API server refuses such an object without asking the webhook.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from omec.api.gotext import quoted
from omec.compile.inputs import Object
from omec.compile.names import COMPONENTS
from omec.compile.native.admission_shape import Fault, shape_refusals, undecodable
from omec.compile.native.names import NAME_PATTERN, is_replica_name
from omec.compile.native.owner import ControllerRef, controller_ref, projecting_service
from omec.compile.native.shape import CONTROLLER_ONLY, decoded, user_fields
from omec.compile.native.surroundings import Surroundings, piece_refusal
from omec.compile.problems import Steps

CONTROLLER_WRITE = "ome.io/controller-write"
COMPOSED_FIELDS = "ome.io/composed-fields"
MIGRATION_PREFIX = "ome.io/migration-request-v1-"

_ANNOTATIONS: Steps = ("metadata", "annotations")
_NAME: Steps = ("metadata", "name")
_ROLLOUT_FIELDS = "pacing.partition, paused, pauseMode, pacing.rollbackToRevision, pairingProtocol"


class Actor(msgspec.Struct, frozen=True):
    """Who writes. ``controller``: OME's InferenceService controller. ``identified``: by a configured user name rather
    than by the annotation ``ome.io/controller-write``.
    """

    user: str = ""
    controller: bool = False
    identified: bool = False


USER = Actor()
CONTROLLER = Actor(controller=True)


class Write(msgspec.Struct, frozen=True):
    """A write of ``new`` (as the API server stores it) over ``old``, which is ``None`` for a new object."""

    new: Object
    old: Object | None = None
    actor: Actor = USER
    surroundings: Surroundings | None = None

    @property
    def operation(self) -> str:
        return "CREATE" if self.old is None else "UPDATE"

    @property
    def identity(self) -> str:
        metadata = self.new["metadata"]
        return f"{metadata['namespace']}/{metadata['name']}"


def refusal(write: Write) -> Fault | None:
    """The field that the webhook refuses and its message, ``None`` where it admits the write."""
    if (fault := undecodable(_spec(write.new))) is not None:
        return fault
    fault = next(_refusals(write), None)
    if fault is None or fault[1].startswith("InferenceReplica "):
        return fault
    field, answer = fault
    return field, f"InferenceReplica {write.identity}: {answer}"


def _refusals(write: Write) -> Iterator[Fault]:
    """What the webhook answers, in its order; most of the messages without the name of the replica."""
    old = write.old
    if old is not None:
        yield from _immutable(write)
        if _changes_metadata_only(write, old):
            if _projected_by(old) is None:
                yield from _migration_added(write)
            return
    yield from _on_create(write) if old is None else _on_update(write, old)
    yield from shape_refusals(_spec(write.new))


_MIGRATION = (
    "manual migration is not available on a standalone replica; it surges through the per-revision Service only an "
    "InferenceService creates"
)
_PARENT = (
    "spec.parentRef is set by the InferenceService controller on the replicas it projects; omit it on a standalone "
    "InferenceReplica"
)
_OWNER = (
    "only the InferenceService controller may set an InferenceService controller owner reference or change a projected "
    "replica's"
)
_CONTROLLER_CHANGES = (
    f"the InferenceService controller writes only rollout-control fields ({_ROLLOUT_FIELDS}) on a replica it does not "
    "project; the replica's owner writes its other fields"
)
_PLACEMENT = (
    "spec.placementExecution and spec.placementReplicaLimit are written only by the InferenceService controller"
)
_COMPOSED = (
    f"the {COMPOSED_FIELDS} annotation is written by the InferenceService controller; to release the fields it names, "
    "remove the reference on the InferenceService instead"
)


def _immutable(write: Write) -> Iterator[Fault]:
    old, new = decoded(_spec(write.old)), decoded(_spec(write.new))
    for field in ("parentRef", "component"):
        if old.get(field) != new.get(field):
            yield ("spec", field), f"spec.{field} is immutable"


def _changes_metadata_only(write: Write, old: Object) -> bool:
    unchanged = decoded(_spec(old)) == decoded(_spec(write.new))
    return unchanged and not _owner_installed(old, write.new) and not _composed_changed(write)


def _on_create(write: Write) -> Iterator[Fault]:
    """The table of who may create what."""
    spec, actor = _spec(write.new), write.actor
    if spec.get("parentRef") is not None and projecting_service(write.new) is None:
        yield ("spec", "parentRef"), _PARENT
    if not actor.controller and _composed_changed(write):
        yield (*_ANNOTATIONS, COMPOSED_FIELDS), _COMPOSED
    if (parent := _projected_by(write.new)) is not None:
        if not actor.controller:
            yield _projected_write(write, parent)
        return
    if actor.controller:
        yield (*_ANNOTATIONS, CONTROLLER_WRITE), _controller_creates(write)
    for field in CONTROLLER_ONLY[1:]:
        if spec.get(field) is not None:
            yield ("spec", field), _PLACEMENT
    yield from _standalone_spec(spec)
    name = write.new["metadata"]["name"]
    if not is_replica_name(name):
        pattern = quoted(NAME_PATTERN)
        message = f"a standalone replica's name is the prefix of its pod and Service names and must match {pattern}"
        yield _NAME, message
    yield from _migration_added(write)
    if write.surroundings is not None:
        yield from piece_refusal(write.surroundings, write.new["metadata"]["namespace"], spec)
        yield from _collisions(write.surroundings, write.new["metadata"]["namespace"], name)


def _on_update(write: Write, old: Object) -> Iterator[Fault]:
    """The table of who may change what."""
    actor = write.actor
    parent = _projected_by(old)
    installed = _owner_installed(old, write.new)
    if not actor.controller and installed and (parent is not None or projecting_service(write.new) is not None):
        yield ("metadata", "ownerReferences"), _OWNER
    if not actor.controller and _composed_changed(write):
        yield (*_ANNOTATIONS, COMPOSED_FIELDS), _COMPOSED
    before, after = decoded(_spec(old)), decoded(_spec(write.new))
    if parent is not None:
        if not actor.controller and before != after:
            yield _projected_write(write, parent)
        return
    for field in CONTROLLER_ONLY:
        if not actor.controller and before.get(field) != after.get(field):
            yield ("spec", field), _PLACEMENT
    if actor.controller and user_fields(before) != user_fields(after):
        yield ("spec",), _CONTROLLER_CHANGES
    yield from _standalone_spec(_spec(write.new))
    yield from _migration_added(write)
    if write.surroundings is not None and before.get("runtimeRef") != after.get("runtimeRef"):
        yield from piece_refusal(write.surroundings, write.new["metadata"]["namespace"], _spec(write.new))


def _standalone_spec(spec: Mapping[str, Any]) -> Iterator[Fault]:
    """Whether a standalone replica has one template source, and nothing that nobody acts on."""
    runtime = spec.get("runtimeRef")
    references = spec.get("modelRef") is not None or runtime is not None
    if spec.get("runners") and references:
        field = "runtimeRef" if runtime is not None else "modelRef"
        message = "spec.runners and spec.modelRef/spec.runtimeRef are exclusive; a replica renders from one source"
        yield ("spec", field), message
    if not spec.get("runners") and not references:
        yield ("spec", "runners"), "spec.runners is required unless spec.modelRef or spec.runtimeRef is set"
    if runtime is not None and (runtime.get("autoSync") is False or runtime.get("revision")):
        message = (
            "spec.runtimeRef.autoSync=false and spec.runtimeRef.revision are not honored on an InferenceReplica; the "
            "live runtime renders"
        )
        yield ("spec", "runtimeRef", "revision" if runtime.get("revision") else "autoSync"), message
    scaling = (spec.get("autoscaler") or {}).get("class")
    if scaling in ("HPA", "KEDA"):
        message = (
            f'spec.autoscaler.class "{scaling}" creates no scaler on a standalone InferenceReplica; target the scale '
            'subresource with your own HorizontalPodAutoscaler or ScaledObject, or use class "External"'
        )
        yield ("spec", "autoscaler", "class"), message
    if (spec.get("lifecycle") or {}).get("minReadySeconds") is not None:
        message = "spec.lifecycle.minReadySeconds is not read on an InferenceReplica; set spec.minReadySeconds"
        yield ("spec", "lifecycle", "minReadySeconds"), message


def _collisions(surroundings: Surroundings, namespace: str, name: str) -> Iterator[Fault]:
    for candidate in colliding_services(name):
        if surroundings.has_service(namespace, candidate):
            message = (
                f"InferenceService {namespace}/{candidate} exists and the replicas it projects would share pod and "
                "Service names with this one; choose another name"
            )
            yield _NAME, message


def colliding_services(name: str) -> tuple[str, ...]:
    """The InferenceServices whose own replicas would share names with a standalone replica called ``name``."""
    stems = (name.removesuffix(f"-{component}") for component in COMPONENTS)
    return (name, *(stem for stem in stems if stem and stem != name))


def _projected_write(write: Write, parent: str) -> Fault:
    namespace = write.new["metadata"]["namespace"]
    start = f"InferenceReplica {write.identity} is projected by InferenceService {namespace}/{parent}"
    if write.actor.identified:
        who = f'(request from "{write.actor.user}")'
        return ("spec",), f"{start}, whose controller alone writes its spec; edit the InferenceService instead {who}"
    message = (
        f"{start} and rejects a direct {write.operation} without the {CONTROLLER_WRITE}=true annotation; edit the "
        "InferenceService instead"
    )
    return ("spec",), message


def _controller_creates(write: Write) -> str:
    if write.actor.identified:
        return (
            "the InferenceService controller creates only the replicas it projects; create a standalone replica as a "
            "user"
        )
    return (
        f"InferenceReplica {write.identity} carries the {CONTROLLER_WRITE}=true annotation, which marks a write by the "
        "InferenceService controller, and the controller creates only the replicas it projects; create a standalone "
        "replica without it"
    )


def _projected_by(replica: Object) -> str | None:
    """The InferenceService that projects ``replica``, ``None`` for a standalone one."""
    return projecting_service(replica) or (_spec(replica).get("parentRef") or {}).get("name") or None


def _owner_installed(old: Object, new: Object) -> bool:
    owner: ControllerRef | None = controller_ref(new)
    return owner is not None and owner != controller_ref(old)


def _composed_changed(write: Write) -> bool:
    before = None if write.old is None else _annotations(write.old).get(COMPOSED_FIELDS)
    return before != _annotations(write.new).get(COMPOSED_FIELDS)


def _migration_added(write: Write) -> Iterator[Fault]:
    had = {} if write.old is None else _annotations(write.old)
    for key in _annotations(write.new):
        if key.startswith(MIGRATION_PREFIX) and key not in had:
            yield (*_ANNOTATIONS, key), _MIGRATION


def _annotations(replica: Object) -> Mapping[str, str]:
    return replica["metadata"].get("annotations") or {}


def _spec(replica: Object | None) -> Mapping[str, Any]:
    return (replica or {}).get("spec") or {}
