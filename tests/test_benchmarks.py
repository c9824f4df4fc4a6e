"""The benchmark measures what it says: its parts on processes that cost nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from benchmarks.bars import MEGABYTE, Bar
from benchmarks.corpus import COPIES, ROOT, find_corpus
from benchmarks.process import FailedError, Sample, measure

NOTHING = [sys.executable, "-c", "pass"]


def bar(factor: float, allowance: float = 0.0, memory: int | None = None) -> Bar:
    return Bar("x", lambda: NOTHING, "nothing", NOTHING, factor, allowance, memory)


MEMORY_OF_TWO = """
import sys
from benchmarks.process import measure
for code in sys.argv[1:]:
    print(measure([sys.executable, "-c", code], (0,)).memory)
"""


def test_time_of_one_process() -> None:
    assert 0.05 <= measure([sys.executable, "-c", "import time; time.sleep(0.05)"], (0,)).wall < 10


def test_memory_of_one_process() -> None:
    """Measured from a small process, as the benchmark is: a child starts out with the figure of its parent."""
    codes = ["block = bytearray(80_000_000)", "pass"]
    command = [sys.executable, "-c", MEMORY_OF_TWO, *codes]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    large, small = map(int, output.split())
    assert small < 80 * MEGABYTE < large


def test_a_process_that_fails_is_not_measured() -> None:
    with pytest.raises(FailedError, match="ended with 3: no such thing"):
        measure([sys.executable, "-c", "import sys; sys.stderr.write('no such thing'); sys.exit(3)"], (0, 1))


@pytest.mark.parametrize(
    ("factor", "allowance", "memory", "fast", "small"),
    [
        (2.0, 0.0, None, True, True),
        (1.9, 0.0, None, False, True),
        (1.0, 0.1, None, True, True),
        (1.0, 0.09, None, False, True),
        (2.0, 0.0, 50, True, False),
        (2.0, 0.0, 51, True, True),
    ],
)
def test_judgement(factor: float, allowance: float, memory: int | None, fast: bool, small: bool) -> None:
    judged = bar(factor, allowance, memory)
    judged.samples = [(Sample(0.2, 9.0, 50), Sample(0.1, 1.0, 0)), (Sample(0.2, 9.0, 40), Sample(0.1, 1.0, 0))]
    result = judged.result("wall")
    assert (result.fast_enough, result.small_enough) == (fast, small)
    assert result.to_dict()["met"] is (fast and small)


def test_one_disturbed_pair_does_not_decide() -> None:
    judged = bar(2.0)
    judged.samples = [(Sample(taken, 0, 0), Sample(0.1, 0, 0)) for taken in (0.15, 0.15, 9.0)]
    assert judged.result("wall").fast_enough


def test_copies_of_the_examples_without_a_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMEC_TESTDATA", str(tmp_path / "nowhere"))
    corpus = find_corpus(tmp_path)
    assert "copies of examples" in corpus.description
    documents = [doc for path in corpus.files for doc in yaml.load_all(path.read_bytes(), yaml.CSafeLoader)]
    identities = [(doc["kind"], doc["metadata"].get("namespace"), doc["metadata"]["name"]) for doc in documents]
    assert len(identities) > COPIES
    assert len(set(identities)) == len(identities)
