"""All rules of omec, found where they are defined."""

from __future__ import annotations

import importlib

from omec.finding import Rule

_MODULES = (
    "omec.repo.config_rules",
    "omec.repo.rules",
    "omec.api.rules",
    "omec.catalog.rules",
    "omec.resolve.inherit_rules",
    "omec.resolve.selection_rules",
    "omec.compile.rules",
    "omec.compile.repository_rules",
    "omec.compile.output_rules",
)


def all_rules() -> tuple[Rule, ...]:
    """Every rule, by code."""
    found: dict[str, Rule] = {}
    for name in _MODULES:
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, Rule):
                found[value.code] = value
    return tuple(found[code] for code in sorted(found))
