"""``omec rules``: list all rules."""

from __future__ import annotations

from typing import Any

import click

from omec.cli.console import out
from omec.cli.values import print_value
from omec.finding import Rule
from omec.lint.catalogue import all_rules
from omec.lint.documentation import FAMILIES


@click.command(name="rules", short_help="List all rules.")
@click.option(
    "-o", "--format", "format_", type=click.Choice(["text", "json", "yaml"]), default="text", show_default=True
)
def command(format_: str) -> int:
    """List every rule: its code, default severity, whether it is on by default, its name and what it finds."""
    rules = all_rules()
    if format_ != "text":
        print_value({"rules": [_described(rule) for rule in rules]}, format_)
        return 0
    width = max(len(rule.slug) for rule in rules)
    for rule in rules:
        out(f"{rule.code}  {rule.severity.label:<7}  {_state(rule):<7}  {rule.slug:<{width}}  {rule.summary}\n")
    return 0


def _described(rule: Rule) -> dict[str, Any]:
    return {
        "code": rule.code,
        "rule": rule.slug,
        "family": FAMILIES[rule.code[:4]],
        "severity": rule.severity.label,
        "default": rule.default,
        "preview": rule.preview,
        "fixable": rule.fixable,
        "summary": rule.summary,
    }


def _state(rule: Rule) -> str:
    """Whether the rule reports without being asked to."""
    return "preview" if rule.preview else "on" if rule.default else "off"
