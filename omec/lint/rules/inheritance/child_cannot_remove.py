"""``child-cannot-remove``: an empty value that is meant to take something away, and does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omec.finding import FieldPath, Rule, Severity, field_text
from omec.lint.context import Context, Fault
from omec.lint.pods.layers import Layer, cleared, runtime_layers, service_layers

RULE = Rule(
    "OME215",
    "child-cannot-remove",
    Severity.WARNING,
    "A runtime or a service writes a field empty that it inherits",
    why=(
        "OME merges what Go encodes, which leaves empty lists, maps and texts out, and zeros and `false` of most "
        "fields. They count as not set, so the value of the parent stays."
    ),
    fix="Change the parent, or write the value that is wanted.",
    source="OME docs: concepts/runtimes/runtime-inheritance#what-merges; reference 02 §10",
    bad="""\
engineConfig:
  nodeSelector: {}
""",
    good="""\
engineConfig:
  nodeSelector: {pool: b200}
""",
)

_MARKERS = frozenset({"engineConfig", "decoderConfig", "routerConfig", "leader", "worker", "runner", "resources"})
"""Fields whose being there says something although nothing is in them."""


def check(context: Context) -> Iterator[Fault]:
    for layer in (*runtime_layers(context), *service_layers(context)):
        for path in cleared(layer.shape, layer.upper, layer.merged, layer.path):
            if path[-1] not in _MARKERS:
                yield Fault(layer.resource, path, _message(layer, path))


def _message(layer: Layer, path: FieldPath) -> str:
    value: Any = layer.resource.body
    for key in path:
        value = value[key]
    field = field_text(path[len(layer.path) :])
    shown = {None: "null", False: "false", "": '""'}.get(value, value) if not isinstance(value, list | dict) else value
    return f"{field}: {shown} removes nothing: the value from {layer.below.ref} stays"
