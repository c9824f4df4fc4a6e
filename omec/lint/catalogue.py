"""All rules of omec, found where they are defined."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from functools import cache

from omec.finding import Rule
from omec.lint.rules import all_lint_rules

MODULES = (
    "omec.error_rules",
    "omec.repo.config_rules",
    "omec.repo.environment_rules",
    "omec.repo.source_rules",
    "omec.repo.rules",
    "omec.api.rules",
    "omec.catalog.rules",
    "omec.facts.rules",
    "omec.resolve.inherit_rules",
    "omec.resolve.selection_rules",
    "omec.compile.rules",
    "omec.compile.service_rules",
    "omec.compile.repository_rules",
    "omec.compile.output_rules",
    "omec.resolve.quota.rules",
    "omec.compile.kueue.rules",
    "omec.compile.benchmark.rules",
    "omec.resolve.preset_rules",
    "omec.compile.weights_rules",
    "omec.compile.webhook.rules",
    "omec.compile.accel.rules",
    "omec.compile.pairing_rules",
    "omec.compile.custom_schemas.rules",
    "omec.compile.companion_rules",
    "omec.compile.autoscaling.rules",
    "omec.compile.exposure.rules",
    "omec.compile.native.rules",
    "omec.compile.native.mode_rules",
    "omec.compile.native.rollout_rules",
    "omec.compile.provenance.rules",
    "omec.lint.control_rules",
    "omec.runtime_agent.cluster.rules",
    "omec.runtime_agent.process.rules",
    "omec.runtime_agent.cleanup_rules",
    "omec.runtime_agent.doctor.rules",
    "omec.runtime_agent.fetch.rules",
    "omec.runtime_agent.overview.rules",
)
"""The modules whose constants are rules; those of :mod:`omec.lint.rules` come on top.

A module belongs here as soon as a command reaches it.
"""


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


def _defined() -> Iterator[Rule]:
    for module in MODULES:
        yield from (value for value in vars(importlib.import_module(module)).values() if isinstance(value, Rule))
    yield from (lint_rule.rule for lint_rule in all_lint_rules())
