"""Run the rules of :mod:`omec.lint.rules` over a repository."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from omec.finding import Finding, field_text
from omec.lint.context import Context, Fault
from omec.lint.control import Control
from omec.lint.guard import guarded
from omec.lint.rules import DEFAULT, ON_REQUEST, POLICIES, LintRule, load


def rule_findings(context: Context, control: Control) -> Iterator[Finding]:
    """The findings of the rules that the configuration leaves on.

    A field of a parent is seen through every child that inherits it: a rule may find one place again and again.
    """
    for code in (*DEFAULT, *ON_REQUEST, *(POLICIES if context.config.policy else ())):
        if control.enables(code, default=code not in ON_REQUEST):
            yield from guarded(code, partial(_findings, code, context))


def _findings(code: str, context: Context) -> Iterator[Finding]:
    lint_rule = load(code)
    for fault in lint_rule.check(context):
        yield _finding(lint_rule, fault)


def _finding(lint_rule: LintRule, fault: Fault) -> Finding:
    return Finding(
        rule=lint_rule.rule,
        message=fault.message,
        position=fault.resource.locate(fault.field, key=fault.key),
        object=fault.resource.ref,
        field=field_text(fault.field) or None,
        help=fault.help or lint_rule.rule.remedy,
        related=fault.related,
    )
