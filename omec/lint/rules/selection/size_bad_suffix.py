"""``size-bad-suffix``: a size that OME reads as 0 or as something else than it seems to say."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.size import is_clean_size, parse_size
from omec.catalog import Resource
from omec.finding import FieldPath, Rule, Severity
from omec.lint.context import Context, Fault, spec_of

RULE = Rule(
    "OME331",
    "size-bad-suffix",
    Severity.ERROR,
    "A size is not written as OME reads it: a number with M, B, T or nothing behind it",
    why=(
        "OME takes a size that it cannot read as 0, without a word: `max: 4b` is 0, so the runtime refuses every model "
        "that has a size, and a model of `7b` is offered to runtimes for the smallest models."
    ),
    fix="Write a number and an upper-case `M`, `B` or `T`, without a space: `4B`.",
    source="OME docs: reference/matching/model-size-range-matching",
    bad="modelSizeRange: {min: 2B, max: 4b}\n",
    good="modelSizeRange: {min: 2B, max: 4B}\n",
    fixable=True,
)


def check(context: Context) -> Iterator[Fault]:
    for runtime in context.runtimes:
        bounds = spec_of(runtime).get("modelSizeRange") or {}
        for bound in ("min", "max"):
            if bound in bounds:
                yield from _judge(runtime, ("spec", "modelSizeRange", bound), bounds[bound])
    for model in context.models:
        size = spec_of(model).get("modelParameterSize")
        yield from _judge(model, ("spec", "modelParameterSize"), size)


def _judge(resource: Resource, path: FieldPath, size: object) -> Iterator[Fault]:
    if not isinstance(size, str) or not size or is_clean_size(size):
        return
    meant = next(
        filter(is_clean_size, (size.upper(), "".join(size.upper().split()), size.upper().removesuffix("B"))), ""
    )
    message = f'OME reads the size "{size}" as {parse_size(size):g} parameters'
    yield Fault(resource, path, message, f"write {meant}" if meant else "")
