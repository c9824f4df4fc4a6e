"""Who inherits from whom, and which InferenceServices a runtime serves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from omec.catalog import Resource
from omec.finding import ObjectRef
from omec.resolve.inherit import ChainResolver


class Branch(msgspec.Struct, frozen=True):
    """A runtime, the runtimes that inherit from it, and the InferenceServices that use it."""

    runtime: ObjectRef
    services: tuple[ObjectRef, ...]
    children: tuple[Branch, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "runtime": self.runtime.to_dict(),
            "services": [service.to_dict() for service in self.services],
            "children": [child.to_dict() for child in self.children],
        }


class Tree(msgspec.Struct, frozen=True):
    """The ancestors of a runtime (root first, without itself), what is below it, and what breaks its chain."""

    ancestors: tuple[ObjectRef, ...]
    branch: Branch
    error: str | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "ancestors": [ancestor.to_dict() for ancestor in self.ancestors],
            "tree": self.branch.to_dict(),
            "error": self.error,
        }


def tree(chains: ChainResolver, runtime: Resource, users: Callable[[Resource], list[Resource]]) -> Tree:
    """The inheritance tree around ``runtime``; ``users`` gives the InferenceServices that a runtime serves."""
    chain = chains.chain(runtime)
    ancestors = tuple(member.ref for member in chain.runtimes if member is not runtime)
    return Tree(ancestors, _branch(chains, runtime, users, frozenset()), chain.error)


def _branch(
    chains: ChainResolver, runtime: Resource, users: Callable[[Resource], list[Resource]], above: frozenset[ObjectRef]
) -> Branch:
    above |= {runtime.ref}
    children = [child for child in chains.children(runtime) if child.ref not in above]
    return Branch(
        runtime.ref,
        tuple(service.ref for service in users(runtime)),
        tuple(_branch(chains, child, users, above) for child in children),
    )
