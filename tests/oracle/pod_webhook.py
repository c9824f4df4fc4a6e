"""What OME's pod webhook makes of the templates in ``render/*.jsonl`` (``mutatedPodTemplate``, RENDER.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from omec.compile.webhook.inject import injected, templates
from omec.compile.webhook.metrics import AGGREGATION, SCRAPING
from omec.compile.webhook.pods import InjectionError
from omec.compile.webhook.settings import webhook_settings_of_config_map
from tests.oracle.comparison import comparable_template
from tests.oracle.interface import Row

Object = dict[str, Any]

_PARTS = {"leaderTemplate": "/leader", "workerTemplate": "/worker"}


def webhook_answers(row: Row, expected: Object, config: dict[str, str]) -> Iterator[tuple[str, Any, Any]]:
    """For each template of the ``expected`` objects its name, what OME makes of it, and what omec does.

    Either is a template, or the text of a refusal.
    """
    listed = {item["object"]: item for item in expected.get("mutatedPodTemplate") or ()}
    settings = webhook_settings_of_config_map(config)
    weights = {
        obj["metadata"]["name"]: (obj["spec"].get("storage") or {}).get("storageUri") or ""
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
    """Without switches that are off."""
    template = json.loads(json.dumps(template))
    annotations = template["metadata"].get("annotations") or {}
    for key in (AGGREGATION, SCRAPING):
        if annotations.get(key) == "false":
            del annotations[key]
    return comparable_template(template)
