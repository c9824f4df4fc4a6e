"""``placeholder-no-value``: a placeholder for a label or annotation that the service does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

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

_KINDS = {"Labels": "label", "Annotations": "annotation"}
_FIELD = re.compile(r"\{\{-?\s*\.(Labels|Annotations)\.(\w+)\s*-?\}\}")
_INDEX = re.compile(r"\{\{-?\s*index\s+\.(Labels|Annotations)\s+`([^`]*)`\s*-?\}\}")


class Read(NamedTuple):
    """A label or an annotation that a text of a container reads."""

    kind: str
    key: str
    text: str


def check(context: Context) -> Iterator[Fault]:
    for use in context.uses:
        for pod in context.pods_of(use):
            main = pod.main
            if main is not None and "runner" in pod.part and main.has_placeholders:
                given = {"Labels": use.service.labels, "Annotations": use.service.annotations}
                lacking = [read for read in _read(main.body) if read.key not in given[read.kind]]
                if lacking:
                    yield _fault(use.service, main, lacking)


def _read(value: Any) -> Iterator[Read]:
    """What the texts in ``value`` read."""
    if isinstance(value, str):
        if "{{" in value:
            for pattern in (_FIELD, _INDEX):
                yield from (Read(found[1], found[2], value) for found in pattern.finditer(value))
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _read(item)


def _fault(service: Resource, main: Container, lacking: Sequence[Read]) -> Fault:
    names = dict.fromkeys(f"{_KINDS[read.kind]} {read.key}" for read in lacking)
    message = f"{main.title} reads {', '.join(names)} of the InferenceService, which does not have it"
    written = main.written(*(steps_to_text(main.body, lacking[0].text) or ()))
    related = Related(written.resource.locate(written.path), "it is read here")
    return Fault(service, ("metadata", "name"), message, related=(related,))
