"""What the configuration makes of findings: which rules report, about what, and how severe they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from omec.finding import Finding, Rule, Severity
from omec.repo.ignore import IgnoreList
from omec.repo.settings_lint import LintConfig, exactness

_LONG = 1_000
_LONGEST = 50_000
"""Reasons why each of hundreds of runtimes is not selected are less."""
_LENGTH_OF_WORD = 100
_LONG_WORD = re.compile(r"\S{300,}")


class Control:
    """The settings of ``[lint]``, applied; ``sources`` gives the path from the configuration's folder of each file.

    Raises :class:`omec.errors.OmecError` for a selector that no rule has, and for a kind that is misspelt.
    """

    def __init__(self, config: LintConfig, sources: Mapping[str, str]) -> None:
        if config != LintConfig():
            from omec.lint.selectors import resolved  # noqa: PLC0415 - imports every module that defines rules

            config = resolved(config)
        self._config = config
        self._sources = sources
        self._globs = [(IgnoreList([glob]), selectors) for glob, selectors in config.per_file_ignores]
        self._enabled: dict[str, bool] = {}
        self._severities: dict[str, Severity] = {}

    def enabled(self, rule: Rule) -> bool:
        """Whether the rule reports anywhere."""
        known = self._enabled.get(rule.code)
        if known is None:
            known = self._enabled[rule.code] = self._config.enabled(rule)
        return known

    def enables(self, code: str, *, default: bool) -> bool:
        """As :meth:`enabled`, for a rule that need not be imported to know that it is off."""
        return self._config.enables(code, default=default)

    def applied(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings of enabled rules, with the severities that the configuration gives, in texts of some length."""
        return (self._weighed(_readable(finding)) for finding in findings if self.enabled(finding.rule))

    def skips(self, finding: Finding) -> bool:
        """Whether nothing is to be said of the object or the file that ``finding`` is about."""
        if finding.object is not None and finding.object.kind in self._config.skip_kinds:
            return True
        path = finding.position.path
        return any(
            exactness(selectors, finding.rule.code) and _within(glob, self._sources.get(path, path))
            for glob, selectors in self._globs
        )

    def _weighed(self, finding: Finding) -> Finding:
        if not self._config.severity:
            return finding
        severity = self._config.severity_of(finding.rule)
        return finding if severity is finding.rule.severity else replace(finding, severity_override=severity)


def _readable(finding: Finding) -> Finding:
    """``finding`` with long values in its texts cut: a manifest may have a megabyte where a name should stand."""
    if len(finding.message) <= _LONG and len(finding.help) <= _LONG:
        return finding
    return replace(finding, message=_cut(finding.message), help=_cut(finding.help))


def _cut(text: str) -> str:
    text = _LONG_WORD.sub(lambda word: f"{word[0][:_LENGTH_OF_WORD]}…", text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _within(glob: IgnoreList, path: str) -> bool:
    """Whether the file at ``path``, or a folder that it lies in, matches."""
    folders = path.split("/")[:-1]
    return bool(glob.decide(path, folder=False)) or any(
        glob.decide("/".join(folders[: depth + 1]), folder=True) for depth in range(len(folders))
    )
