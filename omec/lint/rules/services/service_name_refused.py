"""``service-name-refused``: a name that Kubernetes takes and OME's webhook refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME505",
    "service-name-refused",
    Severity.ERROR,
    "The name of an InferenceService does not begin with a letter, or has a dot",
    why="OME's webhook refuses the InferenceService: Services are named after it, whose names are stricter.",
    fix="Use lower-case letters, digits and hyphens, with a letter first and no hyphen last.",
    source="reference 09 §A4, row 1",
    bad="""\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: 1llama, namespace: demo}
spec: {model: {name: llama}, engine: {}}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: llama-1, namespace: demo}
spec: {model: {name: llama}, engine: {}}
""",
)

_NAME = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")


def check(context: Context) -> Iterator[Fault]:
    for service in context.services:
        if not _NAME.fullmatch(service.name):
            message = f'invalid InferenceService name "{service.name}", must match "{_NAME.pattern}"'
            yield Fault(service, ("metadata", "name"), message)
