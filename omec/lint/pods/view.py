"""One pod as it would run, and where each of its fields is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from omec.catalog import Resource
from omec.compile.accelerators import NO_ACCELERATOR, Accelerator
from omec.compile.modes import Mode, component_mode
from omec.compile.names import DEFAULT_CONTAINER, ComponentName
from omec.compile.pod import Role
from omec.compile.problems import Steps, deepest, follow
from omec.finding import FieldPath, Related
from omec.lint.context import Fault

if TYPE_CHECKING:
    from omec.lint.commands.server import CommandLine
    from omec.lint.pods.parallel import EngineOnGpus

Object = Mapping[str, Any]


class Member(NamedTuple):
    """A manifest that a pod is made of; ``prefix`` leads to the component in it."""

    resource: Resource
    prefix: Steps


class Use(NamedTuple):
    """An InferenceService with the runtime and the model that it certainly gets, ``None`` where it gets none."""

    service: Resource
    runtime: Resource | None
    model: Resource | None


class Written(NamedTuple):
    """Where a field is written: in the member of this ``rank``, 0 for the most specific one."""

    rank: int
    resource: Resource
    path: FieldPath


class Origin(NamedTuple):
    """Whom the pods of a component are judged for.

    ``members`` are the manifests that set their fields, the most specific one first: the InferenceService, then the
    runtime, then its parents. ``spec`` is the effective spec of the runtime. A pod is ``abstract`` where the runtime is
    disabled: what it lacks, a child may add. ``use`` is ``None`` for the pods of a runtime by itself.
    """

    members: Sequence[Member]
    spec: Object
    abstract: bool = False
    use: Use | None = None
    accelerator: Accelerator = NO_ACCELERATOR

    @property
    def owner(self) -> Resource:
        return self.members[0].resource


class Pod:
    """A pod of the component ``name``.

    ``part`` is the merged part of the component that describes it, ``whole`` the merged component; ``role`` is the
    pod's in its replica, which has ``replica_pods`` pods. ``base`` is the pod that the runtime alone would give.
    """

    def __init__(
        self, name: ComponentName, role: Role, part: Object, whole: Object, origin: Origin, base: Pod | None = None
    ) -> None:
        self.name = name
        self.role = role
        self.part = part
        self.whole = whole
        self.origin = origin
        self.base = base

    @property
    def abstract(self) -> bool:
        return self.origin.abstract

    @property
    def serves(self) -> bool:
        """Whether requests reach the pod: workers get theirs from the leader."""
        return self.role != "worker"

    @property
    def is_engine(self) -> bool:
        """Whether the pod runs a model, which a router does not."""
        return self.name != "router"

    @cached_property
    def mode(self) -> Mode:
        service = {} if self.origin.use is None else self.origin.use.service.spec
        return component_mode(service, self.whole)

    @cached_property
    def replica_pods(self) -> int:
        """The pods of one replica."""
        size = (self.whole.get("worker") or {}).get("size")
        workers = (1 if size is None else size) if self.whole.get("worker") is not None else 0
        leads = self.whole.get("leader") is not None or self.whole.get("worker") is None or self.whole.get("runner")
        return int(bool(leads)) + workers

    @cached_property
    def containers(self) -> tuple[Container, ...]:
        """The containers, the runner first."""
        runner, listed = self.part.get("runner"), self.part.get("containers") or ()
        found = []
        if runner is not None:
            name = runner.get("name") or DEFAULT_CONTAINER
            same = next((item for item in listed if item.get("name") == name), None)
            body = runner if same is None else _joined(runner, same)
            found.append(Container(self, body, (("runner",), ("containers", ("name", name))), is_main=True))
        for item in listed:
            if not found or item.get("name") != found[0].name:
                found.append(Container(self, item, (("containers", ("name", item.get("name"))),), is_main=not found))
        return tuple(found)

    @cached_property
    def init_containers(self) -> tuple[Container, ...]:
        return tuple(
            Container(self, item, (("initContainers", ("name", item.get("name"))),))
            for item in self.part.get("initContainers") or ()
        )

    @property
    def main(self) -> Container | None:
        """The runner, or the first container where there is none."""
        return self.containers[0] if self.containers else None

    @cached_property
    def on_gpus(self) -> EngineOnGpus | None:
        """The engine of the pod beside its GPUs, ``None`` where either is not certain."""
        from omec.lint.pods.parallel import engine_on_gpus  # noqa: PLC0415 - it needs pods

        return engine_on_gpus(self)

    @cached_property
    def volumes(self) -> dict[str, Object]:
        return {str(volume.get("name")): volume for volume in self.part.get("volumes") or ()}

    def written(self, *steps: Any) -> Written:
        """Where the field at ``steps`` of the part is written: in the most specific member that sets it.

        Of a field that is set nowhere, the nearest one above it that is.
        """
        return self.written_at((steps,))

    def written_at(self, ways: Iterable[Steps]) -> Written:
        """As :meth:`written`, for a field that one of several ways leads to."""
        full = [way for steps in ways for way in self._ways(steps)]
        for way in full:
            for rank, (resource, prefix) in enumerate(self.origin.members):
                path = follow(resource.body, (*prefix, *way))
                if path is not None and _is_set(resource.body, path):
                    return Written(rank, resource, path)
        return self._nearest(full)

    def _ways(self, steps: Steps) -> Iterator[Steps]:
        """``steps`` from the component: its own pod fields count for leader and workers, below theirs."""
        if self.role != "default":
            yield (self.role, *steps)
        elif self.whole.get("leader") is not None:
            yield ("leader", *steps)
        if self.role == "default" or not steps or steps[0] != "runner":
            yield steps

    def _nearest(self, ways: Sequence[Steps]) -> Written:
        best: Written | None = None
        for way in ways:
            for rank, (resource, prefix) in enumerate(self.origin.members):
                path = deepest(resource.body, (*prefix, *way))
                if best is None or len(path) > len(best.path):
                    best = Written(rank, resource, path)
        assert best is not None
        return best

    def fault(
        self, at: Written, message: str, *, help_: str = "", key: bool = False, causes: Iterable[Written] = ()
    ) -> Fault:
        """A fault at the field ``at``, or at that one of its ``causes`` which the most specific member sets.

        A child that turns a good value of its parent into a bad one is at fault itself.
        """
        first = min((at, *causes), key=lambda written: written.rank)
        owner = self.origin.owner
        if first.resource.context:  # Nothing is said about the manifests of other catalogs.
            name: FieldPath = ("metadata", "name")
            return Fault(owner, name, f"{message} ({first.resource.ref})", help_)
        related: tuple[Related, ...] = ()
        if first.resource is not owner:
            via = "used by" if owner.kind == "InferenceService" else "via child"
            related = (Related(owner.locate(("metadata", "name")), f"{via} {owner.ref}"),)
        return Fault(first.resource, first.path, message, help_, related, key=key and first is at)


class Container:
    """A container of ``pod``: ``body`` as it runs, ``ways`` to where it is written."""

    __slots__ = ("__dict__", "body", "is_main", "pod", "ways")

    def __init__(self, pod: Pod, body: Object, ways: tuple[Steps, ...], *, is_main: bool = False) -> None:
        self.pod = pod
        self.body = body
        self.ways = ways
        self.is_main = is_main

    @property
    def name(self) -> str:
        return str(self.body.get("name") or DEFAULT_CONTAINER)

    @property
    def title(self) -> str:
        """The container as messages call it."""
        role = self.pod.name if self.pod.role == "default" else f"{self.pod.name} {self.pod.role}"
        return f"the {role}" if self.is_main else f"container {self.name} of the {role}"

    @cached_property
    def ports(self) -> tuple[Object, ...]:
        return tuple(self.body.get("ports") or ())

    @cached_property
    def environment(self) -> dict[str, Object]:
        """The entries of ``env`` by name."""
        return {str(item.get("name")): item for item in self.body.get("env") or ()}

    @cached_property
    def has_placeholders(self) -> bool:
        """Whether a text of the container has what Go's templates begin with."""
        return "{{" in repr(self.body)

    @cached_property
    def line(self) -> CommandLine:
        """What the container is started with."""
        from omec.lint.commands.server import command_line  # noqa: PLC0415 - it knows nothing of pods

        return command_line(self.body)

    def written(self, *steps: Any) -> Written:
        """Where the field at ``steps`` of the container is written."""
        return self.pod.written_at([(*way, *steps) for way in self.ways])

    def fault(
        self, steps: Steps, message: str, *, help_: str = "", key: bool = False, causes: Iterable[Written] = ()
    ) -> Fault:
        return self.pod.fault(self.written(*steps), message, help_=help_, key=key, causes=causes)


def _joined(runner: Object, listed: Object) -> Object:
    """A listed container of the runner's name wins over it, but for its arguments, which follow (reference 04 §9.1)."""
    from omec.api.shapes import CONTAINER  # noqa: PLC0415 - few components list their runner
    from omec.resolve.merge import strategic_merge  # noqa: PLC0415

    merged: dict[str, Any] = strategic_merge(CONTAINER, dict(runner), dict(listed))
    return {**merged, "args": [*(runner.get("args") or ()), *(listed.get("args") or ())]}


def _is_set(body: Any, path: FieldPath) -> bool:
    """Whether the value says anything: an empty one cannot override another."""
    for key in path:
        body = body[key]
    return body not in (None, "", [], {})
