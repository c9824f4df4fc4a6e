"""Facts of a model that its manifest leaves open, and whether they could change which runtime serves it.

OME fills unset facts from the weights after the objects are applied, and selects again. omec answers on the given
facts alone; where some reading of the weights would lead to another answer, it says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar

import msgspec

from omec.catalog import Resource
from omec.resolve.decide import Decider, Decision
from omec.resolve.facts import ModelFacts
from omec.resolve.match import Demands, RuntimeMatcher
from omec.resolve.open_facts import (
    ARCHITECTURE,
    FORMAT,
    FORMAT_VERSION,
    FRAMEWORK,
    PIPELINE,
    QUANTIZATION,
    SIZE,
    OpenFacts,
    in_order,
    open_facts,
)
from omec.resolve.prospects import Prospects
from omec.resolve.readings import ANY_ARCHITECTURE, adverse, can_match, favourable, sized, sizes

Answer = TypeVar("Answer")


class UnknownFact(msgspec.Struct, frozen=True):
    """A decision that hangs on open facts.

    ``fields`` are those that matter, ``values`` an example of what the weights could say about them, ``outcome`` what
    OME would then do (a phrase), ``named`` whether the service names its runtime.
    """

    decision: Decision
    fields: tuple[str, ...]
    values: tuple[tuple[str, str], ...]
    outcome: str
    named: bool

    @property
    def example(self) -> str:
        """``values`` as a phrase."""
        return ", ".join(f"{field} {value}" for field, value in self.values)


def undetermined(decider: Decider, decision: Decision) -> UnknownFact | None:
    """Whether some reading of the weights changes the decision, with an example; ``None`` where none can.

    For a named runtime that means whether it declares support for the model.
    """
    if decision.model is None:
        return None
    facts = open_facts(decision.model)
    if not facts.fields:
        return None
    if decision.named is not None:
        return _undetermined_support(decision, facts, decision.named.matcher)
    # A repository may hold a hundred models that give no facts at all: the question is put once for all alike.
    question = ("choice", facts.key, decider.candidates.scope(decision.namespace), decision.demands, decision.automatic)
    other = decider.candidates.memo(question, lambda: _other_choice(decider, decision, facts))
    if other is None:
        return None
    outcome = "OME would find no runtime" if other.chosen is None else f"OME would choose {other.chosen.ref}"
    return UnknownFact(decision, other.fields, _values(other.fields, other.reading), outcome, named=False)


class _OtherChoice(msgspec.Struct, frozen=True):
    """A reading that makes OME choose another runtime, or none; ``fields`` are the open facts that matter."""

    reading: ModelFacts
    chosen: Resource | None
    fields: tuple[str, ...]


def _other_choice(decider: Decider, decision: Decision, facts: OpenFacts) -> _OtherChoice | None:
    pool, demands = decider.candidates.visible_from(decision.namespace), decision.demands
    # Models that differ in nothing but their size are many, and differ only in what that size leaves of a situation.
    question = ("prospects", facts.unsized_key, pool, demands, decision.automatic is None)
    prospects = decider.candidates.memo(
        question, lambda: Prospects(pool, facts, demands, chosen=decision.automatic is not None)
    )
    for situation in prospects.situations():
        readings = sized(situation.reading, sizes(facts, situation.runtimes))
        found = _first_change(readings, partial(situation.choice, demands), decision.automatic)
        if found is not None:
            return _OtherChoice(*found, _decisive(facts, prospects.runtimes))
    return None


def _undetermined_support(decision: Decision, facts: OpenFacts, matcher: RuntimeMatcher | None) -> UnknownFact | None:
    if matcher is None or matcher.disabled:
        return None

    def declares(reading: ModelFacts) -> bool | None:
        return matcher.verdict(reading, decision.demands).compatible if reading.format.name else None

    given = declares(facts.given)
    candidates = adverse(facts, [matcher]) if given else favourable(facts, [matcher])
    if given is None:
        candidates = chain(candidates, adverse(facts, [matcher]))
    with_sizes = sizes(facts, [matcher])
    found = _first_change(chain.from_iterable(sized(each, with_sizes) for each in candidates), declares, given)
    if found is None:
        return None
    reading, declared = found
    outcome = f"{matcher.resource.name} {'would' if declared else 'would not'} declare support"
    fields = _decisive(facts, [matcher])
    return UnknownFact(decision, fields, _values(fields, reading), outcome, named=True)


def _first_change(
    readings: Iterable[ModelFacts], answer: Callable[[ModelFacts], Answer], given: Answer
) -> tuple[ModelFacts, Answer] | None:
    for reading in readings:
        if (changed := answer(reading)) != given:
            return reading, changed
    return None


def unknown_for_runtime(facts: OpenFacts, matcher: RuntimeMatcher, demands: Demands) -> tuple[str, ...]:
    """The open facts that the verdict about one runtime hangs on; none where it fails whatever the weights say."""
    if not facts.fields or matcher.refusal(demands) is not None:
        return ()
    return _decisive(facts, [matcher]) if can_match(facts, matcher) else ()


def _decisive(facts: OpenFacts, matchers: Sequence[RuntimeMatcher]) -> tuple[str, ...]:
    """The open facts worth writing down: an optional one only where some runtime asks for it."""
    entries = [entry for matcher in matchers for entry in can_match(facts, matcher)]
    needless = set()
    if not any(matcher.size_range is not None for matcher in matchers):
        needless.add(SIZE)
    if not any(entry.pipeline is not None for entry in entries):
        needless.add(PIPELINE)
    if not any(entry.quantization is not None for entry in entries):
        needless.add(QUANTIZATION)
    return in_order(facts.fields - needless)


def _values(fields: Sequence[str], reading: ModelFacts) -> tuple[tuple[str, str], ...]:
    """What ``reading`` says about the open facts that matter, as far as it can be shown in a word."""
    framework = reading.framework
    shown = {
        FORMAT: f"{reading.format.name} {reading.format.version or ''}".strip(),
        FORMAT_VERSION: reading.format.version,
        FRAMEWORK: framework and f"{framework.name} {framework.version or ''}".strip(),
        ARCHITECTURE: "any other" if reading.architecture == ANY_ARCHITECTURE else reading.architecture,
        QUANTIZATION: reading.quantization,
        SIZE: reading.size,
    }
    return tuple((field, value) for field in fields if (value := shown.get(field)))
