"""``bool-annotation-value``: a value that means yes to people and nothing to OME."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME163",
    "bool-annotation-value",
    Severity.WARNING,
    'An annotation that OME compares with "true" has another value than "true" or "false"',
    why='OME compares the text exactly: "True", "yes" and "1" count as false.',
    fix='Write `"true"` or `"false"`.',
    source="OME docs: reference/api/labels-and-annotations",
    bad='{ome.io/ingress-disable-creation: "True"}\n',
    good='{ome.io/ingress-disable-creation: "true"}\n',
    fixable=True,
)

_SWITCHES = frozenset(
    {
        "ome.io/disable-ingress",
        "ome.io/ingress-disable-creation",
        "ome.io/ingress-disable-istio-virtualhost",
        "ome.io/ingress-per-isvc-subdomain",
        "ome.io/runtime-profile",
        "ome.io/traffic-drain",
        "prometheus.ome.io/scrape",
    }
)


def check(context: Context) -> Iterator[Fault]:
    for found in context.annotated:
        for key in _SWITCHES & found.annotations.keys():
            value = found.annotations[key]
            if isinstance(value, str) and value not in ("true", "false"):
                message = f'"{value}" is not "true", so {key} does nothing'
                yield Fault(found.resource, (*found.path, key), message)
