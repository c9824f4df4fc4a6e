"""The findings that a change of some files can be about, out of those of the whole repository."""

from __future__ import annotations

import os
from collections.abc import Iterable

from msgspec.structs import replace

from omec.facts.lock import LOCK_NAME
from omec.finding import Finding
from omec.lint.result import LintResult
from omec.repo.config import Config


def touching(result: LintResult, files: Iterable[str], config: Config) -> LintResult:
    """``result`` without the findings that have no place in ``files``.

    A place is where a finding stands, and every further one that it names: a parent that is changed can break a child
    in a file that is not. Findings about no file stay, and all stay where the configuration or omec.lock is among the
    files, because everything hangs on those.
    """
    paths = {os.path.realpath(file) for file in files}
    if paths & {os.path.realpath(path) for path in (config.path, config.root / LOCK_NAME) if path is not None}:
        return result
    findings = tuple(finding for finding in result.findings if not finding.position.line or _touches(finding, paths))
    return replace(result, findings=findings)


def _touches(finding: Finding, paths: set[str]) -> bool:
    places = (finding.position, *(related.position for related in finding.related))
    return any(os.path.realpath(place.path) in paths for place in places)
