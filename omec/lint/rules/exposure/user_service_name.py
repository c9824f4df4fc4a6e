"""``user-service-name``: a Service of one's own under a name that OME takes."""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile.names import COMPONENTS
from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault
from omec.repo.document import Document

RULE = Rule(
    "OME980",
    "user-service-name",
    Severity.ERROR,
    "A Service of the repository has a name that OME gives to one of its own",
    why="OME's controller writes over it, or deletes it when the InferenceService needs none of that name.",
    fix="Rename the Service, or the InferenceService.",
    source="OME docs: guides/networking",
    bad="""\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: llama, namespace: demo}
spec: {model: {name: llama}, engine: {}}
---
apiVersion: v1
kind: Service
metadata: {name: llama, namespace: demo}
spec: {selector: {app: llama}, ports: [{port: 80}]}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: llama, namespace: demo}
spec: {model: {name: llama}, engine: {}}
---
apiVersion: v1
kind: Service
metadata: {name: llama-internal, namespace: demo}
spec: {selector: {app: llama}, ports: [{port: 80}]}
""",
)


def check(context: Context) -> Iterator[Fault]:
    written = dict(_services(context))
    for service in context.services if written else ():
        parts = [name for name in COMPONENTS if isinstance(service.spec.get(name), dict)]
        for name in (service.name, *(f"{service.name}-{part}" for part in parts)):
            if (document := written.get((service.namespace, name))) is not None:
                related = (Related(document.locate(("metadata", "name")), "the Service"),)
                message = f"OME manages a Service {service.namespace}/{name}, and the repository has one of its own"
                yield Fault(service, ("metadata", "name"), message, related=related)
                break


def _services(context: Context) -> Iterator[tuple[tuple[object, object], Document]]:
    """The Services of the repository by namespace and name, but for those with OME's label."""
    for document in context.others:
        metadata = document.value.get("metadata")
        if document.value.get("kind") == "Service" and isinstance(metadata, dict):
            labels = metadata.get("labels")
            if not (isinstance(labels, dict) and "ome.io/inferenceservice" in labels):
                namespace = metadata.get("namespace") or context.config.default_namespace
                yield (namespace, metadata.get("name")), document
