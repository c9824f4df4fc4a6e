"""Answers about the objects of one compiled repository."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec

from omec.compile.layout import OutputObject, identity
from omec.compile.provenance.answer import FieldAnswer, Origin
from omec.compile.provenance.bench import Bench, ServiceBench
from omec.compile.provenance.citations import made, own
from omec.compile.provenance.experiments import Effect, How, Laboratory, Leaf, alike, all_effects
from omec.compile.provenance.overrides import Loser, overridden
from omec.compile.provenance.repository_bench import CopyBench, RepositoryBench
from omec.compile.provenance.settings_sources import SettingsSources
from omec.compile.provenance.source import Role, Spot
from omec.compile.provenance.values import at, leaves
from omec.compile.result import Compilation
from omec.finding import FieldPath
from omec.repo.config import Config
from omec.repo.document import Document
from omec.resolve.decide import Decider

_MOST_CONDITIONS = 4


class _Findings(msgspec.Struct, frozen=True):
    """All that the experiments on one bench tell."""

    laboratory: Laboratory
    effects: dict[Leaf, list[Effect]]

    def number(self, body: dict[str, Any]) -> int:
        wanted = identity(body)
        return next(i for i, other in enumerate(self.laboratory.objects) if identity(other) == wanted)


class Asker:
    """Knows where the fields of the objects of ``compilation`` come from; each service is experimented on once."""

    def __init__(self, decider: Decider, config: Config, others: Sequence[Document], compilation: Compilation) -> None:
        self._decider = decider
        self.config = config
        self.compilation = compilation
        self._settings = SettingsSources(config, others)
        self._known: dict[object, _Findings] = {}

    def leaves(self, item: OutputObject, field: FieldPath = (), *, overrides: bool = True) -> Iterator[FieldAnswer]:
        """The answer for every leaf at or below ``field`` of ``item``; without ``overrides`` only its origins."""
        findings = self._findings(item)
        number = findings.number(item.body)
        for rest, value in leaves(at(item.body, field)):
            yield self._leaf(findings, (number, (*field, *rest)), item.body, value, overrides=overrides)

    def laboratories(self) -> list[Laboratory]:
        """Those that were needed so far."""
        return [findings.laboratory for findings in self._known.values()]

    def _leaf(
        self, findings: _Findings, leaf: Leaf, body: dict[str, Any], value: Any, *, overrides: bool
    ) -> FieldAnswer:
        laboratory, path = findings.laboratory, leaf[1]
        effects = findings.effects.get(leaf, [])
        following = [effect for effect in effects if effect.how <= How.DERIVED]
        conditions = [effect for effect in effects if effect.how > How.DERIVED]
        kind = body["kind"]
        if following:
            first = following[0]
            rule = None if first.how is How.COPY and alike(first.spot.path, path) else made(kind, path, body)
            following = following[:1] if first.how is How.COPY else following
            conditions = []
        else:
            rule = own(kind, path, body, [effect.spot.field for effect in conditions])
        lost = overridden(laboratory, leaf, following[0]) if overrides and following else ()
        return FieldAnswer(
            path,
            value,
            tuple(_origin(laboratory, effect.spot, effect.how) for effect in following),
            rule,
            tuple(_origin(laboratory, effect.spot, effect.how) for effect in conditions[:_MOST_CONDITIONS]),
            tuple(_lost(loser) for loser in lost),
        )

    def _findings(self, item: OutputObject) -> _Findings:
        bench_name, make = self._bench(item)
        if bench_name not in self._known:
            laboratory = Laboratory(make())
            self._known[bench_name] = _Findings(laboratory, all_effects(laboratory))
        return self._known[bench_name]

    def _bench(self, item: OutputObject) -> tuple[object, Any]:
        """The experiments that tell about ``item``, under the name that all objects of one bench share."""
        decider, settings, owner = self._decider, self._settings, item.owner
        number = self._services.get(identity(item.body))
        if number is not None:
            decision = self.compilation.services[number].decision
            return number, lambda: _service_bench(decision, decider, settings)
        if (
            item.body["kind"] == owner.kind
            and item.body["metadata"]["name"] == owner.name
            and owner.kind != "BenchmarkJob"
        ):
            return owner, lambda: CopyBench(owner, settings)
        return owner.ref, lambda: RepositoryBench(owner, decider, settings)

    @cached_property
    def _services(self) -> dict[object, int]:
        """The service that each object is rendered from, by its number."""
        found: dict[object, int] = {}
        for number, compiled in enumerate(self.compilation.services):
            for body in (*compiled.objects, *(item.body for item in compiled.shared)):
                found.setdefault(identity(body), number)
        return found


def _service_bench(decision: Any, decider: Decider, settings: SettingsSources) -> Bench:
    if decision.selected is None:
        return RepositoryBench(decision.service, decider, settings)  # one that stands in front of replicas
    return ServiceBench(decision, decider.catalog, settings)


def _origin(laboratory: Laboratory, spot: Spot, how: How) -> Origin:
    return _place(spot, at(laboratory.value(spot.source), spot.path), how)


def _lost(loser: Loser) -> Origin:
    if loser.spot is None:
        return Origin(Role.OME, "OME", (), loser.value, None)
    return _place(loser.spot, loser.value, How.COPY)


def _place(spot: Spot, value: Any, how: How) -> Origin:
    source = spot.source
    role = source.role_of(spot.path)
    return Origin(role, source.name, spot.path, value, source.position(spot.path), how, source.written)
