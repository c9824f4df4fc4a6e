"""How long probes let a container take to start, and how long a model may take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from omec.api.size import parse_size
from omec.lint.pods.view import Pod

_GENEROUS = ((14e9, 600), (80e9, 1200))
_GENEROUS_ABOVE = 2400
_SCARCE = ((14e9, 120), (80e9, 300))
_SCARCE_ABOVE = 600


class Budget(NamedTuple):
    """How many seconds a probe gives, and the arithmetic."""

    seconds: int
    arithmetic: str


class StartTime(NamedTuple):
    """How many seconds to allow a model of a certain size: ``least`` hardly ever suffices, ``advised`` does."""

    least: int
    advised: int
    size: str


def budget(probe: Mapping[str, Any]) -> Budget:
    """The time until a container that answers none of the probes is restarted; Kubernetes' defaults filled in."""
    delay = _number(probe, "initialDelaySeconds", 0)
    period = _number(probe, "periodSeconds", 10) or 10
    threshold = _number(probe, "failureThreshold", 3) or 3
    text = f"{delay} + {period} x {threshold}" if delay else f"{period} x {threshold}"
    return Budget(delay + period * threshold, f"{text} = {delay + period * threshold} s")


def start_time(pod: Pod) -> StartTime:
    """What to allow the largest model that the pod's runtime serves, or the model that it gets."""
    use = pod.origin.use
    text = None if use is None or use.model is None else use.model.spec.get("modelParameterSize")
    if text is None:
        given = pod.origin.spec.get("modelSizeRange") or {}
        text = given.get("max") or given.get("min")
    size = parse_size(text) if isinstance(text, str) else 0.0
    shown = f"a model of {text}" if size > 0 else "a model"
    return StartTime(_step(size, _SCARCE, _SCARCE_ABOVE), _step(size, _GENEROUS, _GENEROUS_ABOVE), shown)


def _step(size: float, steps: tuple[tuple[float, int], ...], above: int) -> int:
    return next((seconds for bound, seconds in steps if size <= bound), above)


def _number(probe: Mapping[str, Any], field: str, default: int) -> int:
    value = probe.get(field)
    return value if isinstance(value, int) else default
