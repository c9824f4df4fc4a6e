"""The bars: which process is measured against which, and how much it may cost."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Literal

from benchmarks.corpus import Corpus
from benchmarks.process import Sample, measure

Clock = Literal["wall", "cpu"]

PARSE_ONLY = """
import sys, yaml
for path in sys.argv[1:]:
    try:
        with open(path, "rb") as stream:
            for document in yaml.load_all(stream, yaml.CSafeLoader):
                pass
    except yaml.YAMLError:
        pass
"""
"""All that the reference process does: the broken files of the corpus are skipped."""

PARSE_BELOW = PARSE_ONLY.replace("import sys, yaml", "import glob, sys, yaml").replace(
    "sys.argv[1:]", "glob.glob(sys.argv[1] + '/**/*.yaml', recursive=True)"
)
"""The same for a folder, whose files are too many for a command line."""

MEGABYTE = 1_000_000
ADEQUATE_RUNS = (0, 1)
"""Exit codes of a command that did its work: the corpus has true findings."""


@dataclass(slots=True)
class Bar:
    """One command and its limits: ``factor`` times the reference plus ``allowance`` seconds, ``memory`` bytes."""

    name: str
    command: Callable[[], list[str]]
    reference_name: str
    reference: list[str]
    factor: float
    allowance: float = 0.0
    memory: int | None = None
    exit_codes: tuple[int, ...] = (0,)
    samples: list[tuple[Sample, Sample]] = field(default_factory=list)

    def run(self, env: Mapping[str, str]) -> None:
        """Measure command and reference once, one after the other, so that both meet the same machine."""
        reference = measure(self.reference, (0,), env)
        self.samples.append((measure(self.command(), self.exit_codes, env), reference))

    def result(self, clock: Clock) -> Result:
        pairs = [(getattr(own, clock), getattr(other, clock)) for own, other in self.samples]
        return Result(
            bar=self,
            seconds=median(own for own, _ in pairs),
            reference=median(other for _, other in pairs),
            ratio=median(own / other for own, other in pairs),
            judged=median((own - self.allowance) / other for own, other in pairs),
            peak=max(own.memory for own, _ in self.samples),
        )


@dataclass(frozen=True, slots=True)
class Result:
    """Medians of one bar. ``judged`` is the ratio with the allowance taken off, ``peak`` the largest resident set."""

    bar: Bar
    seconds: float
    reference: float
    ratio: float
    judged: float
    peak: int

    @property
    def fast_enough(self) -> bool:
        return self.judged <= self.bar.factor

    @property
    def small_enough(self) -> bool:
        return self.bar.memory is None or self.peak < self.bar.memory

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.bar.name,
            "seconds": round(self.seconds, 4),
            "reference": self.bar.reference_name,
            "referenceSeconds": round(self.reference, 4),
            "ratio": round(self.ratio, 3),
            "limit": self.bar.factor,
            "allowanceSeconds": self.bar.allowance,
            "peakBytes": self.peak,
            "peakLimitBytes": self.bar.memory,
            "met": self.fast_enough and self.small_enough,
        }


def bars(corpus: Corpus, scratch: Path) -> Iterator[Bar]:
    """The bars of the project, with output in ``scratch``."""
    omec = [sys.executable, "-m", "omec"]
    folders = [str(folder) for folder in corpus.folders]
    parse = [sys.executable, "-c", PARSE_ONLY, *map(str, corpus.files)]
    yield Bar(
        name="omec --version",
        command=lambda: [*omec, "--version"],
        reference_name="python -c pass",
        reference=[sys.executable, "-c", "pass"],
        factor=1.5,
        allowance=0.060,
    )
    yield Bar(
        name="omec lint",
        command=lambda: [*omec, "lint", "--no-cache", *folders],
        reference_name="yaml.load_all",
        reference=parse,
        factor=2.5,
        memory=150 * MEGABYTE,
        exit_codes=ADEQUATE_RUNS,
    )
    yield Bar(
        name="omec lint, cached",
        command=lambda: [*omec, "lint", *folders],
        reference_name="yaml.load_all",
        reference=parse,
        factor=1.0,
        memory=150 * MEGABYTE,
        exit_codes=ADEQUATE_RUNS,
    )
    yield Bar(
        name="omec compile",
        # A new folder each time: writing every file is the longest way.
        command=lambda: [*omec, "compile", *folders, "-o", f"{scratch}/{time.monotonic_ns()}", "--keep-going"],
        reference_name="yaml.load_all",
        reference=parse,
        factor=3.0,
        memory=150 * MEGABYTE,
        exit_codes=ADEQUATE_RUNS,
    )


def large_bars(corpus: Corpus) -> Iterator[Bar]:
    """The bars of a repository with 10,000 documents: a first run, and runs after a file has changed.

    The first of the latter finds no record, and leaves one; medians pass over it.
    """
    omec = [sys.executable, "-m", "omec", "lint"]
    folders = [str(folder) for folder in corpus.folders]
    yield Bar(
        name="omec lint, 10,000 documents",
        command=lambda: [*omec, "--no-cache", *folders],
        reference_name="yaml.load_all",
        reference=[sys.executable, "-c", PARSE_BELOW, *folders],
        factor=2.5,
        memory=400 * MEGABYTE,
        exit_codes=ADEQUATE_RUNS,
    )
    reference = [*omec, "--no-cache", "--exit-zero", *folders]
    edits = [*_edits(corpus)]
    for edit in edits:

        def change(edit: Edit = edit) -> list[str]:
            for other in edits:
                other.undo()
            edit.apply()
            return [*omec, *edit.options, *folders]

        yield Bar(
            name=f"omec lint, {edit.name}",
            command=change,
            reference_name="omec lint",
            reference=reference,
            factor=edit.factor,
            memory=400 * MEGABYTE,
            exit_codes=ADEQUATE_RUNS,
        )


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one file: what ``pattern`` matches becomes ``replacement``, in which ``{}`` is another number each
    time. ``factor`` is what a run may cost then, of one that knows nothing; with ``options`` of its own it has a record
    of its own.
    """

    name: str
    path: Path
    pattern: str
    replacement: str
    text: str
    factor: float = 0.15
    options: tuple[str, ...] = ()

    def apply(self) -> None:
        replacement = self.replacement.format(time.monotonic_ns() % 1000 + 1)
        self.path.write_text(re.sub(self.pattern, replacement, self.text, count=1), encoding="utf-8")

    def undo(self) -> None:
        self.path.write_text(self.text, encoding="utf-8")


def _edits(corpus: Corpus) -> Iterator[Edit]:
    """An edit of a service, of a model and of a runtime; and one that every other service might notice."""
    for name, kind, pattern, replacement in (
        ("a service changed", "InferenceService", r"maxReplicas: .*", "maxReplicas: {}"),
        ("a model changed", "ClusterBaseModel", r"modelParameterSize: .*", "modelParameterSize: {}B"),
        ("a runtime changed", "ClusterServingRuntime", r"image: .*", "image: docker.io/x/y:v{}"),
    ):
        texts = ((path, path.read_text(encoding="utf-8")) for path in corpus.files)
        path, text = next(
            (path, text) for path, text in texts if f"kind: {kind}\n" in text and re.search(pattern, text)
        )
        yield Edit(name, path, pattern, replacement, text)
    yield Edit("an object more", path, r"\Z", MORE, text, 1.1, ("--fail-on", "never"))


MORE = """
---
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {{name: more-{0}}}
spec: {{storage: {{storageUri: "hf://more/more-{0}", path: /mnt/data/models/more-{0}}}}}
"""
