"""Every pod template of the oracle's renderings, as OME's own webhook answers about it (``mutatedPodTemplate``)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.oracle.interface import Row
from tests.oracle.pod_webhook import webhook_answers
from tests.oracle.render import operator_settings
from tests.oracle.run import LOCAL_DATA, read_rows, row_id


def judged(rows: Iterator[Row]) -> tuple[int, int]:
    """How many templates were compared, and how many of them the webhook changes; any difference fails."""
    compared = changed = 0
    for row in rows:
        if row["v13"] == "unknown" and "model-init" not in row.get("v13codes", ()):
            continue
        expected = row["expectedV13"] if row["v13"] in ("differs", "only") else row["expected"]
        for name, theirs, ours in webhook_answers(row, expected, operator_settings(row.get("config") or {})):
            assert ours == theirs, f"{row_id(row)} {name}"
            compared += 1
        changed += len(expected.get("mutatedPodTemplate") or ())
    return compared, changed


def test_variations() -> None:
    """The answers of v0.1.5 about ``model-init`` are taken for those of v1.3, whose documentation describes it."""
    assert judged(read_rows(LOCAL_DATA / "variations.jsonl.gz")) == (253, 19)


@pytest.mark.parametrize(("file", "counts"), [("runtimes", (222, 6)), ("samples", (90, 0))])
def test_corpus(file: str, counts: tuple[int, int], testdata: Path) -> None:
    assert judged(read_rows(testdata / "oracle" / "render" / f"{file}.jsonl")) == counts
