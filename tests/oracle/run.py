"""Judging whole oracle files."""

from __future__ import annotations

import gzip
import importlib
import json
import pkgutil
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

import tests.oracle
from tests.oracle.interface import Answer, Judge, Row

HERE = Path(__file__).parent
LOCAL_DATA = HERE / "data"
"""Oracle rows that need no other data, kept with the tests so that every checkout judges them."""


@dataclass(slots=True)
class Tally:
    """How often the judged answers of one name agreed."""

    agreed: int = 0
    judged: int = 0


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One answer that differs from the expected one."""

    row: str
    answer: str
    expected: Any
    actual: Any

    def __str__(self) -> str:
        return f"{self.row} {self.answer}\n  expected: {_short(self.expected)}\n  actual:   {_short(self.actual)}"


@dataclass(slots=True)
class Report:
    """What judging came to. ``tallies`` is keyed by kind and answer name."""

    rows: int = 0
    tallies: dict[tuple[str, str], Tally] = field(default_factory=dict)
    disagreements: list[Disagreement] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)

    def add(self, row: Row, kind: str, answers: dict[str, Answer]) -> None:
        self.rows += 1
        for name, answer in answers.items():
            if answer.skipped:
                self.skip(f"{kind} {name}: {answer.skipped}")
                continue
            tally = self.tallies.setdefault((kind, name), Tally())
            tally.judged += 1
            if answer.agrees:
                tally.agreed += 1
            else:
                self.disagreements.append(Disagreement(row_id(row), name, answer.expected, answer.actual))

    def skip(self, reason: str) -> None:
        self.skipped[reason] = self.skipped.get(reason, 0) + 1


def judge_rows(rows: Iterable[Row], data: Path | None, *, marked: bool = False) -> Report:
    """Judge ``rows``, each with the first judge that accepts it; a judge that raises has every answer wrong.

    Rows with objects that the API server would refuse are judged only with ``marked``: OME never sees such objects.
    """
    report = Report()
    disputes = disputed()
    for row in rows:
        if row.get("crdInvalid") and not marked:
            report.skip("marked crdInvalid")
            continue
        if row_id(row) in disputes:
            report.skip(f"disputed: {disputes[row_id(row)]}")
            continue
        judge = next((judge for judge in judges() if judge.accepts(row)), None)
        if judge is None:
            report.skip("no judge for rows of this form")
            continue
        try:
            answers = judge.judge(row, data)
        except Exception as error:  # a crash on one row is a wrong answer, not the end of the run
            answers = {"answered": Answer("an answer", f"{type(error).__name__}: {error}")}
        report.add(row, judge.KIND, answers)
    return report


def read_rows(file: Path) -> Iterator[Row]:
    """The rows of a JSON Lines file; ``.gz`` files are unpacked."""
    content = file.read_bytes()
    text = gzip.decompress(content) if file.suffix == ".gz" else content
    for line in text.splitlines():
        if line.strip():
            yield json.loads(line)


def row_id(row: Row) -> str:
    return str(row.get("id", "?"))


@cache
def judges() -> tuple[Judge, ...]:
    """The judge modules of this package, in the order of their names."""
    modules = (
        importlib.import_module(f"tests.oracle.{info.name}")
        for info in sorted(pkgutil.iter_modules(tests.oracle.__path__), key=lambda info: info.name)
        if info.name != "__main__" and not info.name.startswith("test_")
    )
    return tuple(
        cast(Judge, module) for module in modules if all(hasattr(module, name) for name in ("KIND", "accepts", "judge"))
    )


@cache
def disputed() -> dict[str, str]:
    """Row ids that are not judged, with the reason."""
    return tomllib.loads((HERE / "disputed.toml").read_text(encoding="utf-8"))


def _short(value: Any, limit: int = 2000) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
