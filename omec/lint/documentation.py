"""The documentation of a rule as Markdown, for ``omec rule`` and for ``docs/rules``."""

from __future__ import annotations

from omec.finding import Rule


def page(rule: Rule) -> str:
    """The page of one rule: what it finds, why it matters, bad and good example, how to fix it, where it comes from."""
    parts = [
        f"# {rule.code} {rule.slug}",
        f"Severity: {rule.severity.label}",
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
