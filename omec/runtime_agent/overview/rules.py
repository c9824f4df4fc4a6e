"""What keeps ``omec status`` from showing anything."""

from __future__ import annotations

from omec.finding import Rule, Severity

NOTHING_TO_SEE = Rule(
    code="OME760",
    slug="no-ome-kinds",
    severity=Severity.ERROR,
    summary="The cluster does not know the kinds of ome.io",
    why="Models, runtimes and InferenceServices are custom resources: without their definitions there are none.",
    fix="Look at the cluster that you mean with --context, or install the definitions: `omec schema --crd all | "
    "kubectl apply --server-side -f -`.",
    source="omec",
)
