"""``service-type-case``: a type of Service that OME does not know."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME509",
    "service-type-case",
    Severity.WARNING,
    "ome.io/service-type is none of ClusterIP, NodePort and LoadBalancer",
    why="OME compares the text exactly and makes a ClusterIP Service of any other.",
    fix="Write `ClusterIP`, `NodePort` or `LoadBalancer`.",
    source="OME docs: reference/api/labels-and-annotations",
    bad="{ome.io/service-type: loadbalancer}\n",
    good="{ome.io/service-type: LoadBalancer, networking.gke.io/load-balancer-type: Internal}\n",
    fixable=True,
)

KEY = "ome.io/service-type"
_TYPES = {each.lower(): each for each in ("ClusterIP", "NodePort", "LoadBalancer")}


def check(context: Context) -> Iterator[Fault]:
    for found in context.annotated:
        value = found.annotations.get(KEY)
        if isinstance(value, str) and value not in _TYPES.values():
            meant = _TYPES.get(value.strip().lower())
            message = f'OME knows no type of Service "{value}" and makes a ClusterIP one'
            yield Fault(found.resource, (*found.path, KEY), message, f"did you mean {meant}?" if meant else "")
