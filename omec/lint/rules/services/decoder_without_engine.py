"""``decoder-without-engine``: one half of a prefill-decode pair."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME506",
    "decoder-without-engine",
    Severity.ERROR,
    "An InferenceService has a decoder and no engine",
    why="OME's webhook refuses it: a decoder decodes what an engine has prefilled.",
    fix="Add `engine: {}`, or make the decoder the engine.",
    source="reference 09 §A4, row 8",
    bad="runtime: {name: prefill-decode}\ndecoder: {}\n",
    good="runtime: {name: prefill-decode}\nengine: {}\ndecoder: {}\n",
)


def check(context: Context) -> Iterator[Fault]:
    for service in context.services:
        if isinstance(service.spec.get("decoder"), dict) and not isinstance(service.spec.get("engine"), dict):
            yield Fault(service, ("spec", "decoder"), "decoder cannot be specified without engine", key=True)
