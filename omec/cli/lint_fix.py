"""``omec lint --fix`` and ``--diff``: mend what rules find, or show how."""

from __future__ import annotations

from collections.abc import Callable

from omec.cli.console import err, out
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE
from omec.lint.fix import Fixes
from omec.lint.result import LintResult

_MOST_ROUNDS = 5
"""A fix can bring a fault to light that hid behind it (a field that was misspelt has a wrong value, too)."""


def show(result: LintResult, *, unsafe: bool, quiet: bool) -> int:
    """Print what :func:`mend` would change at first; the command's exit code."""
    fixes = Fixes.of(result.findings, result.texts, unsafe=unsafe)
    for file in fixes.files:
        out(file.diff())
    if not quiet:
        count = sum(len(file.findings) for file in fixes.files)
        err(f"{_findings(count)} can be fixed{_further(fixes)}")
    if result.incomplete:
        return EXIT_USAGE
    return EXIT_FINDINGS if fixes.files else EXIT_CLEAN


def mend(result: LintResult, again: Callable[[], LintResult], *, unsafe: bool, quiet: bool) -> LintResult:
    """Write the fixes for ``result``; what ``again`` finds afterwards.

    Raises :class:`omec.errors.OmecError` for a file that cannot be written; those before it have their fixes.
    """
    count = 0
    fixes = Fixes.of(result.findings, result.texts, unsafe=unsafe)
    for _ in range(_MOST_ROUNDS):
        if not fixes.files:
            break
        for file in fixes.files:
            file.write()
            count += len(file.findings)
        result = again()
        fixes = Fixes.of(result.findings, result.texts, unsafe=unsafe)
    if not quiet:
        err(f"{_findings(count)} fixed{_further(fixes)}")
    return result


def _further(fixes: Fixes) -> str:
    parts = []
    if fixes.unsafe:
        parts.append(f"{len(fixes.unsafe)} more with --unsafe-fixes")
    if fixes.left:
        parts.append(f"{len(fixes.left)} to be fixed by hand")
    return f" ({', '.join(parts)})" if parts else ""


def _findings(count: int) -> str:
    return f"{count} finding{'' if count == 1 else 's'}"
