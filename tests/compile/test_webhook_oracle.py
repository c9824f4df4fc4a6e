"""Every pod template of the oracle's renderings, as OME's own webhook answers about it (``mutatedPodTemplate``)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from omec.compile.webhook.inject import injected, templates
from omec.compile.webhook.metrics import AGGREGATION, SCRAPING
from omec.compile.webhook.pods import InjectionError
from omec.compile.webhook.settings import webhook_settings_of_config_map
from tests.oracle.interface import Row
from tests.oracle.render import _config, _without_empty
from tests.oracle.run import LOCAL_DATA, read_rows, row_id

Object = dict[str, Any]

_PARTS = {"leaderTemplate": "/leader", "workerTemplate": "/worker"}


def answers(row: Row) -> Iterator[tuple[str, Object | str, Object | str]]:
    """For each template its name, what OME makes of it, and what omec does: a template or a text."""
    expected = row["expectedV13"] if row["v13"] in ("differs", "only") else row["expected"]
    listed = {item["object"]: item for item in expected.get("mutatedPodTemplate") or ()}
    settings = webhook_settings_of_config_map(_config(row.get("config") or {}))
    weights = {
        obj["metadata"]["name"]: obj["spec"]["storage"]["storageUri"]
        for obj in row["objects"]
        if obj.get("kind") == "FineTunedWeight"
    }
    for body in expected.get("objects") or ():
        for path, template in templates(body):
            name = f"{body['kind']}/{body['metadata']['name']}{_PARTS.get(path[-1], '')}"
            # Templates that get nothing but the two switches, which are off, are not listed.
            answer = listed.get(name, {"template": template})
            theirs = answer.get("error") or _comparable(answer["template"])
            try:
                yield name, theirs, _comparable(injected(template, settings, weights))
            except InjectionError as error:
                yield name, theirs, error.message


def _comparable(template: Object) -> Object:
    """Without what RENDER.md says to ignore, and without switches that are off."""
    template = json.loads(json.dumps(template))
    for key in ("name", "namespace"):
        template["metadata"].pop(key, None)
    annotations = template["metadata"].get("annotations") or {}
    for key in (AGGREGATION, SCRAPING):
        if annotations.get(key) == "false":
            del annotations[key]
    for volume in template["spec"].get("volumes") or ():
        volume["sources"] = sorted(key for key in volume if key != "name")
    comparable: Object = _without_empty(template)
    return comparable


def judged(rows: Iterator[Row]) -> tuple[int, int]:
    """How many templates were compared, and how many of them the webhook changes; any difference fails."""
    compared = changed = 0
    for row in rows:
        if row["v13"] == "unknown" and "model-init" not in row.get("v13codes", ()):
            continue
        for name, theirs, ours in answers(row):
            assert ours == theirs, f"{row_id(row)} {name}"
            compared += 1
        expected = row["expectedV13"] if row["v13"] in ("differs", "only") else row["expected"]
        changed += len(expected.get("mutatedPodTemplate") or ())
    return compared, changed


def test_variations() -> None:
    """The answers of v0.1.5 about ``model-init`` are taken for those of v1.3, whose documentation describes it."""
    assert judged(read_rows(LOCAL_DATA / "variations.jsonl.gz")) == (253, 19)


@pytest.mark.parametrize(("file", "counts"), [("runtimes", (222, 6)), ("samples", (90, 0))])
def test_corpus(file: str, counts: tuple[int, int], testdata: Path) -> None:
    assert judged(read_rows(testdata / "oracle" / "render" / f"{file}.jsonl")) == counts
