"""Whether lint finds a mutant by the rule meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omec.errors import OmecError
from tests.mutants.fault import Fault, Mutant, mutants
from tests.mutants.world import World, key, lint


@dataclass(frozen=True)
class Verdict:
    """What lint says about a mutant that it does not say about the world without the fault: the codes."""

    mutant: Mutant
    reported: frozenset[str]

    @property
    def found(self) -> bool:
        return bool(self.reported & {*self.mutant.fault.rules})

    @property
    def instead(self) -> frozenset[str]:
        return self.reported - {*self.mutant.fault.rules}


def verdict(mutant: Mutant) -> Verdict:
    """Lint the mutant and compare with its world."""
    try:
        found = lint(mutant.objects, mutant.world.config)
    except OmecError as error:
        return Verdict(mutant, frozenset({error.code}))
    new = {finding.rule.code for finding in found if key(finding) not in mutant.world.findings}
    return Verdict(mutant, frozenset(new))


def judged(faults: Sequence[Fault], worlds: Sequence[World], seed: int, limit: int | None) -> Iterator[Verdict]:
    """The verdicts about at most ``limit`` mutants of each fault."""
    return map(verdict, mutants(faults, worlds, seed, limit))
