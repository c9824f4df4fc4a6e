"""The documentation of the rules as Markdown: for ``omec rule``, and for ``docs/rules``."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from omec.finding import Rule

GENERATED = "<!-- Generated from the code by python -m schemas.build_rules. Do not edit. -->"

FAMILIES = {
    "OME0": "Internal, configuration, output",
    "OME1": "YAML, structure, API fields",
    "OME2": "References, inheritance",
    "OME3": "Selection, models, facts",
    "OME4": "Containers, engines",
    "OME5": "Services, scaling, exposure",
    "OME6": "Accelerators",
    "OME7": "Weights, agent",
    "OME8": "Security",
    "OME9": "Hygiene",
}
"""What the first digit of a code means."""

_INTRODUCTION = f"""{GENERATED}

# Rules

Codes and names are stable for good: `select`, `ignore` and `severity` of [omec.toml](../configuration.md) take
both, and beginnings of codes. `omec rule CODE` prints a page of this folder, `omec rules` this list.

A finding of severity error means that the cluster would refuse the object, or that OME would not do what it says; it
makes `omec lint` fail, and a service that it concerns is not compiled. Most errors of the first family are about no
manifest: they end the command."""


def pages(rules: Iterable[Rule]) -> dict[str, str]:
    """The files of ``docs/rules``: name and content."""
    ordered = sorted(rules, key=lambda rule: rule.code)
    texts = {f"{rule.code}.md": f"{GENERATED}\n\n{page(rule)}" for rule in ordered}
    return {"README.md": _list(ordered), **texts}


def page(rule: Rule) -> str:
    """The page of one rule: what it finds, why it matters, bad and good example, how to fix it, where it comes from."""
    parts = [
        f"# {rule.code} {rule.slug}",
        _severity(rule),
        f"## What it finds\n\n{rule.summary}.",
    ]
    if rule.why:
        parts.append(f"## Why it matters\n\n{rule.why}")
    if rule.bad:
        parts.append(f"## Example\n\n```yaml\n{rule.bad.rstrip()}\n```")
    if rule.good:
        parts.append(f"## Use instead\n\n```yaml\n{rule.good.rstrip()}\n```")
    if rule.fix:
        parts.append(f"## How to fix it\n\n{rule.fix}")
    if rule.source:
        parts.append(f"## Source\n\n{rule.source}")
    return "\n\n".join(parts) + "\n"


def _severity(rule: Rule) -> str:
    notes = [
        "off by default" if not rule.default else "",
        "in preview" if rule.preview else "",
        "`--fix` mends it" if rule.fixable else "",
    ]
    return ", ".join([f"Severity: {rule.severity.label}", *filter(None, notes)])


def _list(rules: list[Rule]) -> str:
    """All rules as one table a family, in the order of codes."""
    parts = [_INTRODUCTION]
    for family, members in groupby(rules, key=lambda rule: rule.code[:4]):
        rows = "\n".join(_row(rule) for rule in members)
        parts.append(f"## {family}xx: {FAMILIES[family]}")
        parts.append(f"| Code | Name | Severity | What it finds |\n|---|---|---|---|\n{rows}")
    return "\n\n".join(parts) + "\n"


def _row(rule: Rule) -> str:
    summary = rule.summary.replace("|", "\\|")
    return f"| [{rule.code}]({rule.code}.md) | {rule.slug} | {_brief(rule)} | {summary} |"


def _brief(rule: Rule) -> str:
    state = "" if rule.default and not rule.preview else " (preview)" if rule.preview else " (off)"
    return f"{rule.severity.label}{state}"
