"""``omec rules``: list all rules."""

from __future__ import annotations

import click

from omec.cli.console import out
from omec.cli.values import print_value
from omec.lint.catalogue import all_rules


@click.command(name="rules", short_help="List all rules.")
@click.option(
    "-o", "--format", "format_", type=click.Choice(["text", "json", "yaml"]), default="text", show_default=True
)
def command(format_: str) -> int:
    """List every rule: its code, default severity, name and what it finds."""
    rules = all_rules()
    if format_ != "text":
        listed = [
            {"code": rule.code, "rule": rule.slug, "severity": rule.severity.label, "summary": rule.summary}
            for rule in rules
        ]
        print_value({"rules": listed}, format_)
        return 0
    width = max(len(rule.slug) for rule in rules)
    for rule in rules:
        out(f"{rule.code}  {rule.severity.label:<7}  {rule.slug:<{width}}  {rule.summary}\n")
    return 0
