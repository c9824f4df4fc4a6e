"""What would have to change for another runtime to be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omec.resolve.decide import Decision
from omec.resolve.match import Check, RuntimeVerdict

LISTED = 3
"""Runtimes that are named of each kind: runners-up, skipped ones, excluded ones."""

MAX_OBSTACLES = 2
"""An excluded runtime with more obstacles than these is no near miss."""


def nearest_misses(decision: Decision) -> list[str]:
    """One line for each runtime that came close: runners-up first, then those with the fewest obstacles."""
    if decision.selection is None:
        return []
    ranking = decision.selection.ranking
    lines = [_line(verdict, _how_to_win(verdict, ranking)) for verdict in ranking[1 : LISTED + 1]]
    lines += [_line(verdict, _how_to_be_choosable(verdict)) for verdict in decision.selection.skipped[:LISTED]]
    excluded = decision.selection.judged.excluded_nearby()  # a runtime for another architecture is never near
    obstacles = [(list(_obstacles(verdict)), verdict) for verdict in excluded]
    near = sorted(
        (each for each in obstacles if len(each[0]) <= MAX_OBSTACLES),
        key=lambda each: (len(each[0]), not each[1].runtime.namespaced, each[1].resource.name),
    )
    return lines + [_line(verdict, "; ".join(found)) for found, verdict in near[:LISTED]]


def _line(verdict: RuntimeVerdict, text: str) -> str:
    return f"{verdict.resource.ref}: {text}"


def _how_to_win(verdict: RuntimeVerdict, ranking: Sequence[RuntimeVerdict]) -> str:
    winner = ranking[0]
    leader = next(each for each in ranking if each.runtime.namespaced == verdict.runtime.namespaced)
    parts = [] if verdict is leader else [_how_to_outrank(verdict, leader)]
    if leader is not winner:
        parts.append(f"{winner.resource.name} comes first as a ServingRuntime of the namespace, whatever the scores")
    return "; ".join(parts)


def _how_to_outrank(verdict: RuntimeVerdict, leader: RuntimeVerdict) -> str:
    """What would put ``verdict`` before the first runtime of the same scope."""
    first = leader.resource.name
    if verdict.score < leader.score:
        state = f"score {verdict.score} is below {first}'s {leader.score}"
    elif verdict.distance - leader.distance >= 1:
        state = f"score {verdict.score} ties with {first}, whose size range is closer to the model's size"
    else:
        state = f"score {verdict.score} ties with {first}, which comes first by name"
    entries = [entry for entry in verdict.runtime.entries if entry.auto_select is not False]
    best = max(entries, key=lambda entry: entry.score(verdict.model, 1))
    weight = best.score(verdict.model, 1)
    priority = leader.score // weight + 1 if weight > 0 else 0
    if not 0 < priority < 2**31:
        return state
    return f"{state}; priority {priority} on supportedModelFormats[{best.index}] would put it before {first}"


def _how_to_be_choosable(verdict: RuntimeVerdict) -> str:
    assert verdict.entry is not None
    entry = f"supportedModelFormats[{verdict.entry.index}]"
    if not verdict.entry.auto_select:
        return f"serves the model, but automatic selection needs autoSelect: true on {entry}"
    return f"serves the model, but its score is 0; raise the weights of {entry}"


def _obstacles(verdict: RuntimeVerdict) -> Iterator[str]:
    """Everything that keeps an excluded runtime from serving the model, by its best entry."""
    runtime, model, demands = verdict.runtime, verdict.model, verdict.demands
    if runtime.disabled:
        yield "it is disabled"
    if missing := sorted(demands.classes - runtime.classes):
        yield f"it does not list accelerator class {', '.join(missing)}"
    if (conflict := runtime.mode_conflict(demands)) is not None:
        component, mode, requested = conflict
        yield f"its {component} is for {mode}, the service asks for {requested}"
    entries = [entry for entry in runtime.entries if None in (entry.architecture, model.architecture)]
    entries += [entry for entry in runtime.entries if entry.architecture == model.architecture]
    if not entries:
        yield from ["it has no supportedModelFormats"] * (MAX_OBSTACLES + 1)
        return
    yield from min((list(entry.mismatches(model)) for entry in entries), key=len)
    in_range = runtime.size_range is None or model.size is None or runtime.size_range.contains(model.size_value)
    if not in_range and runtime.size_range is not None:
        yield f"its size range {runtime.size_range.label} does not hold {model.size}"
    if verdict.failed in (Check.FORMAT, Check.SIZE) and not runtime.auto_select:
        yield "no entry sets autoSelect: true"
