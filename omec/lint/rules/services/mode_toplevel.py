"""``mode-toplevel-ignored``: a deployment mode where OME 1.3 does not look for one."""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile.modes import MODE_ANNOTATION, Mode
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME976",
    "mode-toplevel-ignored",
    Severity.WARNING,
    "The deployment mode in an InferenceService's own annotations sets no component's mode",
    why=(
        "OME 1.3 reads it for VirtualDeployment alone. Any other mode comes from the annotations of the component, "
        "from spec.deploymentMode, or from the shape of the component."
    ),
    fix="Set `spec.deploymentMode`, or annotate the component.",
    source="OME docs: concepts/architecture/deployment-modes",
    bad="""\
metadata: {annotations: {ome.io/deploymentMode: RawDeployment}}
spec: {runtime: {name: three}, engine: {}}
""",
    good="spec: {runtime: {name: three}, deploymentMode: RawDeployment, engine: {}}\n",
)


def check(context: Context) -> Iterator[Fault]:
    if context.config.ome_version == "1.2":
        return
    for service in context.services:
        mode = service.annotations.get(MODE_ANNOTATION)
        if mode is None or mode == Mode.VIRTUAL or mode == service.spec.get("deploymentMode"):
            continue
        message = f"{mode} in the annotations of the InferenceService sets the mode of none of its components"
        yield Fault(service, ("metadata", "annotations", MODE_ANNOTATION), message)
