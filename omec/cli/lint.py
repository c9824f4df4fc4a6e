"""``omec lint``: check ome.io manifests."""

from __future__ import annotations

import sys
from typing import Any

import click

from omec.cli.console import err, out, paint, wants_color
from omec.cli.options import FAIL_ON, MODELS_ROOT, open_source, source_options, threshold
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE
from omec.finding import Finding, Severity


@click.command(name="lint", short_help="Check ome.io manifests.")
@source_options
@MODELS_ROOT
@click.option("--format", "format_", type=click.Choice(["text", "json", "jsonl"]), default="text", show_default=True)
@click.option("--fail-on", type=FAIL_ON, help="The lowest severity that fails the run (default: error).")
@click.option("-q", "--quiet", is_flag=True, help="No summary and no notes.")
def command(src: tuple[str, ...], format_: str, fail_on: str | None, quiet: bool, **source: Any) -> int:
    """Check the ome.io manifests below SRC (default: source of omec.toml, or the current directory).

    Prints one finding a line as path:line:column, with the reason and how to fix it. A SRC of - reads standard input.
    """
    source.pop("debug")
    repo = open_source(src, **source, fail_on=fail_on)
    result = repo.lint()
    out(_render(result.findings, format_))
    if not quiet and format_ == "text":
        for note in result.notes:
            err(f"note: {note}")
        err(_summary(result.findings, result.files))
    limit = threshold(repo.config.fail_on)
    failed = limit is not None and any(finding.severity >= limit for finding in result.findings)
    if result.incomplete:
        return EXIT_USAGE
    return EXIT_FINDINGS if failed else EXIT_CLEAN


def _render(findings: tuple[Finding, ...], format_: str) -> str:
    from omec.lint.formats import json, jsonl, text  # noqa: PLC0415

    if format_ == "json":
        return json.render(findings)
    if format_ == "jsonl":
        return jsonl.render(findings)
    color = wants_color(sys.stdout)
    return text.render(findings, lambda part, name: paint(part, name, on=color))


def _summary(findings: tuple[Finding, ...], files: int) -> str:
    counts = [
        f"{count} {severity.label}{'s' if count != 1 else ''}"
        for severity in sorted(Severity, reverse=True)
        if (count := sum(finding.severity is severity for finding in findings))
    ]
    return f"{files} file{'s' if files != 1 else ''}: {', '.join(counts) if counts else 'no findings'}"
