"""What the three parts of the status role have in common: they follow objects, and look at keys again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from omec.runtime_agent.cluster.resources import Object, Resource
from omec.runtime_agent.cluster.watch import Change

Key = tuple[str, ...]
"""What is to be looked at: the kind of work first, then what identifies the object."""

Handler = Callable[[Change, Object], Iterable[Key]]
"""Takes a change into the reconciler's memory; answers with what is to be looked at."""


@dataclass(frozen=True, slots=True)
class Source:
    """Objects to follow. ``optional`` kinds may be unknown to the API server, now or for good."""

    resource: Resource
    handle: Handler
    namespace: str | None = None
    labels: str = ""
    optional: bool = False


class Reconciler(Protocol):
    """One part of the status role. ``sources`` are handled in threads of their own, ``reconcile`` in one thread."""

    @property
    def sources(self) -> Sequence[Source]: ...

    def everything(self) -> Iterable[Key]:
        """Everything that there is to look at: after a pause, nobody knows what has changed."""
        ...

    def owns(self, key: Key) -> bool:
        """Whether ``key`` is one of this reconciler's."""
        ...

    def reconcile(self, key: Key) -> None:
        """Write what is missing; raises ``ApiError`` or ``UnreachableError``, and is asked again then."""
        ...
