"""``isvc-args-replace-runtime-args``: a service that means to add an argument, and drops all others."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.pods.flags import dropped, listed
from omec.lint.pods.layers import runners, service_layers

RULE = Rule(
    "OME218",
    "isvc-args-replace-runtime-args",
    Severity.WARNING,
    "The arguments of an InferenceService replace those of its runtime, and lose some of them",
    why=(
        "`args` and `command` are not merged: the service's list takes the place of the runtime's. A service that "
        "means to add a flag drops all the others, such as `--port`."
    ),
    fix="Repeat the runtime's arguments, or put the flag into a child of the runtime.",
    source="OME docs: concepts/runtimes/serving-runtimes; reference 04 §5.7",
    bad="""\
engine:
  runner: {args: [--mem-fraction-static=0.8]}
""",
    good="""\
engine:
  runner: {args: [--port=8080, --tp-size=1, --mem-fraction-static=0.8]}
""",
)


def check(context: Context) -> Iterator[Fault]:
    for layer in service_layers(context):
        for runner in runners(layer):
            for field in ("args", "command"):
                found = dropped(runner, field)
                if found is not None:
                    message = f"{field} of the {runner.component} replaces that of {layer.below.ref} and drops "
                    name = Related(layer.below.locate(("metadata", "name")), "the runtime")
                    place = (*runner.path, field)
                    yield Fault(layer.resource, place, message + listed(found.lost), related=(name,), key=True)
