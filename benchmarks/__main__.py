"""``python -m benchmarks``: measure the bars and say which are met; exit code 1 where one is missed.

Every command is a process of its own, start-up included, measured against a process of the same interpreter on the
same files: ``lint`` and ``compile`` against one that only parses the YAML with PyYAML's C loader. Runs of command and
reference alternate, and the median of their ratios is judged, so that neither the machine nor its load matters.
``--large`` measures a repository of 10,000 documents instead, which takes minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.bars import MEGABYTE, Bar, Result, bars, large_bars
from benchmarks.corpus import Corpus, copies_of, find_corpus
from benchmarks.process import FailedError, environment


def main() -> int:
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="omec-benchmark-", dir=memory_folder()) as scratch:
        corpus = find_corpus(Path(scratch))
        measured = [bar for bar in bars_of(corpus, Path(scratch), arguments) if arguments.only in bar.name]
        try:
            run(measured, arguments.runs, environment(Path(scratch)))
        except FailedError as error:
            print(f"benchmarks: {error}", file=sys.stderr)
            return 2
    results = [bar.result(arguments.clock) for bar in measured]
    if arguments.json:
        print(json.dumps(report(corpus, results, arguments), indent=2))
    else:
        print_table(corpus, results, arguments)
    return 0 if all(result.fast_enough and result.small_enough for result in results) else 1


def bars_of(corpus: Corpus, scratch: Path, arguments: argparse.Namespace) -> Iterator[Bar]:
    if arguments.large:
        return large_bars(copies_of(corpus, scratch / "large"))
    return bars(corpus, scratch)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure the commands against their bars."
    )
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="pairs of runs for each bar (default 7)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only bars whose name holds TEXT")
    parser.add_argument("--large", action="store_true", help="the bars of a repository with 10,000 documents")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument(
        "--clock",
        choices=("wall", "cpu"),
        default="wall",
        help="judge time on the clock, or of the processor where other work disturbs the machine (default wall)",
    )
    arguments = parser.parse_args()
    if arguments.runs < 1:
        parser.error("--runs must be at least 1")
    return arguments


def memory_folder() -> str | None:
    """A folder in memory for the output, so that no disk is measured; ``None`` where there is none or TMPDIR is set."""
    folder = Path("/dev/shm")
    usable = "TMPDIR" not in os.environ and os.access(folder, os.W_OK)
    return str(folder) if usable else None


def run(measured: list[Bar], runs: int, env: Mapping[str, str]) -> None:
    for round_number in range(runs + 1):
        for bar in measured:
            bar.run(env)
            if round_number == 0:
                bar.samples.clear()  # the first round writes byte code and fills the caches


def report(corpus: Corpus, results: list[Result], arguments: argparse.Namespace) -> dict[str, object]:
    return {
        "python": platform.python_version(),
        "corpus": corpus.description,
        "files": len(corpus.files),
        "runs": arguments.runs,
        "clock": arguments.clock,
        "bars": [result.to_dict() for result in results],
    }


def print_table(corpus: Corpus, results: list[Result], arguments: argparse.Namespace) -> None:
    clock = "on the clock" if arguments.clock == "wall" else "of the processor"
    print(f"{len(corpus.files)} files: {corpus.description}")
    print(f"Python {platform.python_version()}, medians of {arguments.runs} pairs of runs, time {clock}\n")
    rows: list[tuple[str, ...]] = [
        ("command", "takes", "reference", "takes", "ratio", "limit", "peak memory", "limit", "")
    ]
    rows += [row(result) for result in results]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for cells in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())


def row(result: Result) -> tuple[str, ...]:
    bar = result.bar
    limit = f"{bar.factor}x" + (f" + {bar.allowance * 1000:.0f} ms" if bar.allowance else "")
    faults = [name for name, met in (("slow", result.fast_enough), ("large", result.small_enough)) if not met]
    return (
        bar.name,
        f"{result.seconds * 1000:.0f} ms",
        bar.reference_name,
        f"{result.reference * 1000:.0f} ms",
        f"{result.ratio:.2f}x",
        limit,
        f"{result.peak / MEGABYTE:.0f} MB",
        f"{bar.memory / MEGABYTE:.0f} MB" if bar.memory else "",
        f"too {' and '.join(faults)}" if faults else "met",
    )


if __name__ == "__main__":
    sys.exit(main())
