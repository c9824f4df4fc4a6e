"""The runtimes of a catalog as candidates of automatic selection, found by what they are for.

A catalog holds hundreds of runtimes, of which a handful are for one architecture. Only those are judged until somebody
asks what became of all.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from functools import cached_property

from omec.api.kinds import RUNTIME_KINDS
from omec.catalog import Catalog, Resource
from omec.finding import ObjectRef
from omec.resolve.facts import ModelFacts
from omec.resolve.match import Demands, Fit, RuntimeMatcher, RuntimeVerdict
from omec.resolve.memory import Memory
from omec.resolve.ranking import best, rank, scope_and_name

LATEST_VERDICTS = 64
"""Services of one model tend to be asked about together; the verdicts of all models would fill the memory."""


def matcher_of(runtime: Resource) -> RuntimeMatcher:
    """``runtime`` as automatic selection sees it."""
    return RuntimeMatcher(runtime, runtime.spec)


class Candidates:
    """The runtimes of a catalog, each parsed once for automatic selection: its own stored spec, nothing inherited.

    They are parsed when somebody asks for a choice among them. ``memo`` keeps small answers about them for those who
    ask again.
    """

    def __init__(self, catalog: Catalog, matcher_of: Callable[[Resource], RuntimeMatcher] = matcher_of) -> None:
        self.memo = Memory()
        self._catalog = catalog
        self._matcher_of = matcher_of

    @cached_property
    def _unique(self) -> _Scopes:
        runtimes = (runtime for kind in RUNTIME_KINDS for runtime in self._catalog.of_kind(kind))
        return _Scopes(map(self._matcher_of, runtimes))

    @cached_property
    def _ambiguous(self) -> _Scopes:
        ambiguous = self._catalog.ambiguous.items()
        return _Scopes(self._matcher_of(copy) for ref, same in ambiguous if ref.kind in RUNTIME_KINDS for copy in same)

    def visible_from(self, namespace: str) -> Pool:
        """The ServingRuntimes of ``namespace`` and the ClusterServingRuntimes."""
        return self._unique.visible_from(namespace)

    def ambiguous_from(self, namespace: str) -> Pool:
        """As :meth:`visible_from`, for the runtimes that are defined more than once: every copy."""
        return self._ambiguous.visible_from(namespace)

    @property
    def matchers(self) -> Iterator[RuntimeMatcher]:
        """Every runtime but those that are defined more than once: the cluster's first, each by name."""
        return self._unique.matchers

    def among(self, refs: Container[ObjectRef]) -> Iterator[RuntimeMatcher]:
        """As :attr:`matchers`, only those of the runtimes ``refs``."""
        return (matcher for matcher in self.matchers if matcher.resource.ref in refs)

    def scope(self, namespace: str) -> str | None:
        """``namespace``, or ``None`` where it sees nothing but the cluster's runtimes, as most others do."""
        return self._unique.scope(namespace)


class _Scopes:
    """Runtimes by the namespaces that see them."""

    def __init__(self, matchers: Iterable[RuntimeMatcher]) -> None:
        self._by_namespace: dict[str | None, list[RuntimeMatcher]] = {None: []}
        for matcher in matchers:
            self._by_namespace.setdefault(matcher.resource.namespace, []).append(matcher)
        self._pools = Memory()

    def scope(self, namespace: str) -> str | None:
        return namespace if namespace in self._by_namespace else None

    @property
    def matchers(self) -> Iterator[RuntimeMatcher]:
        return (matcher for matchers in self._by_namespace.values() for matcher in matchers)

    def visible_from(self, namespace: str) -> Pool:
        return self._pools(self.scope(namespace), lambda: self._pool(self.scope(namespace)))

    def _pool(self, scope: str | None) -> Pool:
        own = [] if scope is None else self._by_namespace[scope]
        return Pool([*own, *self._by_namespace[None]])


class Pool:
    """Runtimes among which OME chooses: those of a namespace, then those of the cluster, each by name."""

    def __init__(self, runtimes: Iterable[RuntimeMatcher]) -> None:
        self.runtimes = tuple(sorted(runtimes, key=scope_and_name))
        self.namespaced = sum(runtime.namespaced for runtime in self.runtimes)
        self._serving = Memory()
        self._verdicts = Memory(LATEST_VERDICTS)

    @cached_property
    def _by_architecture(self) -> dict[str | None, list[RuntimeMatcher]]:
        found: dict[str | None, list[RuntimeMatcher]] = {}
        for runtime in self.runtimes:
            for architecture in dict.fromkeys(entry.architecture for entry in runtime.entries):
                found.setdefault(architecture, []).append(runtime)
        return found

    def made_for(self, architecture: str | None) -> list[RuntimeMatcher]:
        """The runtimes with an entry for exactly ``architecture``: only these can serve a model of it."""
        return self._by_architecture.get(architecture, [])

    def fits(self, model: ModelFacts, demands: Demands) -> list[Fit]:
        """The runtimes that serve ``model`` for some size."""
        return [
            fit
            for runtime in self.made_for(model.architecture)
            if runtime.refusal(demands) is None and (fit := runtime.fit(model)) is not None
        ]

    def verdicts(self, model: ModelFacts, demands: Demands) -> Verdicts:
        """What becomes of every runtime."""
        serving = self._serving((model.unsized_key, demands), lambda: self.fits(model, demands))
        question = (model.unsized_key, model.size, demands)
        return self._verdicts(question, lambda: Verdicts(self, model, demands, serving))


class Verdicts:
    """What becomes of the runtimes of a pool for one model and one set of demands, worked out as far as it is asked.

    ``ranking`` holds the runtimes that may be chosen, best first; ``skipped`` those that serve the model but are not
    selectable, ``excluded`` those that fail a check, both in the order of the pool.
    """

    def __init__(self, pool: Pool, model: ModelFacts, demands: Demands, fits: Iterable[Fit]) -> None:
        self.pool = pool
        self._model = model
        self._demands = demands
        verdicts = (fit.verdict(model, demands) for fit in fits)
        self._serving = tuple(verdict for verdict in verdicts if verdict.compatible)

    @cached_property
    def selected(self) -> RuntimeVerdict | None:
        return best(verdict for verdict in self._serving if verdict.auto_selectable)

    @cached_property
    def ranking(self) -> tuple[RuntimeVerdict, ...]:
        return tuple(rank(verdict for verdict in self._serving if verdict.auto_selectable))

    @property
    def skipped(self) -> tuple[RuntimeVerdict, ...]:
        return tuple(verdict for verdict in self._serving if not verdict.auto_selectable)

    @cached_property
    def excluded(self) -> tuple[RuntimeVerdict, ...]:
        return tuple(self._excluded(self.pool.runtimes))

    @property
    def all(self) -> tuple[RuntimeVerdict, ...]:
        """Every runtime: those that may be chosen, best first, then the skipped, then the excluded ones."""
        return self.ranking + self.skipped + self.excluded

    @property
    def excluded_count(self) -> int:
        return len(self.pool.runtimes) - len(self._serving)

    def excluded_nearby(self) -> Iterator[RuntimeVerdict]:
        """The excluded runtimes that are not made for other architectures only."""
        architecture = self._model.architecture
        if architecture is None:
            return self._excluded(self.pool.runtimes)
        return self._excluded(dict.fromkeys([*self.pool.made_for(architecture), *self.pool.made_for(None)]))

    def _excluded(self, runtimes: Iterable[RuntimeMatcher]) -> Iterator[RuntimeVerdict]:
        verdicts = (runtime.verdict(self._model, self._demands) for runtime in runtimes)
        return (verdict for verdict in verdicts if not verdict.compatible)
