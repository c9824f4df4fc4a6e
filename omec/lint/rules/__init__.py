"""The rules that only ``omec lint`` has: about manifests that OME takes, and that do not do what they seem to say.

One module a rule: ``RULE`` is its documentation, ``check(context)`` yields its faults. The tables below name the
modules by code, so that a rule that is switched off is not even imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from omec.finding import Rule

if TYPE_CHECKING:
    from omec.lint.context import Context, Fault

DEFAULT: dict[str, str] = {
    "OME330": "selection.version_operator_limit",
}
"""Rules that report unless the configuration switches them off: the module below this package by code."""

ON_REQUEST: dict[str, str] = {}
"""Rules that report only where ``select`` names them, because they are true of many sound repositories."""


class LintRule(NamedTuple):
    """A rule with what finds it."""

    rule: Rule
    check: Callable[[Context], Iterable[Fault]]


def load(code: str) -> LintRule:
    """The rule with this code; raises :class:`KeyError` where no module of this package has it."""
    module = import_module(f"{__name__}.{DEFAULT.get(code) or ON_REQUEST[code]}")
    return LintRule(module.RULE, module.check)


def all_lint_rules() -> Iterator[LintRule]:
    """Every rule of this package, by code."""
    yield from map(load, sorted(DEFAULT | ON_REQUEST))
