"""``runtime-range-vs-name``: a runtime whose name says a size that its range excludes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME348",
    "runtime-range-vs-name",
    Severity.WARNING,
    "The name of a runtime has a size that lies outside of its modelSizeRange",
    why="One of the two is wrong. If it is the range, OME never selects the runtime for the models that it is for.",
    fix="Correct the range, or the name.",
    source="reference 09 §C4, candidate 96",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: srt-gpt-oss-20b}
spec: {modelSizeRange: {min: 115B, max: 125B}}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: srt-gpt-oss-20b}
spec: {modelSizeRange: {min: 19B, max: 22B}}
""",
)

_SIZE = re.compile(r"(?<![a-z0-9])(?<!x)(\d+)(?:-(\d+))?([bm])(?![a-z0-9]|-\d+e(?![a-z0-9]))")
_UNITS = {"b": 1e9, "m": 1e6}
_TOLERANCE = 2.0
"""Names round, and packed weights count less: a model called 20b may have 12 billion values in its files."""


def check(context: Context) -> Iterator[Fault]:
    for matcher in context.matchers:
        bounds, runtime = matcher.size_range, matcher.resource
        named = sizes_in(runtime.name) if bounds is not None else ()
        if bounds is None or len(named) == 0:
            continue
        low = bounds.min / _TOLERANCE if bounds.min_text is not None else 0.0
        high = bounds.max * _TOLERANCE if bounds.max_text is not None else float("inf")
        if not any(low <= size <= high for _, size in named):
            text = named[0][0]
            message = f"the range {bounds.label} does not hold the {text.upper()} in the runtime's name"
            yield Fault(runtime, ("spec", "modelSizeRange"), message, key=True)


def sizes_in(name: str) -> list[tuple[str, float]]:
    """The sizes that a name of a model or runtime holds, each with all that it may mean: ``1-5b`` is 1.5B or 5B.

    ``3-70b`` is 70B: nobody writes sizes above 1B with two decimals. ``17b-16e`` is the active part of a mixture of
    experts, and no size.
    """
    found = []
    for match in _SIZE.finditer(name.lower()):
        whole, part, unit = match.groups()
        if part is not None and (len(part) == 1 or whole == "0"):
            found.append((f"{whole}.{part}{unit}", float(f"{whole}.{part}") * _UNITS[unit]))
        found.append((f"{part or whole}{unit}", float(part or whole) * _UNITS[unit]))
    return found
