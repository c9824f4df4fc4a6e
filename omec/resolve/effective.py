"""A runtime with everything that it inherits (OME docs: concepts/runtimes/runtime-inheritance)."""

from __future__ import annotations

from typing import Any

import msgspec

from omec.api.gojson import digest
from omec.api.shapes import SERVING_RUNTIME_SPEC, normalise
from omec.catalog import Catalog, Resource
from omec.catalog.copies import listed
from omec.errors import OmecError
from omec.finding import ObjectRef
from omec.resolve.decide import Decision
from omec.resolve.inherit import ChainResolver


class Effective(msgspec.Struct, frozen=True):
    """The merged spec of a runtime as OME encodes it, its chain (root first) and its hash; or why there is none."""

    runtime: ObjectRef
    chain: tuple[ObjectRef, ...]
    spec: dict[str, Any] | None
    hash: str | None
    error: str | None
    reason: str | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "runtime": _named(self.runtime),
            "chain": [_named(ref) for ref in self.chain],
            "spec": self.spec,
            "hash": self.hash,
            "error": self.error,
            "reason": self.reason,
        }


def effective(chains: ChainResolver, runtime: Resource) -> Effective:
    """The effective spec of ``runtime``, with its whole inheritance chain."""
    chain = chains.chain(runtime)
    return Effective(
        runtime=runtime.ref,
        chain=tuple(member.ref for member in chain.runtimes),
        spec=chain.spec,
        hash=chain.hash,
        error=chain.error,
        reason=chain.reason,
    )


def effective_of_service(chains: ChainResolver, decision: Decision) -> Effective:
    """The spec that OME renders for a service: merged for a named runtime, the runtime's own for a selected one.

    Raises :class:`OmecError` with OME's text where the service gets no runtime at all.
    """
    named = decision.named
    if named is not None and named.resource is not None:
        return effective(chains, named.resource)
    runtime = decision.selected
    if runtime is None:
        raise OmecError(decision.error or "the service gets no runtime", hint="see omec explain", code="OME041")
    spec = normalise(SERVING_RUNTIME_SPEC, runtime.spec)
    return Effective(runtime.ref, (runtime.ref,), spec, digest(spec), None, None)


def find_runtime(catalog: Catalog, name: str, namespace: str | None) -> Resource:
    """The runtime a person means by ``name``.

    With a namespace, the ServingRuntime there, then the ClusterServingRuntime; without one, the ClusterServingRuntime,
    then the only ServingRuntime of that name. Raises :class:`OmecError` where there is none, or more than one.
    """
    local = [runtime for runtime in catalog.of_kind("ServingRuntime", namespace) if runtime.name == name]
    cluster = catalog.get("ClusterServingRuntime", name)
    if namespace is not None and local:
        return local[0]
    if cluster is not None:
        return cluster
    if len(local) == 1:
        return local[0]
    if local:
        namespaces = ", ".join(str(runtime.namespace) for runtime in local)
        raise OmecError(
            f"ServingRuntime {name} exists in several namespaces: {namespaces}",
            hint="name the namespace with -n",
            code="OME041",
        )
    raise OmecError(_not_found(catalog, name, namespace), hint=_suggestion(catalog, name), code="OME041")


def _not_found(catalog: Catalog, name: str, namespace: str | None) -> str:
    copies = [ref for ref in catalog.ambiguous if ref.name == name and ref.kind.endswith("ServingRuntime")]
    if copies:
        return f"{copies[0]} is defined more than once: {listed(catalog.ambiguous[copies[0]])}"
    where = f"in namespace {namespace} or at cluster scope" if namespace else "in the repository"
    return f"runtime {name} not found {where}"


def _suggestion(catalog: Catalog, name: str) -> str:
    import difflib  # noqa: PLC0415

    names = {runtime.name for kind in ("ServingRuntime", "ClusterServingRuntime") for runtime in catalog.of_kind(kind)}
    close = difflib.get_close_matches(name, sorted(names), n=3)
    return f"did you mean {' or '.join(close)}?" if close else ""


def _named(ref: ObjectRef) -> dict[str, str | None]:
    return {"name": ref.name, "kind": ref.kind, "namespace": ref.namespace}
