"""What stays the same about a finding when lines move: for baselines, and for services that track findings."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from omec.finding import Finding


def fingerprint(finding: Finding, sources: Mapping[str, str]) -> str:
    """16 hexadecimal digits of rule, file, object and field; findings that differ in less have the same one.

    ``sources`` gives the path from the configuration's folder of each file, which is the same on every machine. No
    line, no column and no message goes in.
    """
    path = sources.get(finding.position.path, finding.position.path)
    parts = (finding.rule.code, path, str(finding.object or ""), finding.field or "")
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def unique_fingerprints(findings: Iterable[Finding], sources: Mapping[str, str]) -> Iterator[str]:
    """The fingerprint of each finding, followed by ``:2``, ``:3``, … where it is not the first with that one."""
    seen: Counter[str] = Counter()
    for finding in findings:
        same = fingerprint(finding, sources)
        seen[same] += 1
        yield same if seen[same] == 1 else f"{same}:{seen[same]}"
