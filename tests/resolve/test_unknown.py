"""Open facts: which ones there are, and whether they could change the answer (reference 08 §9; 01 §19)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omec.resolve.entry import Entry
from omec.resolve.facts import ModelFacts
from omec.resolve.open_facts import QUANTIZATIONS, in_order, open_facts
from omec.resolve.ranking import best, rank
from omec.resolve.select import Selection
from omec.resolve.unknown import UnknownFact, undetermined, unknown_for_runtime
from tests.resolve.builders import (
    UNSET,
    Body,
    bare_model,
    decider,
    entry,
    matcher,
    model,
    resource,
    runtime,
    service,
)
from tests.resolve.conftest import CallsOf

HF = "hf://meta-llama/Llama-3.2-3B-Instruct"
EVERYTHING = (
    "modelFormat",
    "modelFramework",
    "modelArchitecture",
    "quantization",
    "modelParameterSize",
    "diffusionPipeline",
)
NOTHING: tuple[str, ...] = ()
SKIP = {"ome.oracle.com/skip-config-parsing": "TRUE"}

FIELDS: list[tuple[Body, dict[str, str], tuple[str, ...]]] = [
    (bare_model(uri=HF), {}, EVERYTHING),
    (bare_model(uri="oci://n/ns/b/bucket/o/m"), {}, EVERYTHING),
    (bare_model(uri="local:///models/m"), {}, EVERYTHING),
    # A PVC's Job reads everything but the pipeline, and ignores the annotation.
    (bare_model(uri="pvc://ns:claim/m"), SKIP, EVERYTHING[:-1]),
    (bare_model(uri=HF), SKIP, NOTHING),
    (bare_model(uri="vendor://acme/models/x"), {}, NOTHING),
    (bare_model(uri="s3://bucket/m"), {}, NOTHING),
    (bare_model(uri="elsewhere"), {}, NOTHING),
    (model(uri=HF), {}, ("quantization", "modelParameterSize", "diffusionPipeline")),
    (model(uri=HF, modelFormat={"version": UNSET}, quantization="fp8", modelParameterSize="3B", diffusionPipeline={}),
     {}, ("modelFormat.version",)),
    # A framework without a version is left as it stands.
    (model(uri=HF, modelFramework={"version": UNSET}, quantization="fp8", modelParameterSize="", diffusionPipeline={}),
     {}, NOTHING),
]  # fmt: skip


@pytest.mark.parametrize(("body", "annotations", "fields"), FIELDS)
def test_unknown_fields(body: Body, annotations: dict[str, str], fields: tuple[str, ...]) -> None:
    body["metadata"]["annotations"] = annotations
    assert in_order(open_facts(resource(body)).fields) == fields


def question(*bodies: Body, **spec: Any) -> UnknownFact | None:
    """The open question about a service among ``bodies``."""
    found = decider(service(**spec), *bodies)
    return undetermined(found, found.services()[0])


SIZED = {"modelSizeRange": {"min": "1B", "max": "8B"}}
FP8 = entry(quantization="fp8", priority=9)

# Runtimes, the model, the facts that matter and what OME would do instead (None: nothing is open).
CHOICES: list[tuple[list[Body], Body, tuple[str, ...] | None, str]] = [
    # Everything that matters is given.
    ([runtime("a")], model(uri=HF), None, ""),
    ([runtime("a", **SIZED)], model(uri=HF, modelParameterSize="3B"), None, ""),
    # Nothing is read from the weights.
    ([runtime("a", **SIZED)], model(uri="vendor://acme/models/m"), None, ""),
    ([runtime("a")], bare_model(uri="vendor://acme/models/m"), None, ""),
    # A size could be outside of the range, or make a narrower range win.
    ([runtime("a", **SIZED)], model(uri=HF), ("modelParameterSize",), "OME would find no runtime"),
    (
        [runtime("a", modelSizeRange={"min": "0"}), runtime("b")],
        model(uri=HF),
        ("modelParameterSize",),
        "OME would choose ClusterServingRuntime b",
    ),
    # Neither range can exclude the model or change the order.
    ([runtime("a"), runtime("b", **SIZED)], model(uri=HF), None, ""),
    # Whoever gives the architecture and no quantization means an unquantized model, unless a runtime says otherwise.
    ([runtime("a"), runtime("b", FP8)], model(uri=HF), ("quantization",), "OME would choose ClusterServingRuntime b"),
    ([runtime("a"), runtime("b", FP8)], model(uri=HF, quantization="int4"), None, ""),
    ([runtime("a"), runtime("b", entry(quantization="made-up"))], model(uri=HF), None, ""),
    # The same where the runtime also has entries for quantizations that OME derives, under which a comes first.
    (
        [
            runtime("a", *(entry(priority=5, quantization=each) for each in (UNSET, *QUANTIZATIONS))),
            runtime("b", entry(quantization="fp8"), entry(quantization="made-up")),
        ],
        model(uri=HF),
        None,
        "",
    ),
    # A missing framework could be what an entry asks for.
    (
        [runtime("a")],
        model(uri=HF, modelFramework=UNSET),
        ("modelFramework",),
        "OME would choose ClusterServingRuntime a",
    ),
    ([runtime("a", entry(modelFramework={"name": "onnx"}))], model(uri=HF, modelFramework=UNSET), None, ""),
    # Versions: OME reads safetensors 1.0.0 or diffusers.
    (
        [runtime("a")],
        model(uri=HF, modelFormat={"version": UNSET}),
        ("modelFormat.version",),
        "OME would choose ClusterServingRuntime a",
    ),
    ([runtime("a", entry(modelFormat={"version": "2.0.0"}))], model(uri=HF, modelFormat=UNSET), None, ""),
    ([runtime("a", entry(modelFormat={"name": "pytorch"}))], bare_model(uri=HF), None, ""),
    # No facts at all: any runtime that can be selected could be.
    ([runtime("a")], bare_model(uri=HF), EVERYTHING[:3], "OME would choose ClusterServingRuntime a"),
    ([runtime("a", entry(autoSelect=False))], bare_model(uri=HF), None, ""),
    ([runtime("a", disabled=True)], bare_model(uri=HF), None, ""),
    ([runtime("a", entry(modelArchitecture=UNSET))], bare_model(uri=HF), None, ""),
    # The Job of a PVC leaves the architecture unset where it finds none.
    (
        [runtime("a", entry(modelArchitecture=UNSET))],
        bare_model(uri="pvc://demo:claim/m"),
        EVERYTHING[:3],
        "OME would choose ClusterServingRuntime a",
    ),
    # A pipeline that only a model_index.json tells.
    (
        [
            runtime(
                "image",
                entry(
                    modelFormat={"name": "diffusers", "version": "0.34.0"},
                    modelFramework={"name": "diffusers", "version": "0.34.0"},
                    modelArchitecture="QwenImagePipeline",
                    diffusionPipeline={"className": "QwenImagePipeline", "vae": {"library": "diffusers"}},
                ),
            )
        ],
        bare_model(uri=HF),
        (*EVERYTHING[:3], "diffusionPipeline"),
        "OME would choose ClusterServingRuntime image",
    ),
    # The architecture of a pipeline is its class, so these two never come together.
    (
        [
            runtime(
                "image",
                entry(
                    modelFormat={"name": "diffusers", "version": "0.34.0"},
                    modelFramework={"name": "diffusers", "version": "0.34.0"},
                    modelArchitecture="QwenImagePipeline",
                    diffusionPipeline={"className": "FluxPipeline"},
                ),
            )
        ],
        bare_model(uri=HF),
        None,
        "",
    ),
    # Versions that an ordering operator lets through, and those that it does not.
    (
        [runtime("a", entry(modelFramework={"version": "4.50.0", "operator": "GreaterThan"}))],
        model(uri=HF, modelFramework=UNSET),
        ("modelFramework",),
        "OME would choose ClusterServingRuntime a",
    ),
]


@pytest.mark.parametrize(("runtimes", "body", "fields", "outcome"), CHOICES)
def test_choice(runtimes: list[Body], body: Body, fields: tuple[str, ...] | None, outcome: str) -> None:
    found = question(*runtimes, body)
    assert (found.fields, found.outcome) == (fields, outcome) if fields else found is None


# The named runtime, the model, whether its support is open and what could be.
NAMED: list[tuple[Body, Body, tuple[str, ...] | None, str]] = [
    (runtime("rt"), model(uri=HF), None, ""),
    (runtime("rt"), model(uri=HF, modelArchitecture="Other"), None, ""),
    (runtime("rt", **SIZED), model(uri=HF), ("modelParameterSize",), "rt would not declare support"),
    (runtime("rt"), bare_model(uri=HF), EVERYTHING[:3], "rt would declare support"),
    (runtime("rt", entry(autoSelect=False)), bare_model(uri=HF), EVERYTHING[:3], "rt would declare support"),
    (
        runtime("rt", entry(modelFormat={"name": "pytorch"})),
        bare_model(uri=HF),
        EVERYTHING[:3],
        "rt would not declare support",
    ),
    (
        runtime("rt", entry(modelFormat={"name": "pytorch"})),
        bare_model(uri=HF, modelFormat={"name": "safetensors", "version": "1.0.0"}),
        None,
        "",
    ),
    (runtime("rt", disabled=True), bare_model(uri=HF), None, ""),
]


@pytest.mark.parametrize(("named", "body", "fields", "outcome"), NAMED)
def test_support(named: Body, body: Body, fields: tuple[str, ...] | None, outcome: str) -> None:
    found = question(named, body, runtime("other", FP8), runtime={"name": "rt"})
    assert (found.fields, found.outcome, found.named) == (fields, outcome, True) if fields else found is None


def test_named_runtime_is_selected_although_the_format_is_open() -> None:
    """On the given facts OME refuses the model; once it has read the weights it uses the runtime."""
    found = decider(service(runtime={"name": "rt"}), runtime("rt"), bare_model(uri=HF))
    decision = found.services()[0]
    assert decision.error == "invalid model specification: modelFormat.name: model format name is required"
    assert decision.selected is not None
    assert decision.spec is not None
    vendor = decider(service(runtime={"name": "rt"}), runtime("rt"), bare_model(uri="vendor://acme/models/m"))
    assert vendor.services()[0].selected is None


def test_facts_of_one_runtime() -> None:
    given_facts = open_facts(resource(model(uri=HF)))
    assert unknown_for_runtime(given_facts, matcher(runtime("rt", **SIZED)), NO_DEMANDS) == ("modelParameterSize",)
    assert unknown_for_runtime(given_facts, matcher(runtime("rt", entry(modelArchitecture="Other"))), NO_DEMANDS) == ()
    assert unknown_for_runtime(given_facts, matcher(runtime("rt", disabled=True, **SIZED)), NO_DEMANDS) == ()


NO_DEMANDS = decider(service()).services()[0].demands

architectures = st.sampled_from([UNSET, "A", "B"])
quantizations = st.sampled_from([UNSET, "fp8", "int4"])
versions = st.sampled_from([UNSET, "4.44.0", "4.45.0", "4.45.1", "4.46.0.dev0"])
operators = st.sampled_from(["Equal", "GreaterThan", "GreaterThanOrEqual"])
bounds = st.fixed_dictionaries(
    {}, optional={"min": st.sampled_from(["1B", "3B"]), "max": st.sampled_from(["4B", "8B"])}
)
entries = st.builds(
    lambda architecture, quantization, version, operator, auto_select, priority: entry(
        modelArchitecture=architecture,
        quantization=quantization,
        modelFramework={"version": version, "operator": operator},
        autoSelect=auto_select,
        priority=priority,
    ),
    architectures,
    quantizations,
    versions,
    operators,
    st.sampled_from([True, True, False]),
    st.integers(1, 2),
)
repositories = st.lists(
    st.tuples(st.lists(entries, min_size=1, max_size=2), st.none() | bounds), min_size=1, max_size=3
)
given_specs = st.fixed_dictionaries(
    {},
    optional={
        "modelFormat": st.just({"name": "safetensors", "version": "1.0.0"}),
        "modelFramework": st.sampled_from([{"name": "transformers", "version": v} for v in ("4.44.0", "4.45.1")]),
        "modelArchitecture": st.sampled_from(["A", "B"]),
        "quantization": st.just("fp8"),
        "modelParameterSize": st.sampled_from(["2B", "5B"]),
    },
)  # fmt: skip
readings = st.fixed_dictionaries(
    {
        "modelFormat": st.just({"name": "safetensors", "version": "1.0.0"}),
        "modelFramework": st.builds(
            lambda version: {"name": "transformers"} | ({} if version is None else {"version": version}),
            st.sampled_from([None, "4.0.0", "4.44.0", "4.44.9", "4.45.0", "4.45.1", "4.46.0.dev0", "5.0.0", "odd"]),
        ),
        "modelArchitecture": st.sampled_from(["A", "B", "C"]),
        "modelParameterSize": st.sampled_from(["0", "1B", "2B", "2.5B", "3B", "3.9B", "4B", "6B", "8B", "9B"]),
    },
    optional={"quantization": st.sampled_from(["fp8", "int4", "nvfp4"])},
)


@settings(max_examples=300, deadline=None)
@given(repositories, given_specs, readings)
def test_what_is_settled_stays(
    repository: list[tuple[list[Body], Body | None]], given_spec: Body, reading: Body
) -> None:
    """Where nothing is said to be open, no reading of the weights changes the choice."""
    bodies = [
        runtime(f"rt{index}", *found, **({} if size_range is None else {"modelSizeRange": size_range}))
        for index, (found, size_range) in enumerate(repository)
    ]
    found = decider(service(), bare_model(uri=HF, **given_spec), *bodies)
    decision = found.services()[0]
    filled = Selection(
        ModelFacts.of({**reading, **given_spec}), "demo", found.candidates.visible_from("demo"), decision.demands
    )
    chosen = filled.selected and filled.selected.resource
    open_question = undetermined(found, decision)
    if open_question is None and chosen is not decision.automatic:
        # A model that is described but for its quantization counts as unquantized while no runtime asks for more.
        assert "modelArchitecture" in given_spec
        assert "quantization" in reading
        assert chosen is None


RUNTIMES = 120
ONE_VERSION = ["4.45.0"] * RUNTIMES
VERSION_EACH = [f"4.{number}.0" for number in range(RUNTIMES)]
UNQUANTIZED = {"modelParameterSize": "7B"}


@pytest.mark.parametrize(
    ("versions", "bodies", "limit"),
    [
        # The facts of these models are known but for a quantization, which no runtime asks for.
        (ONE_VERSION, [model(uri=HF, modelFramework={"version": "4.45.0"}, **UNQUANTIZED)], 10),
        (ONE_VERSION, [bare_model(uri=HF)], 20),
        (VERSION_EACH, [bare_model(uri=HF)], 20),
        # Of many models that differ in nothing but their size, only the sizes are judged one by one.
        (
            ONE_VERSION,
            [
                model(f"m{size}", uri=HF, modelFramework={"version": "4.45.0"}, modelParameterSize=f"{size}B")
                for size in range(1, 40)
            ],
            10,
        ),
    ],
    ids=["only the quantization open", "one version", "a version each", "models of many sizes"],
)
def test_many_runtimes_of_one_architecture_stay_cheap(
    versions: list[str], bodies: list[Body], limit: int, calls_of: CallsOf
) -> None:
    """Entries are compared with models in proportion to the runtimes, not to readings times runtimes or models."""
    runtimes = [
        runtime(
            f"rt-{number}",
            entry(modelFramework={"version": version}, priority=number % 5 + 1),
            modelSizeRange={"min": "1B", "max": f"{2 * number + 7}B"},
        )
        for number, version in enumerate(versions)
    ]
    services = [service(body["metadata"]["name"], model={"name": body["metadata"]["name"]}) for body in bodies]
    decide = decider(*runtimes, *bodies, *services)
    compared = calls_of(Entry, "matches")
    for decision in decide.services():
        undetermined(decide, decision)
    assert len(compared) <= limit * len(versions)


@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from([1, 2, 3]), st.sampled_from([None, "1B", "3B", "3.5B", "8B"])))
)
def test_the_best_is_the_first_of_the_ranking(rows: list[tuple[bool, int, str | None]]) -> None:
    facts = ModelFacts.of(model(modelParameterSize="3B")["spec"])
    verdicts = [
        matcher(
            runtime(
                f"rt-{number}",
                entry(priority=priority, autoSelect=True),
                namespace="demo" if local else None,
                **({"modelSizeRange": {"max": bound, "min": "0B"}} if bound else {}),
            )
        ).verdict(facts)
        for number, (local, priority, bound) in enumerate(rows)
    ]
    assert best(verdicts) == (rank(verdicts)[0] if verdicts else None)
