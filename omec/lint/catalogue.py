"""All rules of omec, found where they are defined."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from omec.finding import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by code; raises :class:`ValueError` where two rules share a code or a slug."""
    return catalogue(_defined())


def catalogue(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """``rules`` by code, each once.

    Raises :class:`ValueError` where two of them share a code or a slug: both are promises to users, who write them
    into their configuration.
    """
    known: dict[str, Rule] = {}
    for rule in rules:
        for name in (rule.code, rule.slug):
            if known.setdefault(name, rule) is not rule:
                raise ValueError(f"{name} is the name of two rules: {known[name].summary!r} and {rule.summary!r}")
    return tuple(sorted({id(rule): rule for rule in known.values()}.values(), key=lambda rule: rule.code))


def rule_modules() -> list[str]:
    """The modules whose constants are the rules: by convention, all that are called ``rules`` or ``SOMETHING_rules``.

    The commands lie above this layer, so they can have none.
    """
    root = Path(__file__).parents[1]
    modules = (".".join(("omec", *path.relative_to(root).with_suffix("").parts)) for path in root.rglob("*rules.py"))
    return sorted(module for module in modules if not module.startswith("omec.cli."))


def _defined() -> Iterator[Rule]:
    for module in rule_modules():
        yield from (value for value in vars(importlib.import_module(module)).values() if isinstance(value, Rule))
