"""``name-too-long``: a name that leaves no room for what OME appends to it."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME984",
    "name-too-long",
    Severity.WARNING,
    "The name of an InferenceService is so long that OME shortens the names of its Services",
    why=(
        "A Service's name has at most 63 characters, and OME appends the name of the component. It cuts the names of "
        "Services, and not the references to them: routes then lead nowhere."
    ),
    fix="Shorten the name to 56 characters, 55 with a decoder.",
    source="OME docs: guides/networking",
    bad="""\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: a-service-whose-name-tells-the-model-the-size-and-the-precision, namespace: demo}
spec: {model: {name: llama}, engine: {}}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: llama-70b-fp8, namespace: demo}
spec: {model: {name: llama}, engine: {}}
""",
)

_LONGEST_NAME = 63


def check(context: Context) -> Iterator[Fault]:
    for service in context.services:
        parts = [part for part in ("engine", "router", "decoder") if isinstance(service.spec.get(part), dict)]
        room = _LONGEST_NAME - max((len(part) + 1 for part in parts), default=0)
        if len(service.name) > room:
            message = f"the name has {len(service.name)} characters, and its components leave room for {room}"
            yield Fault(service, ("metadata", "name"), message)
