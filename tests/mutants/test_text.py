"""Faults of the text are found, whatever the manifest is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.text import TEXT_FAULTS, TextFault, broken_texts, found_in, text_of
from tests.mutants.world import worlds

LIMIT = 2


@pytest.mark.parametrize("fault", TEXT_FAULTS, ids=lambda fault: fault.name)
def test_a_fault_of_the_text_is_found(fault: TextFault, tmp_path: Path) -> None:
    made = list(broken_texts(fault, worlds(), 0, LIMIT))
    assert made
    missed = []
    for world, text in made:
        new = found_in(text, tmp_path, world) - found_in(text_of(world), tmp_path, world)
        if not new & {*fault.rules}:
            missed.append(f"{world.name}: {sorted(new)}")
    assert missed == []
