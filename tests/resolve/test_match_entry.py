"""Matching one entry: the vectors of reference 01 §4.3, §4.5 and §10.1."""

from __future__ import annotations

from typing import Any

import pytest

from omec.resolve.entry import Entry
from omec.resolve.facts import ModelFacts
from tests.resolve.builders import UNSET, entry, facts, matcher, model_spec, runtime

Changes = dict[str, Any]

ARCH = "modelArchitecture"

# Reference 01 §4.5: number, changes to M, changes to E, reason (None: matches).
VECTORS: list[tuple[int, Changes, Changes, str | None]] = [
    (1, {}, {}, None),
    (
        2,
        {},
        {ARCH: "MistralForCausalLM"},
        "architecture mismatch (model=LlamaForCausalLM, runtime=MistralForCausalLM)",
    ),
    (3, {}, {ARCH: UNSET}, "model has architecture LlamaForCausalLM but runtime has no architecture requirement"),
    (4, {ARCH: UNSET}, {}, "model has no architecture but runtime requires LlamaForCausalLM"),
    (5, {ARCH: UNSET}, {ARCH: UNSET}, None),
    (6, {ARCH: ""}, {ARCH: UNSET}, "model has architecture  but runtime has no architecture requirement"),
    (
        7,
        {ARCH: "llamaforcausallm"},
        {},
        "architecture mismatch (model=llamaforcausallm, runtime=LlamaForCausalLM)",
    ),
    (8, {"quantization": "fp8"}, {}, "model has quantization fp8 but runtime has no quantization requirement"),
    (9, {}, {"quantization": "fp8"}, "model has no quantization but runtime requires fp8"),
    (10, {"quantization": "fp8"}, {"quantization": "int4"}, "quantization mismatch (model=fp8, runtime=int4)"),
    (11, {"modelFormat": {"name": "SafeTensors"}}, {}, "format name mismatch (model=SafeTensors, runtime=safetensors)"),
    (
        12,
        {"modelFormat": {"name": "gguf", "version": "2.0.0"}},
        {},
        "format name mismatch (model=gguf, runtime=safetensors)",
    ),
    (13, {"modelFormat": {"version": "2.0.0"}}, {}, "format version mismatch (model=2.0.0, runtime=1.0.0)"),
    (14, {"modelFormat": {"version": UNSET}}, {}, "model has no format version but runtime requires 1.0.0"),
    (
        15,
        {},
        {"modelFormat": {"version": UNSET}},
        "model has format version but runtime has no version requirement",
    ),
    (16, {"modelFormat": {"version": UNSET}}, {"modelFormat": {"version": UNSET}}, None),
    (
        17,
        {"modelFormat": {"version": ""}},
        {"modelFormat": {"version": ""}},
        "format version mismatch (model=, runtime=)",
    ),
    (
        18,
        {"modelFramework": {"name": "diffusers"}},
        {},
        "framework name mismatch (model=diffusers, runtime=transformers)",
    ),
    (
        19,
        {"modelFramework": {"version": "4.46.0"}},
        {},
        "framework version mismatch (model=4.46.0, runtime=4.45.0.dev0)",
    ),
    (
        20,
        {"modelFramework": {"version": UNSET}},
        {},
        "model has no framework version but runtime requires 4.45.0.dev0",
    ),
    (
        21,
        {},
        {"modelFramework": {"version": UNSET}},
        "model has framework version but runtime has no version requirement",
    ),
    (22, {"modelFramework": UNSET}, {}, "model has no framework but runtime requires transformers"),
    (
        23,
        {},
        {"modelFramework": UNSET},
        "model has framework transformers but runtime has no framework requirement",
    ),
    (24, {"modelFramework": UNSET}, {"modelFramework": UNSET}, None),
    (25, {}, {"modelFormat": UNSET}, "unknown mismatch"),
    (26, {"diffusionPipeline": {"className": "X"}}, {}, None),
    (
        27,
        {ARCH: "Qwen2ForCausalLM", "modelFramework": {"version": "4.40.1"}},
        {ARCH: "MistralForCausalLM", "modelFramework": {"version": "4.36.0"}},
        "architecture mismatch (model=Qwen2ForCausalLM, runtime=MistralForCausalLM), "
        "framework version mismatch (model=4.40.1, runtime=4.36.0)",
    ),
    (
        28,
        {ARCH: "X", "quantization": "fp8"},
        {ARCH: "Y", "quantization": "int4"},
        "architecture mismatch (model=X, runtime=Y), quantization mismatch (model=fp8, runtime=int4)",
    ),
]

# Reference 01 §4.3.
LABELS: list[tuple[dict[str, Any], str]] = [
    ({"modelFormat": {"name": "pytorch"}}, "mt:pytorch"),
    ({"modelFormat": {"name": "pytorch", "version": "1.0.0"}}, "mt:pytorch:1.0.0"),
    (
        {
            "modelFormat": {"name": "pytorch", "version": "1.0.0"},
            "modelArchitecture": "transformer",
            "quantization": "fp16",
            "modelFramework": {"name": "transformers", "version": "4.0.0"},
        },
        "mt:pytorch:1.0.0:transformer:fp16:transformers:4.0.0",
    ),
    (
        {
            "modelFormat": {"name": "safetensors", "version": "1.0.0"},
            "modelArchitecture": "LlamaForCausalLM",
            "modelFramework": {"name": "transformers", "version": "4.46.0"},
        },
        "mt:safetensors:1.0.0:LlamaForCausalLM:transformers:4.46.0",
    ),
    (
        {
            "modelFormat": {"name": "safetensors"},
            "modelArchitecture": "X",
            "modelFramework": {"name": "transformers"},
        },
        "mt:safetensors:X:transformers",
    ),
    (
        {
            "modelFormat": {"name": "diffusers", "version": "0.34.0.dev0"},
            "modelArchitecture": "QwenImagePipeline",
            "modelFramework": {"name": "diffusers", "version": "0.34.0.dev0"},
        },
        "mt:diffusers:0.34.0.dev0:QwenImagePipeline:diffusers:0.34.0.dev0",
    ),
    ({}, "mt:"),
]


@pytest.mark.parametrize(("number", "of_model", "of_entry", "reason"), VECTORS)
def test_entry(number: int, of_model: Changes, of_entry: Changes, reason: str | None) -> None:
    parsed, model = Entry.of(0, entry(**of_entry)), facts(**of_model)
    assert parsed.matches(model) is (reason is None), number
    if reason is not None:
        assert parsed.mismatch(model) == reason


@pytest.mark.parametrize(("spec", "label"), LABELS)
def test_label(spec: dict[str, Any], label: str) -> None:
    assert ModelFacts.of(spec).label == label


def test_operator_is_the_entries() -> None:
    parsed = Entry.of(0, entry(modelFramework={"version": "4.50.0", "operator": "GreaterThanOrEqual"}))
    assert parsed.matches(facts(modelFramework={"version": "4.36.2", "operator": "Equal"}))
    assert not parsed.matches(facts(modelFramework={"version": "4.51.0"}))


def test_sharded_model_matches_no_entry() -> None:
    parsed, model = Entry.of(0, entry()), facts(distribution="Sharded")
    assert not parsed.matches(model)
    assert parsed.mismatch(model) == "no model cache provider is configured for sharded model loading"
    assert parsed.score(model, 1) == 0


def test_values_that_are_no_texts_read_as_written() -> None:
    assert ModelFacts.of({"modelFormat": {"name": "gguf", "version": 1.1}}).label == "mt:gguf:1.1"


# Reference 01 §4.5, whole-runtime reasons.
WHOLE: list[tuple[list[dict[str, Any]], dict[str, Any], str]] = [
    (
        [entry()],
        model_spec(modelFramework={"version": "4.46.0"}),
        "model format 'mt:safetensors:1.0.0:LlamaForCausalLM:transformers:4.46.0' not in supported formats: "
        "framework version mismatch (model=4.46.0, runtime=4.45.0.dev0)",
    ),
    (
        [entry(modelArchitecture="MistralForCausalLM"), entry(modelFormat={"version": "2.0.0"})],
        model_spec(),
        "model format 'mt:safetensors:1.0.0:LlamaForCausalLM:transformers:4.45.0.dev0' not in supported formats: "
        "architecture mismatch (model=LlamaForCausalLM, runtime=MistralForCausalLM); "
        "format version mismatch (model=1.0.0, runtime=2.0.0)",
    ),
    (
        [],
        {"modelFormat": {"name": "safetensors", "version": "1.0.0"}},
        "model format 'mt:safetensors:1.0.0' not in supported formats: no supported formats defined",
    ),
]


@pytest.mark.parametrize(("entries", "model", "reason"), WHOLE)
@pytest.mark.parametrize("absent", [False, True])
def test_whole_runtime(entries: list[dict[str, Any]], model: dict[str, Any], reason: str, absent: bool) -> None:
    body = runtime()
    body["spec"]["supportedModelFormats"] = entries
    if absent and not entries:
        del body["spec"]["supportedModelFormats"]
    assert matcher(body).verdict(ModelFacts.of(model)).reason == reason


def _weighted(format_weight: Any, framework_weight: Any, priority: Any, auto_select: Any) -> dict[str, Any]:
    framework = UNSET if framework_weight == "—" else {"weight": framework_weight}
    return entry(
        modelFormat={"weight": format_weight}, modelFramework=framework, priority=priority, autoSelect=auto_select
    )


# Reference 01 §10.1: entries as (format weight, framework weight, priority, autoSelect), score.
SCORES = [
    ([(UNSET, UNSET, UNSET, True)], 2),
    ([(UNSET, UNSET, 3, True)], 6),
    ([(2, 1, 2, True)], 6),
    ([(10, 5, 3, True)], 45),
    ([(0, UNSET, UNSET, True)], 11),
    ([(UNSET, 0, UNSET, True)], 6),
    ([(0, 0, UNSET, True)], 15),
    ([(0, 0, 2, True)], 30),
    ([(-1, 1, 1, True)], 0),
    ([(-3, 1, 2, True)], 0),
    ([(-1, 5, 2, True)], 8),
    ([(10, UNSET, 2, False)], 0),
    ([(5, 8, 1, True), (10, 8, 2, True)], 36),
    ([(5, 1, 1, True), (50, 1, 9, False)], 6),
    ([(5, 1, 1, UNSET), (1, 1, 1, True)], 6),
    ([(12, "—", UNSET, True)], 12),
    # 64-bit arithmetic wraps around.
    ([(2**62, 2**62, 1, True)], 0),
]


@pytest.mark.parametrize(("entries", "score"), SCORES)
def test_score(entries: list[tuple[Any, Any, Any, Any]], score: int) -> None:
    body = runtime("rt", *(_weighted(*weights) for weights in entries))
    lean = any(framework == "—" for _, framework, _, _ in entries)
    assert matcher(body).score(facts(modelFramework=UNSET) if lean else facts()) == score


@pytest.mark.parametrize(
    ("of_model", "of_entry"),
    [
        ({"modelFramework": {"name": "other"}}, {}),
        ({"modelFramework": UNSET}, {}),
        ({}, {"modelFramework": UNSET}),
        ({"modelFormat": {"name": "gguf"}}, {}),
        ({"modelFormat": {"version": "2.0.0"}}, {}),
    ],
)
def test_no_score(of_model: Changes, of_entry: Changes) -> None:
    assert matcher(runtime("rt", entry(**of_entry))).score(facts(**of_model)) == 0


# Reference 01 §14.2: format weight, framework weight, priority, then PRIORITY, WEIGHT and the entry's score.
SHOWN = [
    (1, 1, UNSET, 1, 2, 2),
    (2, 1, 2, 2, 6, 6),
    (0, 1, 1, 1, 1, 11),
    (0, 0, 2, 2, 0, 30),
    (-1, 5, 2, 2, 10, 8),
]


@pytest.mark.parametrize(("format_weight", "framework_weight", "priority", "shown", "weight", "score"), SHOWN)
def test_shown_weight(
    format_weight: int, framework_weight: int, priority: Any, shown: int, weight: int, score: int
) -> None:
    parsed = Entry.of(0, _weighted(format_weight, framework_weight, priority, True))
    assert (parsed.effective_priority, parsed.shown_weight) == (shown, weight)
    assert parsed.score(facts(), parsed.effective_priority) == score
