"""The health of the chains of runtimes: ``inheritanceChain`` and the condition ``InheritanceReady`` (reference 02 §7).

The chains are those that ``omec lint`` and ``omec compile`` resolve, by the same code. Every runtime is resolved again
when any of them changes: a change reaches everything below it, at any depth, and a few hundred chains take less time
than one answer of the API server.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from omec.catalog import Catalog, Resource
from omec.repo.document import Document
from omec.resolve.inherit import Chain, ChainResolver
from omec.runtime_agent.status.conditions import Condition, condition, find, timed

Object = dict[str, Any]

INHERITANCE_READY = "InheritanceReady"
RESOLVED = "Resolved"


@dataclass(frozen=True, slots=True)
class ChainStatus:
    """What to apply to the ``status`` of ``runtime``; ``failure`` is the condition where the chain has just broken."""

    runtime: Object
    status: Object
    failure: Condition | None


def changed_chains(runtimes: Iterable[Object], now: str) -> Iterator[ChainStatus]:
    """The runtimes (live objects of both kinds) whose status does not say what is the case now."""
    resources = [_resource(runtime) for runtime in runtimes]
    resolver = ChainResolver(Catalog(resources))
    for resource in resources:
        changed = _changed(resource.body, resolver.chain(resource), now)
        if changed is not None:
            yield changed


def _changed(runtime: Object, chain: Chain, now: str) -> ChainStatus | None:
    status = runtime.get("status") or {}
    wanted = _condition(chain) | {"observedGeneration": runtime["metadata"].get("generation", 0)}
    # A broken chain keeps the last one that was good, so that one sees what is missing.
    names = [member.name for member in chain.runtimes] if chain.error is None else status.get("inheritanceChain")
    before = find(status.get("conditions"), INHERITANCE_READY)
    if status.get("inheritanceChain") == names and before is not None and wanted.items() <= before.items():
        return None
    ready = timed(wanted, status.get("conditions"), now)
    is_news = chain.error is not None and not _says(before, wanted)
    applied: Object = {"conditions": [ready]} | ({"inheritanceChain": names} if names else {})
    return ChainStatus(runtime, applied, ready if is_news else None)


def _condition(chain: Chain) -> Condition:
    if chain.error is None:
        return condition(INHERITANCE_READY, "True", RESOLVED) | {"message": "the inheritance chain is resolved"}
    return condition(INHERITANCE_READY, "False", str(chain.reason), chain.error)


def _says(before: Mapping[str, Any] | None, wanted: Condition) -> bool:
    return before is not None and all(before.get(key) == wanted[key] for key in ("status", "reason", "message"))


def _resource(runtime: Object) -> Resource:
    metadata = runtime["metadata"]
    place = "/".join(filter(None, (runtime["kind"], metadata.get("namespace"), metadata["name"])))
    return Resource(runtime["kind"], metadata.get("namespace"), metadata["name"], Document(place, 0, runtime))
