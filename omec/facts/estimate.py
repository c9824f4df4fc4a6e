"""The parameter count that a model's dimensions suggest, where no weights can be counted."""

from __future__ import annotations

from omec.facts.int64 import wrap


def dense(hidden: int, layers: int, vocabulary: int) -> int:
    """Embedding plus twelve hidden² a layer. Source: reference 08 §5.4."""
    return wrap(vocabulary * hidden + 12 * layers * hidden * hidden)


def mixture_of_experts(
    hidden: int, layers: int, vocabulary: int, *, intermediate: int, expert_intermediate: int, experts: int, shared: int
) -> int:
    """Embedding and, a layer, attention, shared experts, experts, router and norms. Source: reference 08 §5.4."""
    attention = 4 * hidden * hidden
    shared_experts = shared * 2 * hidden * intermediate
    routed_experts = experts * 2 * hidden * (expert_intermediate or intermediate)
    router = hidden * experts
    norms = 2 * hidden
    return wrap(hidden * vocabulary + layers * (attention + shared_experts + routed_experts + router + norms))
