"""What changes nothing changes no finding, be the manifests in order or broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from omec.finding import Finding
from tests.conftest import require_external_data
from tests.mutants.fault import mutants
from tests.mutants.faults import all_faults
from tests.mutants.place import Object
from tests.mutants.variation import VARIATIONS, Variation, varied
from tests.mutants.world import World, lint, worlds

SAMPLE = 25
"""Mutants and worlds of a run, for each variation."""


Told = Counter[tuple[str, str]]
Subject = tuple[str, list[Object], World, Told]


@pytest.fixture(scope="module")
def subjects() -> list[Subject]:
    require_external_data()
    known = worlds()
    broken = [(m.name, m.objects, m.world) for m in mutants(all_faults(), known, seed=0, limit=1)]
    chosen = Random(0).sample([*broken, *((world.name, list(world.objects), world) for world in known)], SAMPLE)
    return [(label, objects, world, told(lint(objects, world.config))) for label, objects, world in chosen]


def told(findings: tuple[Finding, ...], name: Callable[[str], str] = str) -> Told:
    """The rules, with the object that each is about."""
    return Counter((f.rule.code, name(f.object.name) if f.object else "") for f in findings)


@pytest.mark.parametrize("change", VARIATIONS, ids=lambda change: change.__name__)
def test_what_changes_nothing(change: Variation, subjects: list[Subject]) -> None:
    differences = []
    for label, objects, world, before in subjects:
        changed, back = varied(objects, change, Random(label))
        after = told(lint(changed, world.config), back)
        if before != after:
            differences.append(f"{label}: lost {dict(before - after)}, new {dict(after - before)}")
    assert differences == []
