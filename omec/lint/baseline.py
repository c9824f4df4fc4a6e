"""The baseline: findings of an old repository that are accepted for now, so that only new ones fail.

A JSON file, sorted, with one entry for each fingerprint and how often it is accepted. Rule, path and message stand
there for readers; only the fingerprint counts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from omec.errors import OmecError
from omec.finding import Finding, Position
from omec.lint import control_rules as rules
from omec.lint.fingerprint import fingerprint
from omec.repo.settings_file import shown

_VERSION = 1


class Baseline:
    """The accepted findings of the file ``path``; ``entries`` by fingerprint."""

    def __init__(self, path: Path, entries: Mapping[str, Mapping[str, Any]], text: str) -> None:
        self.path = path
        self._entries = entries
        self._text = text

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """Raises :class:`OmecError` where there is no such file, or it is none of omec's."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror.lower() if isinstance(error, OSError) and error.strerror else "not UTF-8"
            raise _unreadable(path, reason) from None
        try:
            content = json.loads(text)
            entries = {entry["fingerprint"]: entry for entry in content["findings"]}
            usable = content["version"] == _VERSION and all(_is_entry(entry) for entry in entries.values())
        except (ValueError, KeyError, TypeError, RecursionError):
            usable = False
        if not usable:
            raise _unreadable(path, "it is no baseline of this omec")
        return cls(path, entries, text)

    def present(self, root: Path) -> Iterator[tuple[str, bool]]:
        """The files that entries are about, each with whether there is one below ``root``."""
        for path in sorted({entry["path"] for entry in self._entries.values()}):
            yield path, (root / path).exists()

    def accepted(
        self, findings: Iterable[Finding], sources: Mapping[str, str], root: Path
    ) -> tuple[list[Finding], list[Finding]]:
        """The ``findings`` that are not accepted, and one about each entry that accepts more than there is.

        An entry about a file that was not read, although it is below ``root``, is left alone: part of the repository
        was asked about.
        """
        left = Counter({key: entry["count"] for key, entry in self._entries.items()})
        kept = []
        for finding in findings:
            key = fingerprint(finding, sources)
            if left[key] > 0:
                left[key] -= 1
            else:
                kept.append(finding)
        read = set(sources.values())
        stale = [
            self._stale(key, count)
            for key, count in left.items()
            if count > 0 and (self._entries[key]["path"] in read or not (root / self._entries[key]["path"]).exists())
        ]
        return kept, stale

    def _stale(self, key: str, count: int) -> Finding:
        entry = self._entries[key]
        line = self._text[: max(self._text.find(key), 0)].count("\n") + 1
        times = "" if count == 1 else f" {count} times"
        message = f"{entry['code']} is accepted{times} in {entry['path']}, but not found: {entry['message']}"
        return Finding(
            rules.STALE_BASELINE, message, Position(shown(self.path), line, 1), help=rules.STALE_BASELINE.remedy
        )


def written(findings: Iterable[Finding], sources: Mapping[str, str]) -> str:
    """The content of a baseline that accepts ``findings``."""
    entries: dict[str, dict[str, Any]] = {}
    for finding in findings:
        key = fingerprint(finding, sources)
        if key in entries:
            entries[key]["count"] += 1
        else:
            path = finding.position.path
            entries[key] = {
                "fingerprint": key,
                "count": 1,
                "code": finding.rule.code,
                "path": sources.get(path, path),
                "object": None if finding.object is None else str(finding.object),
                "field": finding.field,
                "message": finding.message,
            }
    ordered = sorted(entries.values(), key=lambda entry: (entry["path"], entry["code"], entry["fingerprint"]))
    return json.dumps({"version": _VERSION, "findings": ordered}, indent=2, ensure_ascii=False) + "\n"


def _is_entry(entry: Any) -> bool:
    texts = (entry.get(key) for key in ("fingerprint", "code", "path", "message"))
    return all(isinstance(text, str) for text in texts) and isinstance(entry.get("count"), int)


def _unreadable(path: Path, reason: str) -> OmecError:
    return OmecError(
        f"the baseline {shown(path)} cannot be read: {reason}",
        hint="correct the path, or write it with --write-baseline",
        code=rules.BASELINE_UNREADABLE.code,
    )
