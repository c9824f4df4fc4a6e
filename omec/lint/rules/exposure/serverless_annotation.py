"""``serverless-annotation``: settings of Knative, which OME no longer runs on."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME165",
    "serverless-annotation",
    Severity.WARNING,
    "An annotation steers Knative Serving, which OME 1.3 does not use",
    why=(
        "OME had a mode Serverless until 1.2. Since then nothing reads these annotations: replicas, concurrency and "
        "timeouts are not what they say."
    ),
    fix="Set `minReplicas`, `maxReplicas`, `autoscaler` or `timeoutSeconds` of the component, and remove it.",
    source="OME docs: concepts/architecture/deployment-modes; reference 09 C5, candidate 139",
    bad='{autoscaling.knative.dev/max-scale: "4"}\n',
    good="{example.com/owner: search}\n",
)

_PREFIXES = ("autoscaling.knative.dev/", "serving.knative.dev/", "queue.sidecar.serving.knative.dev/")


def check(context: Context) -> Iterator[Fault]:
    if context.config.ome_version == "1.2":
        return
    for found in context.annotated:
        for key in found.annotations:
            if key.startswith(_PREFIXES):
                message = f"nothing reads {key}: OME 1.3 does not run services on Knative"
                yield Fault(found.resource, (*found.path, key), message, key=True)
