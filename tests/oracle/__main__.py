"""``python -m tests.oracle FILE…``: judge oracle files and print the agreement per kind of answer."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.conftest import external_data_path
from tests.oracle.run import Report, judge_rows, read_rows


def main(arguments: list[str] | None = None) -> int:
    """0 when every judged answer agrees, else 1; 1 also when nothing could be judged."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="JSON Lines, plain or .gz")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N disagreements of each file")
    parser.add_argument("--data", type=Path, help="folder of external test data (default: OMEC_TESTDATA or ../shared)")
    parser.add_argument("--marked", action="store_true", help="judge rows marked crdInvalid too")
    options = parser.parse_args(arguments)
    data = options.data or external_data_path()
    clean = True
    for file in options.files:
        report = judge_rows(read_rows(file), data, marked=options.marked)
        _print(file, report, options.show)
        clean = clean and bool(report.tallies) and not report.disagreements
    return 0 if clean else 1


def _print(file: Path, report: Report, show: int) -> None:
    print(f"{file}: {report.rows} rows judged")
    for (kind, answer), tally in report.tallies.items():
        print(f"  {kind:<12} {answer:<20} {tally.agreed}/{tally.judged}")
    for reason, count in report.skipped.items():
        print(f"  not judged: {count} ({reason})")
    for disagreement in report.disagreements[:show]:
        print(f"- {disagreement}")


if __name__ == "__main__":
    sys.exit(main())
