"""``size-range-one-bound``: a size range that is open on one side."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME349",
    "size-range-one-bound",
    Severity.INFO,
    "A modelSizeRange has one bound only",
    why=(
        "OME 1.3 takes the other side as open; OME 1.2 fails over it. And a runtime with one bound is close to every "
        "size in OME's tie-break, because the distance of one bound alone counts."
    ),
    fix="Set both bounds.",
    source="OME docs: reference/matching/model-size-range-matching",
    bad="modelSizeRange: {min: 70B}\n",
    good="modelSizeRange: {min: 70B, max: 80B}\n",
    default=False,
)


def check(context: Context) -> Iterator[Fault]:
    for matcher in context.matchers:
        bounds = matcher.size_range
        if bounds is not None and (bounds.min_text is None) != (bounds.max_text is None):
            missing = "min" if bounds.min_text is None else "max"
            message = f"the range {bounds.label} has no {missing}"
            yield Fault(
                matcher.resource, ("spec", "modelSizeRange"), message, f"set modelSizeRange.{missing}", key=True
            )
