"""Origins in public runtimes of OME, each with a service of its own: what they say decides the rendered leaf."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from omec.compile.layout import identity
from omec.session import from_objects, open_repo
from tests.compile.provenance.worlds import PLATFORMS, WRITTEN, answers, changed_leaf, consistent
from tests.test_corpus_runtimes import surrounded

RUNTIMES = int(os.environ.get("OMEC_ORIGINS", "2"))
"""So many runtimes are taken, the same ones at every run."""
SAMPLE = 40
"""Of so many leaves with an origin in a manifest one is tried."""


@pytest.fixture(scope="module")
def runtimes(testdata: Path) -> list[dict[str, Any]]:
    folder = testdata / "corpus" / "ome-v0.1.5" / "config" / "runtimes"
    bodies = {
        document.value["metadata"]["name"]: document.value
        for document in open_repo(folder, config={}).reading.documents
    }
    served = [body for body in bodies.values() if body["kind"] == "ClusterServingRuntime"]
    return sorted(served, key=lambda body: crc32(body["metadata"]["name"].encode()))[:RUNTIMES]


@pytest.mark.parametrize("form", ["single", "multi-node"])
@pytest.mark.parametrize("platform", PLATFORMS)
def test_origins_decide(runtimes: list[dict[str, Any]], platform: str, form: str) -> None:
    outcomes: Counter[bool | None] = Counter()
    for runtime in runtimes:
        objects = list(surrounded(runtime, "s", several=form == "multi-node"))
        config = {"platform": platform}
        for item, answer in answers(from_objects(objects, config=config)):
            assert answer.origins or answer.rule, (item.body["kind"], answer.field)
            if not answer.origins:
                continue
            assert consistent(answer), (answer.field, answer.value, answer.origins[0])
            where = (identity(item.body), answer.path)
            if answer.origins[0].role in WRITTEN and not crc32(repr(where).encode()) % SAMPLE:
                outcome = changed_leaf(objects, config, answer.origins[0], where, answer.value)
                assert outcome is not False, (runtime["metadata"]["name"], answer.field, answer.origins[0])
                outcomes[outcome] += 1
    assert outcomes[True] > outcomes[None]
