"""Ranking and selection: the vectors of reference 01 §10.1, §10.3, §10.4, §13.2, §14.3."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.resolve.candidates import Candidates
from omec.resolve.match import Demands, RuntimeVerdict
from omec.resolve.ranking import rank
from omec.resolve.select import ErrorKind, Selection
from tests.resolve.builders import UNSET, Body, bare_runtime, catalog, entry, facts, matcher, runtime


def selection(*runtimes: Body, model: Any = None, namespace: str = "demo", demands: Demands | None = None) -> Selection:
    candidates = Candidates(catalog(*runtimes)).visible_from(namespace)
    return Selection(model or facts(), namespace, candidates, demands or Demands())


def names(found: Selection) -> list[str]:
    return [verdict.resource.name for verdict in found.ranking]


def scored(name: str, score: int, namespace: str | None = None, **size: str) -> Body:
    """A runtime with a score (format weight, with framework weight 1) and perhaps a size range."""
    spec = {"modelSizeRange": size} if size else {}
    return runtime(name, entry(modelFormat={"weight": score - 1}), namespace=namespace, **spec)


# Reference 01 §10.3: runtimes, the model's size, the order.
ORDERS: list[tuple[list[Body], str | None, list[str]]] = [
    ([scored("low", 5), scored("high", 36)], None, ["high", "low"]),
    (
        [scored("far", 10, min="20B", max="30B"), scored("close", 10, min="5B", max="10B")],
        "7B",
        ["close"],  # the other does not hold the size; their order is tested by itself
    ),
    ([scored("cluster-rt", 10), scored("ns-rt", 10, "demo")], None, ["ns-rt", "cluster-rt"]),
    (
        [scored("multi-format-rt", 5, "demo"), scored("cluster-pytorch-rt", 7), scored("pytorch-rt", 20, "demo")],
        None,
        ["pytorch-rt", "multi-format-rt", "cluster-pytorch-rt"],
    ),
    ([scored("b", 5), scored("a", 5)], None, ["a", "b"]),
    ([scored("r2", 5, min="2B", max="4B"), scored("r1", 5)], "3.21B", ["r1", "r2"]),
    ([scored("r1", 5, min="2B", max="4B"), scored("a2", 5, min="1B", max="70B")], None, ["a2", "r1"]),
    ([scored("x", 5, min="3.21B"), scored("a", 5)], "3.21B", ["a", "x"]),
    ([scored("rt-2", 5), scored("rt-10", 5), scored("a1", 5), scored("a.1", 5), scored("a-1", 5)], None,
     ["a-1", "a.1", "a1", "rt-10", "rt-2"]),
    # Below one parameter, distances tie.
    ([scored("z", 5, min="1B", max="8B"), scored("b", 5, min="1B", max="8000.0000003M")], "3.21B", ["b", "z"]),
    ([scored("z", 5, min="1B", max="8B"), scored("a", 5, min="1B", max="8000.000001M")], "3.21B", ["z", "a"]),
]  # fmt: skip


@pytest.mark.parametrize(("runtimes", "size", "order"), ORDERS)
def test_order(runtimes: list[Body], size: str | None, order: list[str]) -> None:
    model = facts(modelParameterSize=UNSET if size is None else size)
    assert names(selection(*runtimes, model=model)) == order


def test_closer_range_ranks_first() -> None:
    """Reference 01 §10.3: 5e9 against 36e9, both score 10."""
    model = facts(modelParameterSize="7B")
    bodies = [scored("far", 10, min="20B", max="30B"), scored("close", 10, min="5B", max="10B")]
    verdicts = [RuntimeVerdict(matcher(body), model, Demands(), None, score=10) for body in bodies]
    assert [(verdict.resource.name, verdict.distance) for verdict in rank(verdicts)] == [("close", 5e9), ("far", 36e9)]


def test_worked_example() -> None:
    """Reference 01 §10.4."""
    example = [
        runtime("team-llama", namespace="llama-demo"),
        runtime("vllm-llama", entry(modelFormat={"weight": 2}, priority=2)),
        runtime("srt-llama-small", entry(priority=3), modelSizeRange={"min": "1B", "max": "8B"}),
        runtime("srt-llama-large", entry(priority=3), modelSizeRange={"min": "1B", "max": "70B"}),
    ]
    model = facts(modelParameterSize="3.21B")
    found = selection(*example, model=model, namespace="llama-demo")
    assert [(v.resource.name, v.score, v.distance) for v in found.ranking] == [
        ("team-llama", 2, 0),
        ("vllm-llama", 6, 0),
        ("srt-llama-small", 6, 7e9),
        ("srt-llama-large", 6, 69e9),
    ]
    example[2]["spec"]["supportedModelFormats"][0]["priority"] = 4
    found = selection(*example, model=model, namespace="llama-demo")
    assert names(found) == ["team-llama", "srt-llama-small", "vllm-llama", "srt-llama-large"]
    assert names(selection(*example, model=model, namespace="other"))[0] == "srt-llama-small"


OTHER = "Other"
GGUF = entry(modelFormat={"name": "gguf"})

# Reference 01 §10.1 (cross-entry vectors) and §14.3: entries, score or None, reason where it is skipped.
NO_AUTO_SELECT = (
    "supports the model but has no supportedModelFormats[].autoSelect=true entry, so automatic selection skips it "
    "(pin it explicitly via spec.runtime.name instead)"
)
NOT_THIS_ENTRY = (
    "matching format safetensors is not autoSelect-enabled (a different supportedModelFormats entry on this runtime "
    "has autoSelect=true, but not the one that matches this model)"
)
CROSS_ENTRIES: list[tuple[list[Body], int | None, str | None]] = [
    ([entry(autoSelect=False), entry(modelArchitecture=OTHER, priority=5)], 10, None),
    (
        [
            entry(autoSelect=False),
            entry(
                modelArchitecture=OTHER,
                priority=5,
                modelFormat={"version": UNSET},
                modelFramework={"version": UNSET},
            ),
        ],
        10,
        None,
    ),
    ([entry(autoSelect=False), GGUF], None, NOT_THIS_ENTRY),
    ([entry(autoSelect=UNSET), GGUF], 2, None),
    ([entry(autoSelect=UNSET)], None, NO_AUTO_SELECT),
    ([entry(autoSelect=False)], None, NO_AUTO_SELECT),
    ([entry(), entry(modelFramework={"version": "4.46.0", "weight": 100})], 2, None),
    ([entry(autoSelect=UNSET, modelFormat={"weight": -5}), GGUF], None, NOT_THIS_ENTRY),
    ([entry(modelFormat={"weight": -1})], None, "auto-select score is 0"),
    ([entry(priority=0)], None, "auto-select score is 0 (format priority 0)"),
]


@pytest.mark.parametrize(("entries", "score", "reason"), CROSS_ENTRIES)
def test_cross_entries(entries: list[Body], score: int | None, reason: str | None) -> None:
    found = selection(runtime("rt", *entries))
    verdict = found.verdicts[0]
    assert verdict.compatible
    assert (verdict.entry and verdict.entry.index) == 0
    assert verdict.skip_reason == reason
    assert [v.score for v in found.ranking] == ([] if score is None else [score])
    assert len(found.skipped) == (score is None)


def test_disabled_and_of_the_wrong_format() -> None:
    found = selection(runtime("rt", GGUF, disabled=True))
    assert found.verdicts[0].skip_reason == "runtime is disabled"


def _none_found(tail: str) -> str:
    return f"no runtime found to support model safetensors with format safetensors in namespace demo{tail}"


QWEN = facts(modelArchitecture="Qwen2ForCausalLM", modelFramework={"version": "4.40.1"})
A100 = Demands(classes=frozenset({"nvidia-a100"}))

# Reference 01 §13.2: runtimes, model, demands, text.
ERRORS: list[tuple[list[Body], Any, Demands, str]] = [
    ([], facts(), Demands(), _none_found("")),
    (
        [runtime("a", entry(autoSelect=UNSET)), runtime("b", entry(autoSelect=False))],
        facts(),
        Demands(),
        _none_found(". Checked 2 runtimes (0 namespace-scoped, 2 cluster-scoped)"),
    ),
    (
        [
            runtime(
                "srt-mistral-7b-instruct",
                entry(modelArchitecture="MistralForCausalLM", modelFramework={"version": "4.36.0"}),
            ),
            runtime(
                "srt-qwen2-5-7b",
                entry(
                    modelArchitecture="Qwen2ForCausalLM",
                    modelFramework={"version": "4.40.1"},
                    autoSelect=False,
                ),
            ),
        ],
        QWEN,
        Demands(),
        _none_found(
            ". Checked 2 runtimes (0 namespace-scoped, 2 cluster-scoped). Excluded runtimes: srt-mistral-7b-instruct "
            "(model format 'mt:safetensors:1.0.0:Qwen2ForCausalLM:transformers:4.40.1' not in supported formats: "
            "architecture mismatch (model=Qwen2ForCausalLM, runtime=MistralForCausalLM), framework version mismatch "
            "(model=4.40.1, runtime=4.36.0))"
        ),
    ),
    (
        [runtime("llama-3-3-70b-hopper")],
        facts(),
        A100,
        _none_found(
            ". Checked 1 runtimes (0 namespace-scoped, 1 cluster-scoped). Excluded runtimes: llama-3-3-70b-hopper "
            "(runtime does not support the required accelerator class)"
        ),
    ),
    (
        [runtime("b", modelSizeRange={"min": "1B", "max": "10B"}), runtime("a", disabled=True)],
        facts(modelParameterSize="70B"),
        Demands(),
        _none_found(
            ". Checked 2 runtimes (0 namespace-scoped, 2 cluster-scoped). Excluded runtimes: a (runtime is disabled); "
            "b (model size 70B is outside supported range [1B, 10B])"
        ),
    ),
    # Of two excluded runtimes of one name, only the cluster's reason shows.
    (
        [runtime("a", disabled=True, namespace="demo"), runtime("a", modelSizeRange={"max": "1B"})],
        facts(modelParameterSize="7B"),
        Demands(),
        _none_found(
            ". Checked 2 runtimes (1 namespace-scoped, 1 cluster-scoped). Excluded runtimes: a (model size 7B is "
            "outside supported range (-inf, 1B])"
        ),
    ),
]


@pytest.mark.parametrize(("runtimes", "model", "demands", "text"), ERRORS)
def test_no_runtime_found(runtimes: list[Body], model: Any, demands: Demands, text: str) -> None:
    found = selection(*runtimes, model=model, demands=demands)
    assert (found.error_kind, found.error) == (ErrorKind.NO_RUNTIME_FOUND, text)
    assert found.selected is None


def test_model_without_a_format_is_refused_before_anything_is_judged() -> None:
    found = selection(runtime(), model=facts(modelFormat=UNSET))
    assert found.error == "invalid model specification: modelFormat.name: model format name is required"
    assert found.error_kind is ErrorKind.MODEL_VALIDATION
    assert found.verdicts == ()


def test_candidates_are_those_of_the_namespace_and_of_the_cluster() -> None:
    runtimes = [runtime("mine", namespace="demo"), runtime("theirs", namespace="other"), runtime("everyones")]
    assert names(selection(*runtimes)) == ["mine", "everyones"]
    candidates = Candidates(catalog(*runtimes))
    assert (candidates.scope("demo"), candidates.scope("third")) == ("demo", None)


def test_selection_sees_nothing_that_is_inherited() -> None:
    """Reference 02 §5, S1 and S3."""
    profile = runtime("profile", disabled=True)
    child = bare_runtime("child", "profile")
    found = selection(profile, child)
    assert {verdict.resource.name: verdict.reason for verdict in found.excluded} == {
        "child": "model format 'mt:safetensors:1.0.0:LlamaForCausalLM:transformers:4.45.0.dev0' not in supported "
        "formats: no supported formats defined",
        "profile": "runtime is disabled",
    }


ranges = st.sampled_from([{}, {"min": "1B"}, {"max": "8B"}, {"min": "1B", "max": "8B"}, {"max": "8000.0000003M"}])
runtimes = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from([None, "demo"]), st.integers(1, 3), ranges),
    max_size=8,
    unique_by=lambda each: each[:2],
)


@given(runtimes, st.sampled_from([None, "3.21B", "1B"]), st.randoms(use_true_random=False))
def test_ranking_depends_on_nothing_but_the_runtimes(
    found: list[tuple[str, str | None, int, dict[str, str]]], size: str | None, shuffle: random.Random
) -> None:
    model = facts(modelParameterSize=UNSET if size is None else size)
    bodies = [runtime(name, entry(priority=p), namespace=ns, modelSizeRange=size_range)
              for name, ns, p, size_range in found]  # fmt: skip
    verdicts = [matcher(body).verdict(model) for body in bodies]
    ranked = [verdict.resource.ref for verdict in rank(verdicts)]
    assert sorted(ranked) == sorted(verdict.resource.ref for verdict in verdicts)
    shuffle.shuffle(verdicts)
    assert [verdict.resource.ref for verdict in rank(verdicts)] == ranked


@given(runtimes)
def test_ranking_puts_scope_and_score_first(found: list[tuple[str, str | None, int, dict[str, str]]]) -> None:
    bodies = [runtime(name, entry(priority=p), namespace=ns) for name, ns, p, _ in found]
    ranked = rank(matcher(body).verdict(facts()) for body in bodies)
    keys = [(not verdict.runtime.namespaced, -verdict.score, verdict.resource.name) for verdict in ranked]
    assert keys == sorted(keys)


@given(runtimes, st.sampled_from([None, "3.21B", "1B"]))
def test_ranking_is_an_insertion_sort_from_the_names(
    found: list[tuple[str, str | None, int, dict[str, str]]], size: str | None
) -> None:
    """What Go does with up to twelve runtimes, spelt out: distances below one parameter tie, which no key can say."""
    model = facts(modelParameterSize=UNSET if size is None else size)
    bodies = [runtime(name, entry(priority=p), namespace=ns, modelSizeRange=size_range)
              for name, ns, p, size_range in found]  # fmt: skip
    verdicts = [matcher(body).verdict(model) for body in bodies]

    def outranks(a: RuntimeVerdict, b: RuntimeVerdict) -> bool:
        if a.runtime.namespaced != b.runtime.namespaced:
            return a.runtime.namespaced
        return a.score > b.score if a.score != b.score else b.distance - a.distance >= 1

    plain: list[RuntimeVerdict] = []
    for verdict in sorted(verdicts, key=lambda v: (not v.runtime.namespaced, v.resource.name)):
        place = len(plain)
        while place and outranks(verdict, plain[place - 1]):
            place -= 1
        plain.insert(place, verdict)
    assert rank(verdicts) == plain
