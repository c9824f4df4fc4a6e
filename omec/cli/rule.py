"""``omec rule``: the documentation of one rule."""

from __future__ import annotations

import difflib

import click

from omec.cli.console import out
from omec.errors import OmecError
from omec.lint.catalogue import all_rules
from omec.lint.documentation import page


@click.command(name="rule", short_help="Show the documentation of one rule.")
@click.argument("code", metavar="CODE")
def command(code: str) -> int:
    """Show what rule CODE (OME123, or its name) finds, why it matters and how to fix it."""
    rules = all_rules()
    for rule in rules:
        if code.upper() == rule.code or code == rule.slug:
            out(page(rule))
            return 0
    names = [name for rule in rules for name in (rule.code, rule.slug)]
    close = difflib.get_close_matches(code, names, n=1)
    raise OmecError(
        f"no rule is called {code}",
        hint=f"did you mean {close[0]}?" if close else "omec rules lists all of them",
        code="OME002",
    )
