"""``generated-name-collision``: two services of which OME makes an object of one name."""

from __future__ import annotations

from collections.abc import Iterator

from omec.catalog import Resource
from omec.compile.names import COMPONENTS
from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME983",
    "generated-name-collision",
    Severity.ERROR,
    "An InferenceService is called like a component of another one",
    why=(
        "OME names the Service of a component SERVICE-COMPONENT, and that of the whole like the InferenceService. "
        "The two controllers write over each other's object without end."
    ),
    fix="Rename one of the two.",
    source="OME docs: guides/networking",
    bad="""\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: llama, namespace: demo}
spec: {model: {name: llama}, engine: {}}
---
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: llama-engine, namespace: demo}
spec: {model: {name: llama}, engine: {}}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: llama, namespace: demo}
spec: {model: {name: llama}, engine: {}}
---
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: llama-large, namespace: demo}
spec: {model: {name: llama}, engine: {}}
""",
)


def check(context: Context) -> Iterator[Fault]:
    by_name: dict[tuple[str | None, str], Resource] = {(each.namespace, each.name): each for each in context.services}
    for service in context.services:
        for part in COMPONENTS:
            for suffix in ("", "-headless"):
                other = by_name.get((service.namespace, f"{service.name}-{part}{suffix}"))
                if other is not None and isinstance(service.spec.get(part), dict):
                    message = f"{other.name} is also what OME calls the {part} of {service.ref}"
                    related = (Related(service.locate(("spec", part), key=True), f"the {part} of {service.name}"),)
                    yield Fault(other, ("metadata", "name"), message, related=related)
