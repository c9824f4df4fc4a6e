"""What OME's webhook refuses of an InferenceService as a whole (reference 09 §A4, rows 0b, 1, 8 and 11)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from omec.api.gotext import quoted
from omec.compile.inputs import Service
from omec.compile.names import COMPONENTS
from omec.compile.problems import Origin, Place, Problem, Steps
from omec.compile.service_rules import DECODER_ALONE, NO_IMAGE, SCALING_MODE, SERVICE_NAME
from omec.finding import Rule

_NAME = re.compile("[a-z]([-a-z0-9]*[a-z0-9])?")
_IMPLEMENTED = "Independent"


def service_refusals(service: Service) -> Iterator[Problem]:
    """The faults of ``service`` in the order in which the webhook looks for them."""
    spec = service.spec
    mode = (spec.get("scalingPolicy") or {}).get("mode") or _IMPLEMENTED
    if mode != _IMPLEMENTED:
        message = f"spec.scalingPolicy.mode {mode} is not implemented; use {_IMPLEMENTED} (ScalingModeNotImplemented)"
        yield _problem(SCALING_MODE, ("spec", "scalingPolicy", "mode"), message)
    if not _NAME.fullmatch(service.name):
        message = f'invalid InferenceService name {quoted(service.name)}, must match "{_NAME.pattern}"'
        yield _problem(SERVICE_NAME, ("metadata", "name"), message)
    if isinstance(spec.get("decoder"), Mapping) and not isinstance(spec.get("engine"), Mapping):
        yield _problem(DECODER_ALONE, ("spec", "decoder"), "decoder cannot be specified without engine")
    if spec.get("model") is None and spec.get("runtime") is None:
        yield from _without_image(spec)


def _without_image(spec: Mapping[str, Any]) -> Iterator[Problem]:
    for name in COMPONENTS:
        component = spec.get(name)
        parts = [component.get(part) for part in ("leader", "worker")] if isinstance(component, Mapping) else []
        images = [_image(part) for part in parts if isinstance(part, Mapping)]
        if len(images) == 2 and not all(images):
            message = (
                f"MultiPodLeanModelNeedsRunner: {name} is multi-pod with no spec.model and no spec.runtime, but "
                f'{name}.leader.runner.image ("{images[0]}") or {name}.worker.runner.image ("{images[1]}") is '
                "empty; multi-pod lean specs must declare both runner images"
            )
            yield _problem(NO_IMAGE, ("spec", name, "worker" if images[0] else "leader"), message)


def _image(part: Mapping[str, Any]) -> str:
    return (part.get("runner") or {}).get("image") or ""


def _problem(rule: Rule, steps: Steps, message: str) -> Problem:
    return Problem(rule, message, Place(Origin.SERVICE, steps), rule.remedy)
