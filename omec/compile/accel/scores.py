"""How well a class suits a service, for the policies that weigh (reference 03 §6.3 and §6.4)."""

from __future__ import annotations

from collections.abc import Sequence

from omec.compile.accel.classes import GIB, AcceleratorClass
from omec.compile.accel.constraints import Constraints, lowered

_USUAL_PRECISION = "fp16"
_DISCOUNT = 0.5
"""What each step down the list of preferred precisions costs."""


def best_fit(candidate: AcceleratorClass, wanted: Constraints) -> float:
    """Little waste of memory, and enough throughput: from 0 to 1, for negative constraints below 0."""
    return 0.70 * _memory_fit(candidate, wanted) + 0.30 * _throughput_fit(candidate, wanted)


def most_capable(candidates: Sequence[AcceleratorClass], wanted: Constraints) -> list[float]:
    """How near each of ``candidates`` comes to the best of them in memory, bandwidth and throughput: from 0 to 1."""
    columns = (
        (0.5, [(candidate.memory or 0) / GIB for candidate in candidates]),
        (0.3, [float(candidate.bandwidth) for candidate in candidates]),
        (0.2, [float(_preferred_throughput(candidate, wanted)) for candidate in candidates]),
    )
    scores = [0.0] * len(candidates)
    for weight, column in columns:
        most = max(column, default=0.0)
        if most > 0:
            scores = [score + weight * (value / most) for score, value in zip(scores, column, strict=True)]
    return scores


def _memory_fit(candidate: AcceleratorClass, wanted: Constraints) -> float:
    if wanted.min_memory is None:
        return 1.0
    if candidate.memory is None:
        return 0.0
    memory, required = candidate.memory / GIB, float(wanted.min_memory)
    if memory < required or (required == 0 and memory > 0):
        return 0.0
    return 1.0 if memory == required else 1.0 / (memory / required)


def _throughput_fit(candidate: AcceleratorClass, wanted: Constraints) -> float:
    if candidate.throughput is None:
        return 0.0
    if not wanted.precisions:
        return _sufficiency(max(candidate.throughput.values()), wanted)
    factor = 1.0
    for precision in wanted.precisions:
        if (throughput := candidate.throughput_of(precision)) > 0:
            return _sufficiency(throughput, wanted) * factor
        factor *= _DISCOUNT
    if _USUAL_PRECISION in map(lowered, wanted.precisions):
        return 0.0
    return _sufficiency(candidate.throughput_of(_USUAL_PRECISION), wanted) * factor


def _sufficiency(throughput: int, wanted: Constraints) -> float:
    if throughput <= 0:
        return 0.0
    return min(1.0, throughput / wanted.min_throughput) if wanted.min_throughput else 1.0


def _preferred_throughput(candidate: AcceleratorClass, wanted: Constraints) -> int:
    """That of the first preferred precision for which the class states one."""
    precisions = wanted.precisions or (_USUAL_PRECISION,)
    return next(filter(None, map(candidate.throughput_of, precisions)), 0)
