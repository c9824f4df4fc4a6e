"""``placeholder-no-value``: a placeholder for a label or annotation that the service does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from omec.catalog import Resource
from omec.compile.problems import steps_to_text
from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.pods.view import Container

RULE = Rule(
    "OME427",
    "placeholder-no-value",
    Severity.WARNING,
    "A runner reads a label or annotation that its InferenceService does not have",
    why="OME writes `<no value>` in its place, and the engine starts with that text.",
    fix="Add the label or annotation to the InferenceService.",
    source="OME docs: concepts/runtimes/serving-runtimes; reference 04 §9.2",
    bad="""\
runner:
  args: ["--served-model-name={{.Labels.team}}"]
""",
    good="""\
runner:
  args: ["--served-model-name={{.Name}}"]
""",
)

_FIELD = re.compile(r"\{\{-?\s*\.(Labels|Annotations)\.(\w+)\s*-?\}\}")
_INDEX = re.compile(r"\{\{-?\s*index\s+\.(Labels|Annotations)\s+`([^`]*)`\s*-?\}\}")


def check(context: Context) -> Iterator[Fault]:
    for use in context.uses:
        for pod in context.pods_of(use):
            main = pod.main
            if main is None or "runner" not in pod.part or not main.has_placeholders:
                continue
            for kind, key, text in _read(main.body):
                given = use.service.labels if kind == "Labels" else use.service.annotations
                if key not in given:
                    yield _fault(use.service, main, kind, key, text)


def _read(value: Any) -> Iterator[tuple[str, str, str]]:
    """The labels and annotations that the texts in ``value`` read: their kind, key and text."""
    if isinstance(value, str):
        if "{{" in value:
            yield from ((found[1], found[2], value) for found in _FIELD.finditer(value))
            yield from ((found[1], found[2], value) for found in _INDEX.finditer(value))
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _read(item)


def _fault(service: Resource, main: Container, kind: str, key: str, text: str) -> Fault:
    what = "label" if kind == "Labels" else "annotation"
    message = f"{main.title} reads {what} {key} of the InferenceService, which has none"
    written = main.written(*(steps_to_text(main.body, text) or ()))
    related = Related(written.resource.locate(written.path), "it is read here")
    field = ("metadata", "labels" if kind == "Labels" else "annotations")
    path = field if isinstance(service.body["metadata"].get(field[1]), dict) else ("metadata", "name")
    return Fault(service, path, message, related=(related,), key=path == field)
