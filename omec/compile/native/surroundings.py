"""What the webhook looks up beside an InferenceReplica: services and runtimes (reference 05 §4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from omec.api.gotext import quoted
from omec.catalog import Catalog
from omec.compile.names import RUNTIME_CONFIG
from omec.resolve.inherit import ChainResolver, Reason
from omec.resolve.reference import Reference, find_runtime

if TYPE_CHECKING:
    from omec.compile.native.admission_shape import Fault


class Surroundings(msgspec.Struct, frozen=True):
    """The objects of a repository."""

    catalog: Catalog
    chains: ChainResolver

    def has_service(self, namespace: str, name: str) -> bool:
        return self.catalog.get("InferenceService", name, namespace) is not None


def piece_refusal(surroundings: Surroundings, namespace: str, spec: Mapping[str, Any]) -> Iterator[Fault]:
    """Why a replica with ``spec`` cannot render from the runtime that it names; a missing runtime is admitted."""
    reference = Reference.of({"runtime": spec.get("runtimeRef")}, "runtime")
    runtime = None if reference is None else find_runtime(surroundings.catalog, reference, namespace).resource
    if reference is None or runtime is None:
        return
    chain = surroundings.chains.chain(runtime)
    if chain.reason is Reason.PARENT_NOT_FOUND:
        message = (
            f"runtime {quoted(reference.name)} inherits from {quoted(chain.parent or '')}, which does not exist, so "
            "the runtime cannot be resolved"
        )
        yield ("spec", "runtimeRef", "name"), message
    component = spec.get("component", "")
    config = RUNTIME_CONFIG.get(component)
    if chain.spec is not None and (config is None or chain.spec.get(config) is None):
        message = (
            f"{runtime.kind} {quoted(reference.name)} has no {component} piece; a {component} replica cannot render "
            "from it"
        )
        yield ("spec", "runtimeRef", "name"), message
