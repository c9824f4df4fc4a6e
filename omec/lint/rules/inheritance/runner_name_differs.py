"""``runner-name-differs``: a runner that is renamed where it is meant to be changed."""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile.names import DEFAULT_CONTAINER
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.pods.layers import runners, runtime_layers, service_layers

RULE = Rule(
    "OME217",
    "runner-name-differs",
    Severity.WARNING,
    "A runner has another name than the one that it is merged onto",
    why=(
        "There is one runner, so the merge renames it. What knows the container by its old name loses it: profiles "
        "of OME's pod webhook, dashboards, log queries, and the default readiness probe of `ome-container`."
    ),
    fix="Use the name that the parent or the runtime has.",
    source="reference 02 §10; reference 04 §5.4",
    bad="""\
engineConfig:
  runner: {name: server, env: [{name: NCCL_DEBUG, value: WARN}]}
""",
    good="""\
engineConfig:
  runner: {name: ome-container, env: [{name: NCCL_DEBUG, value: WARN}]}
""",
)


def check(context: Context) -> Iterator[Fault]:
    for layer in (*runtime_layers(context), *service_layers(context)):
        for runner in runners(layer):
            name, known = runner.upper.get("name"), runner.lower.get("name") or DEFAULT_CONTAINER
            if name and name != known:
                message = f"runner {known} of the {runner.component}, from {layer.below.ref}, is renamed to {name}"
                yield Fault(layer.resource, (*runner.path, "name"), message)
