"""``lean-multi-pod-without-image``: several pods, and nothing that says what they run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.compile.names import COMPONENTS
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME508",
    "lean-multi-pod-without-image",
    Severity.ERROR,
    "A component of several pods has no image, and the service names neither a model nor a runtime",
    why="OME's webhook refuses the service: nothing else could say what leader and workers run.",
    fix="Name a runtime, or give leader and worker a runner with an image.",
    source="reference 09 §A4, row 11",
    bad="""\
engine:
  leader: {runner: {name: ome-container, image: "example.com/engine:v1"}}
  worker: {}
""",
    good="""\
runtime: {name: two-nodes}
engine:
  leader: {}
  worker: {}
""",
)


def check(context: Context) -> Iterator[Fault]:
    for service in context.services:
        if service.spec.get("model") is not None or service.spec.get("runtime") is not None:
            continue
        for name in COMPONENTS:
            component = service.spec.get(name)
            parts = [component.get(part) for part in ("leader", "worker")] if isinstance(component, dict) else []
            images = [_image(part) for part in parts if isinstance(part, dict)]
            if len(images) == 2 and not all(images):
                message = (
                    f"MultiPodLeanModelNeedsRunner: {name} is multi-pod with no spec.model and no spec.runtime, but "
                    f'{name}.leader.runner.image ("{images[0]}") or {name}.worker.runner.image ("{images[1]}") is '
                    "empty; multi-pod lean specs must declare both runner images"
                )
                yield Fault(service, ("spec", name, "worker" if images[0] else "leader"), message, key=True)


def _image(part: Mapping[str, Any]) -> str:
    return (part.get("runner") or {}).get("image") or ""
