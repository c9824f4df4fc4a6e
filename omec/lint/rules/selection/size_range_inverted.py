"""``size-range-inverted``: a size range that holds no size."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME332",
    "size-range-inverted",
    Severity.ERROR,
    "The least size of a runtime's modelSizeRange is above the largest",
    why="OME checks each bound by itself, so the runtime refuses every model that has a size.",
    fix="Swap the two bounds.",
    source="OME docs: reference/matching/model-size-range-matching",
    bad="modelSizeRange: {min: 70B, max: 7B}\n",
    good="modelSizeRange: {min: 7B, max: 70B}\n",
    fixable=True,
)


def check(context: Context) -> Iterator[Fault]:
    for matcher in context.matchers:
        bounds, runtime = matcher.size_range, matcher.resource
        if bounds is None or bounds.min_text is None or bounds.max_text is None or not bounds.min > bounds.max > 0:
            continue  # a bound of 0 is none that anybody wrote: it could not be read, which size-bad-suffix says
        upper = Related(runtime.locate(("spec", "modelSizeRange", "max")), f"the largest size is {bounds.max_text}")
        message = f"the range {bounds.label} holds no size: {bounds.min_text} is above {bounds.max_text}"
        yield Fault(runtime, ("spec", "modelSizeRange", "min"), message, related=(upper,))
