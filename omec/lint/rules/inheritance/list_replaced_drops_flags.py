"""``list-replaced-drops-flags``: a child whose list takes the place of its parent's, flags and all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.pods.flags import dropped, listed
from omec.lint.pods.layers import Layer, Runner, runners, runtime_layers

RULE = Rule(
    "OME216",
    "list-replaced-drops-flags",
    Severity.WARNING,
    "A runtime replaces the arguments or tolerations of its parent, and loses some of them",
    why=(
        "`args`, `command` and `tolerations` are not merged: the child's list takes the place of the whole list of its "
        "parent. A child that means to add a flag drops all the others, such as `--port`."
    ),
    fix="Repeat the parent's items, or keep shared flags in the parent's `command` and the others in `args`.",
    source="OME docs: concepts/runtimes/runtime-inheritance#what-merges; reference 02 §4",
    bad="""\
engineConfig:
  runner: {name: ome-container, args: [--tp-size=2]}
""",
    good="""\
engineConfig:
  runner: {name: ome-container, args: [--port=8080, --tp-size=2]}
""",
)

_ESSENTIAL = frozenset({"--host", "--model", "--model-path", "--port"})


def check(context: Context) -> Iterator[Fault]:
    for layer in runtime_layers(context):
        for runner in runners(layer):
            yield from _check_words(layer, runner)
        yield from _check_tolerations(layer)


def _check_words(layer: Layer, runner: Runner) -> Iterator[Fault]:
    for field in ("args", "command"):
        found = dropped(runner, field)
        # A child that writes some of the flags again has the whole list in mind.
        if found is not None and (not found.kept or not _ESSENTIAL.isdisjoint(found.lost)):
            message = f"{field} of the {runner.component} replaces that of {layer.below.ref} and drops "
            yield Fault(layer.resource, (*runner.path, field), message + listed(found.lost), key=True)


def _check_tolerations(layer: Layer) -> Iterator[Fault]:
    for config in ("engineConfig", "decoderConfig", "routerConfig"):
        upper, lower = (((side or {}).get(config) or {}).get("tolerations") for side in (layer.upper, layer.lower))
        if upper and lower:
            lost = sorted(_keys(lower) - _keys(upper))
            if lost and "" not in _keys(upper):
                message = f"tolerations of {config} replace those of {layer.below.ref} and drop {listed(lost)}"
                yield Fault(layer.resource, ("spec", config, "tolerations"), message, key=True)


def _keys(tolerations: list[Any]) -> set[str]:
    return {str(item.get("key") or "") for item in tolerations}
