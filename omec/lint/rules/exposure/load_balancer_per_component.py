"""``loadbalancer-per-component``: a load balancer for every Service, the inner ones too."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.exposure.load_balancer import balanced
from omec.lint.rules.exposure.service_type import KEY

RULE = Rule(
    "OME981",
    "loadbalancer-per-component",
    Severity.WARNING,
    "Each component of an InferenceService gets a load balancer of its own",
    why="The annotation of the InferenceService counts for the Services of its components, too.",
    fix="Annotate the components with `ome.io/service-type: ClusterIP`.",
    source="OME docs: guides/networking",
    bad="""\
metadata: {annotations: {ome.io/service-type: LoadBalancer}}
spec: {runtime: {name: three}, engine: {}, router: {}}
""",
    good="""\
metadata: {annotations: {ome.io/service-type: LoadBalancer}}
spec:
  runtime: {name: three}
  engine: {annotations: {ome.io/service-type: ClusterIP}}
  router: {annotations: {ome.io/service-type: ClusterIP}}
""",
)


def check(context: Context) -> Iterator[Fault]:
    for service, components in balanced(context):
        if components:
            message = f"{len(components) + 1} load balancers: the service, and its {' and '.join(components)}"
            yield Fault(service, ("metadata", "annotations", KEY), message)
