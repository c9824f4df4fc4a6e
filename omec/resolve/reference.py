"""What an InferenceService names: its model and its runtime (reference 01 §11, §14.1; 04 §3).

A named runtime is used with everything it inherits, and checked against the model; OME uses it even where it does not
declare support.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec

from omec.catalog import Catalog, Resource
from omec.finding import ObjectRef
from omec.resolve import reasons
from omec.resolve.facts import Data, ModelFacts, as_text
from omec.resolve.inherit import Chain, ChainResolver
from omec.resolve.match import Check, Demands, RuntimeMatcher, RuntimeVerdict
from omec.resolve.select import ErrorKind

CLUSTER_RUNTIME, SERVING_RUNTIME = "ClusterServingRuntime", "ServingRuntime"
BASE_MODEL, CLUSTER_MODEL = "BaseModel", "ClusterBaseModel"


class Reference(msgspec.Struct, frozen=True):
    """``spec.model`` or ``spec.runtime`` with its API defaults; ``auto_sync`` and ``revision`` are the runtime's."""

    name: str
    kind: str
    auto_sync: bool = True
    revision: str | None = None

    @classmethod
    def of(cls, spec: Data, field: str) -> Reference | None:
        """The reference in ``spec.<field>`` of a stored InferenceService, ``None`` where it names nothing."""
        value = spec.get(field)
        name = as_text(value.get("name")) if isinstance(value, dict) else None
        if not isinstance(value, dict) or not name:
            return None
        default = CLUSTER_MODEL if field == "model" else CLUSTER_RUNTIME
        return cls(
            name=name,
            kind=as_text(value.get("kind")) or default,
            auto_sync=value.get("autoSync") is not False,
            revision=as_text(value.get("revision")) or None,
        )

    @property
    def pinned(self) -> bool:
        """Whether the service runs a stored revision of the runtime instead of the live one."""
        return not self.auto_sync or self.revision is not None


class Lookup(msgspec.Struct, frozen=True):
    """Where a name led: to one object, to several definitions of one identity, or nowhere."""

    resource: Resource | None = None
    ambiguous: ObjectRef | None = None

    def __bool__(self) -> bool:
        return self.resource is not None or self.ambiguous is not None


def find_runtime(catalog: Catalog, reference: Reference, namespace: str, ome_version: str = "1.3") -> Lookup:
    """The live runtime that ``reference`` means.

    ``kind: ServingRuntime`` looks only in the namespace; otherwise cluster scope comes first. OME 1.2 ignores ``kind``
    and looks in the namespace first.
    """
    scopes: list[tuple[str, str | None]] = [(CLUSTER_RUNTIME, None), (SERVING_RUNTIME, namespace)]
    if ome_version == "1.2":
        scopes.reverse()
    elif reference.kind == SERVING_RUNTIME:
        del scopes[0]
    return _first(catalog, reference.name, scopes)


def find_served_model(catalog: Catalog, reference: Reference, namespace: str) -> Lookup:
    """The model that OME serves: that of the kind which the reference names, in no other scope."""
    return _first(catalog, reference.name, [(reference.kind, namespace if reference.kind == BASE_MODEL else None)])


def find_known_model(catalog: Catalog, name: str, namespace: str | None) -> Lookup:
    """The model that the webhook and ``kubectl ome`` mean by ``name``: the namespace's first, whatever the kind."""
    scopes = [(BASE_MODEL, namespace)] if namespace is not None else []
    return _first(catalog, name, [*scopes, (CLUSTER_MODEL, None)])


def _first(catalog: Catalog, name: str, scopes: list[tuple[str, str | None]]) -> Lookup:
    for kind, namespace in scopes:
        if (resource := catalog.get(kind, name, namespace)) is not None:
            return Lookup(resource)
        if catalog.is_ambiguous(kind, name, namespace):
            return Lookup(ambiguous=ObjectRef(kind, namespace, name))
    return Lookup()


class NamedRuntime:
    """What ``spec.runtime`` resolves to.

    ``chain`` is that of the runtime found. ``error`` is OME's text where there is no usable spec (not found, broken
    chain), with its kind; a disabled runtime does resolve.
    """

    def __init__(self, reference: Reference, lookup: Lookup, chain: Chain | None, namespace: str) -> None:
        self.reference = reference
        self.ambiguous = lookup.ambiguous
        self.chain = chain
        self.resource = lookup.resource
        self.error: str | None = None
        self.error_kind: str | None = None
        if lookup.resource is None:
            local = reference.kind == SERVING_RUNTIME
            not_found = reasons.serving_runtime_not_found if local else reasons.runtime_not_found
            self.error = not_found(reference.name, namespace)
            self.error_kind = ErrorKind.RUNTIME_NOT_FOUND
        elif chain is not None and chain.error is not None:
            self.error, self.error_kind = chain.error, chain.reason

    @property
    def spec(self) -> dict[str, Any] | None:
        """The merged spec, ``None`` where there is none."""
        return None if self.chain is None else self.chain.spec

    @property
    def disabled(self) -> bool:
        return self.matcher is not None and self.matcher.disabled

    @property
    def disabled_error(self) -> str:
        assert self.resource is not None
        return reasons.runtime_disabled(self.resource.name, cluster=self.resource.namespace is None)

    @cached_property
    def matcher(self) -> RuntimeMatcher | None:
        """The runtime as matching sees it, ``None`` where it has no usable spec."""
        if self.resource is None or self.chain is None or self.chain.error is not None:
            return None
        # For matching, a runtime that inherits nothing need not be encoded first.
        spec = self.resource.spec if len(self.chain.runtimes) == 1 else self.spec
        return RuntimeMatcher(self.resource, spec or {})


def resolve_named(
    catalog: Catalog, chains: ChainResolver, reference: Reference, namespace: str, ome_version: str = "1.3"
) -> NamedRuntime:
    """Look up the runtime that a service of ``namespace`` names, and its inheritance."""
    lookup = find_runtime(catalog, reference, namespace, ome_version)
    chain = chains.chain(lookup.resource) if lookup.resource is not None else None
    return NamedRuntime(reference, lookup, chain, namespace)


class Validation(msgspec.Struct, frozen=True):
    """How a named runtime and the model fit; ``error`` is OME's text with its kind, ``None`` where they do.

    An *advisory* error is only told: OME goes on with the runtime.
    """

    error: str | None = None
    error_kind: str | None = None
    verdict: RuntimeVerdict | None = None
    advisory: bool = False


def validate_named(named: NamedRuntime, model: ModelFacts, demands: Demands) -> Validation:
    """Check a named runtime against the model, in OME's order (reference 01 §11.2)."""
    if not model.format.name:
        return Validation(reasons.FORMAT_REQUIRED, ErrorKind.MODEL_VALIDATION)
    if named.error is not None:
        return Validation(named.error, named.error_kind)
    if named.disabled:
        return Validation(named.disabled_error, ErrorKind.RUNTIME_DISABLED)
    assert named.matcher is not None
    verdict = named.matcher.verdict(model, demands)
    if verdict.failed is None:
        return Validation(verdict=verdict)
    # OME fills in the format's name only where it reports a format or a size, which leaves "model : " otherwise.
    about_model = verdict.failed in (Check.FORMAT, Check.SIZE)
    error = reasons.incompatible(named.reference.name, model.format.name if about_model else "", verdict.reason or "")
    return Validation(error, ErrorKind.RUNTIME_COMPATIBILITY, verdict, advisory=not model.sharded)
