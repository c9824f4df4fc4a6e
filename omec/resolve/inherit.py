"""Inheritance between runtimes: which runtimes a chain is made of, and the spec that comes out of it.

Source: OME docs, concepts/runtimes/runtime-inheritance; reference 02.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from omec.api import gojson
from omec.api.gotext import quoted
from omec.api.kinds import RUNTIME_KINDS
from omec.api.shapes import SERVING_RUNTIME_SPEC, normalise
from omec.catalog import Catalog, Resource
from omec.catalog.copies import listed
from omec.finding import ObjectRef
from omec.resolve.merge import MergeError, strategic_merge

if TYPE_CHECKING:
    from omec.repo.config import Config

INHERIT_FROM = "ome.io/inherit-from"
RUNTIME_PROFILE = "ome.io/runtime-profile"
PROFILE_NOT_DISABLED = f'runtimes carrying {RUNTIME_PROFILE}="true" must also set spec.disabled: true'
MAX_CHAIN = 5
"""Runtimes in a chain, the head included."""

SERVING_RUNTIME, CLUSTER_SERVING_RUNTIME = RUNTIME_KINDS


class Reason(StrEnum):
    """Why a chain is broken. The first four are reasons of OME's condition ``InheritanceReady``."""

    PARENT_NOT_FOUND = "ParentNotFound"
    CYCLE = "InheritanceCycle"
    MAX_DEPTH = "MaxDepthExceeded"
    RESOLVER_ERROR = "ResolverError"
    AMBIGUOUS_PARENT = "AmbiguousParent"
    """The parent is defined more than once in the repository; omec chooses none of the definitions."""
    EXTERNAL_PARENT = "ExternalParent"
    """The parent exists in the cluster only (``external-runtimes``), so its spec is not known here."""


class Chain(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A runtime with everything above it.

    ``runtimes`` are the members found, root first; the last one is the head. ``error`` is the text of what breaks the
    chain (OME's own for OME's four reasons), ``parent`` the name that could not be followed then. ``merged`` is the
    merge of two or more members; a spec that nothing is merged into is encoded only when it is asked for.
    """

    runtimes: tuple[Resource, ...]
    error: str | None = None
    reason: Reason | None = None
    parent: str | None = None
    merged: dict[str, Any] | None = None

    @property
    def head(self) -> Resource:
        return self.runtimes[-1]

    @property
    def external(self) -> str | None:
        """The name of a parent that is known to exist in the cluster, where the chain leaves the repository."""
        return self.parent if self.reason is Reason.EXTERNAL_PARENT else None

    @cached_property
    def spec(self) -> dict[str, Any] | None:
        """The effective spec as OME encodes it, ``None`` for a broken chain; never modify it."""
        if self.error is not None or self.merged is not None:
            return self.merged
        own: dict[str, Any] = normalise(SERVING_RUNTIME_SPEC, self.head.spec)
        return own

    @cached_property
    def hash(self) -> str | None:
        """The SHA-256 of the effective spec, in 64 hex digits (reference 02 §8.3)."""
        return None if self.spec is None else gojson.digest(self.spec)

    @property
    def disabled(self) -> bool:
        """Whether the effective spec is disabled, be it by inheritance."""
        return self.spec is not None and self.spec.get("disabled") is True


class ChainResolver:
    """The chains of one catalog, each resolved once.

    ``external`` are names of runtimes that exist in the cluster but not in the catalog. OME before 1.3 ignores the
    annotations: with ``inheritance=False`` every runtime stands alone.
    """

    def __init__(self, catalog: Catalog, external: Iterable[str] = (), *, inheritance: bool = True) -> None:
        self.catalog = catalog
        self.external = frozenset(external)
        self.inheritance = inheritance
        self._chains: dict[ObjectRef, Chain] = {}

    @classmethod
    def of(cls, catalog: Catalog, config: Config) -> ChainResolver:
        """The chains of ``catalog`` as the release of OME that ``config`` names makes them."""
        return cls(catalog, config.external_runtimes, inheritance=config.ome_version != "1.2")

    def chain(self, runtime: Resource) -> Chain:
        """The chain of a runtime of the catalog; a broken one says why in ``error``."""
        chain = self._chains.get(runtime.ref)
        if chain is None:
            chain = self._chains[runtime.ref] = self._walk(runtime)
        return chain

    def parent_name(self, runtime: Resource) -> str:
        """The name that ``runtime`` inherits from, ``""`` for none; OME does not trim it."""
        name = runtime.annotations.get(INHERIT_FROM) if self.inheritance else None
        return name if isinstance(name, str) else ""

    def parent(self, runtime: Resource) -> Resource | None:
        """The runtime that ``runtime`` itself inherits from, ``None`` where there is none in the catalog."""
        name = self.parent_name(runtime)
        return self._look_up(name, runtime.namespace) if name else None

    def children(self, runtime: Resource) -> list[Resource]:
        """The runtimes that inherit from ``runtime`` directly, ordered by kind, namespace and name."""
        return self._children.get(runtime.ref, [])

    @cached_property
    def _children(self) -> dict[ObjectRef, list[Resource]]:
        children: dict[ObjectRef, list[Resource]] = {}
        for kind in sorted(RUNTIME_KINDS):
            for runtime in self.catalog.of_kind(kind):
                parent = self.parent(runtime)
                if parent is not None:
                    children.setdefault(parent.ref, []).append(runtime)
        return children

    def _walk(self, head: Resource) -> Chain:
        """Follow the annotations; the head's namespace is the scope of every look-up (reference 02 §2.1)."""
        found = [head]
        while name := self.parent_name(found[-1]):
            # OME compares bare names, so that two runtimes of one name in two scopes make a cycle as well.
            names = [runtime.name for runtime in found]
            if len(names) >= MAX_CHAIN:
                text = f"inheritance chain exceeds max depth {MAX_CHAIN} (chain: {_list(names)})"
                return _broken(found, text, Reason.MAX_DEPTH, name)
            if name in names:
                return _broken(found, f"inheritance cycle detected: {_list([*names, name])}", Reason.CYCLE, name)
            parent = self._look_up(name, head.namespace)
            if parent is None:
                return self._missing(found, name, names, head.namespace)
            found.append(parent)
        return merged_chain(tuple(reversed(found)))

    def _look_up(self, name: str, namespace: str | None) -> Resource | None:
        for kind, scope in _scopes(namespace):
            if self.catalog.is_ambiguous(kind, name, scope):
                return None
            parent = self.catalog.get(kind, name, scope)
            if parent is not None:
                return parent
        return None

    def _missing(self, found: list[Resource], name: str, names: list[str], namespace: str | None) -> Chain:
        for kind, scope in _scopes(namespace):
            copies = self.catalog.ambiguous.get(ObjectRef(kind, scope, name))
            if copies is not None:
                text = f"inherit-from parent {quoted(name)} is defined more than once: {listed(copies)}"
                return _broken(found, text, Reason.AMBIGUOUS_PARENT, name)
        if name in self.external:
            text = (
                f"inherit-from parent {quoted(name)} is in the cluster only (external-runtimes), not in this repository"
            )
            return _broken(found, text, Reason.EXTERNAL_PARENT, name)
        text = f"inherit-from parent {quoted(name)} not found (chain so far: {_list(names)})"
        return _broken(found, text, Reason.PARENT_NOT_FOUND, name)


def revision_name(kind: str, namespace: str | None, name: str, digest: str) -> str:
    """The name of the ControllerRevision that holds a runtime's effective spec of hash ``digest`` (reference 02 §8.2).

    ``kind`` is that of the reference, not of the runtime found.
    """
    prefix = f"r-{namespace}" if kind == SERVING_RUNTIME else "cr"
    return f"{prefix}-{name}-{digest[:8]}"


def merged_chain(runtimes: tuple[Resource, ...]) -> Chain:
    """The chain of ``runtimes``, root first: each merged onto what those above it give."""
    if len(runtimes) == 1:
        return Chain(runtimes)
    effective = None
    for runtime in runtimes:
        try:
            effective = strategic_merge(SERVING_RUNTIME_SPEC, effective, runtime.spec)
        except MergeError as error:
            text = f"merge {runtime.name} onto effective: strategic merge: {error}"
            return Chain(runtimes, text, Reason.RESOLVER_ERROR)
    return Chain(runtimes, merged=effective)


def _broken(found: list[Resource], error: str, reason: Reason, parent: str) -> Chain:
    return Chain(tuple(reversed(found)), error, reason, parent)


def _scopes(namespace: str | None) -> tuple[tuple[str, str | None], ...]:
    """Where a name is looked up, in order, for a head of ``namespace``."""
    cluster = (CLUSTER_SERVING_RUNTIME, None)
    return (cluster,) if namespace is None else ((SERVING_RUNTIME, namespace), cluster)


def _list(names: list[str]) -> str:
    """As Go prints a list of strings."""
    return f"[{' '.join(names)}]"
