"""All faults, family by family."""

from __future__ import annotations

import importlib
from pathlib import Path

from tests.mutants.fault import FAULTS, Fault


def all_faults() -> list[Fault]:
    """Every fault of this package's modules, in the order of modules and definitions."""
    for file in sorted(Path(__file__).parent.glob("*.py")):
        if file.stem != "__init__":
            importlib.import_module(f"{__name__}.{file.stem}")
    return FAULTS
