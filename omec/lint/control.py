"""What the configuration makes of findings: which rules report, and how severe they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from omec.errors import OmecError
from omec.finding import Finding
from omec.repo.settings_tables import LintConfig


def controlled(findings: Iterable[Finding], config: LintConfig) -> Iterator[Finding]:
    """The findings of enabled rules, with the severities that the configuration gives.

    Raises :class:`OmecError` for a code in the configuration that no rule has.
    """
    _require_known(config)
    severities = dict(config.severity)
    for finding in findings:
        if not config.enabled(finding.rule.code):
            continue
        wanted = severities.get(finding.rule.code)
        yield finding if wanted is None else replace(finding, severity_override=wanted)


def _require_known(config: LintConfig) -> None:
    named = [*config.select, *config.ignore, *(code for code, _ in config.severity)]
    if not named:
        return
    from omec.lint.catalogue import all_rules  # noqa: PLC0415 - imports every module that defines rules

    codes = [rule.code for rule in all_rules()]
    for code in named:
        if not any(known.startswith(code) for known in codes):
            raise OmecError(f"lint: no rule has the code {code}", hint="omec rules lists all of them", code="OME013")
