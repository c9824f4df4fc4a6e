"""The explain record and its table (reference 01 §14; OME docs: reference/matching/runtime-selection-scoring)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import omec
from omec.errors import OmecError
from omec.resolve.explain import (
    Explanation,
    RuntimeRow,
    explain_all,
    explain_model,
    explain_service,
    nearest_misses,
    no_table_reason,
    render_table,
    unknown_notes,
)
from tests.conftest import ROOT
from tests.resolve.builders import UNSET, Body, decider, entry, model, runtime, service

WORKED_EXAMPLE = """\
RUNTIME           SCOPE        COMPATIBLE   PRIORITY   WEIGHT   REASON
team-llama        Namespaced   Yes          1          2        -
vllm-llama        Cluster      Yes          2          6        -
srt-llama-small   Cluster      Yes          3          6        -
srt-llama-large   Cluster      Yes          3          6        -
"""


def explain(*bodies: Body, namespace: str = "demo", name: str = "m") -> Explanation:
    return explain_model(decider(*bodies), name, namespace)


def explain_isvc(body: Body, *others: Body) -> Explanation:
    found = decider(body, *others)
    return explain_service(found, found.catalog.of_kind("InferenceService")[0])


def test_worked_example() -> None:
    """The table of the documentation's worked example, to the character."""
    example = [
        runtime("srt-llama-large", entry(priority=3), modelSizeRange={"min": "1B", "max": "70B"}),
        runtime("srt-llama-small", entry(priority=3), modelSizeRange={"min": "1B", "max": "8B"}),
        runtime("team-llama", namespace="llama-demo"),
        runtime("vllm-llama", entry(modelFormat={"weight": 2}, priority=2)),
    ]
    served = model("llama-3-2-3b-instruct", namespace="llama-demo", modelParameterSize="3.21B")
    explanation = explain(served, *example, namespace="llama-demo", name="llama-3-2-3b-instruct")
    assert render_table(explanation) == WORKED_EXAMPLE


def test_worked_example_of_the_repository() -> None:
    repo = omec.open([ROOT / "examples" / "selection"])
    assert render_table(repo.explain(model="llama-3-2-3b-instruct", namespace="llama-demo")) == WORKED_EXAMPLE


def test_no_rows_follow_by_scope_and_name() -> None:
    """Skipped and excluded runtimes stand among each other in the table, apart in the record."""
    explanation = explain(
        model(),
        runtime("b"),
        runtime("a", entry(modelArchitecture="Other")),
        runtime("c", entry(autoSelect=False)),
        runtime("z", disabled=True, namespace="demo"),
    )
    assert [row.name for row in explanation.runtimes] == ["b", "c", "z", "a"]
    assert [row.rank for row in explanation.runtimes] == [1, None, None, None]
    table = render_table(explanation, width=1000).splitlines()
    assert [line.split()[0] for line in table] == ["RUNTIME", "b", "z", "a", "c"]
    assert [line.split()[2] for line in table[1:]] == ["Yes", "No", "No", "No"]


def test_long_reasons_wrap() -> None:
    """Every column grows in turn until the table has 80 columns; long words break after delimiters, else anywhere."""
    explanation = explain(model(), runtime("a"), runtime("srt-mistral-7b", entry(modelArchitecture="Mistral")))
    assert (
        render_table(explanation)
        == """\
RUNTIME          SCOPE     COMPATIBLE   PRIORITY   WEIGHT   REASON
a                Cluster   Yes          1          2        -
srt-mistral-7b   Cluster   No           -          -        model format
                                                            'mt:safetensors:1.0.
                                                            0:LlamaForCausalLM:
                                                            transformers:4.45.0.
                                                            dev0' not in
                                                            supported formats:
                                                            architecture
                                                            mismatch
                                                            (model=LlamaForCausa
                                                            lLM,
                                                            runtime=Mistral)
"""
    )


def test_record() -> None:
    explanation = explain_isvc(
        service(acceleratorSelector={"acceleratorClass": "h100"}),
        model(),
        runtime("a", acceleratorRequirements={"acceleratorClasses": ["h100"]}, modelSizeRange={"max": "8B"}),
        runtime("b"),
    )
    record = explanation.to_dict()
    assert json.loads(json.dumps(record)) == record
    assert record == {
        "service": {"name": "svc", "kind": "InferenceService", "namespace": "demo"},
        "model": {"name": "m", "kind": "ClusterBaseModel", "namespace": None},
        "namespace": "demo",
        "selected": {"name": "a", "kind": "ClusterServingRuntime", "namespace": None},
        "automatic": {"name": "a", "kind": "ClusterServingRuntime", "namespace": None},
        "error": None,
        "errorKind": None,
        "advisory": None,
        "event": None,
        "warnings": ["model does not specify size, but runtime has size constraints"],
        "runtimes": [
            {
                "name": "a",
                "kind": "ClusterServingRuntime",
                "namespace": None,
                "compatible": True,
                "autoSelectable": True,
                "rank": 1,
                "score": 2,
                "priority": 1,
                "weight": 2,
                "reasons": [],
                "warnings": ["model does not specify size, but runtime has size constraints"],
                "unknown": [],
            },
            {
                "name": "b",
                "kind": "ClusterServingRuntime",
                "namespace": None,
                "compatible": False,
                "autoSelectable": False,
                "rank": None,
                "score": None,
                "priority": None,
                "weight": None,
                "reasons": ["runtime does not support the required accelerator class"],
                "warnings": [],
                "unknown": [],
            },
        ],
        "named": None,
        "admission": {
            "allowed": True,
            "warnings": ["Runtime a will be auto-selected for model m"],
            "message": None,
        },
        "acceleratorEntry": 0,
        "factsFrom": {
            "modelFormat": "ClusterBaseModel/m.yaml#spec.modelFormat key:1",
            "modelFramework": "ClusterBaseModel/m.yaml#spec.modelFramework key:1",
            "modelArchitecture": "ClusterBaseModel/m.yaml#spec.modelArchitecture key:1",
        },
        "undecided": [],
    }


def test_named_runtime_beside_the_automatic_choice() -> None:
    explanation = explain_isvc(
        service(runtime={"name": "b"}), model(), runtime("a"), runtime("b", entry(modelArchitecture="Other"))
    )
    record = explanation.to_dict()
    assert record["selected"]["name"] == "b"
    assert record["automatic"]["name"] == "a"
    assert record["named"] == {"name": "b", "kind": "ClusterServingRuntime", "disabled": False}
    assert record["advisory"].startswith("runtime b does not support model safetensors: model format 'mt:")
    assert record["admission"]["warnings"][0].startswith('runtime "b" does not declare support for model "m"')
    assert record["error"] is None


@pytest.mark.parametrize(
    ("body", "error", "kind", "named"),
    [
        (None, "runtime rt not found in namespace demo or at cluster scope", "RuntimeNotFound", None),
        (
            runtime("rt", disabled=True),
            "cluster-scoped runtime rt is disabled",
            "RuntimeDisabled",
            {"name": "rt", "kind": "ClusterServingRuntime", "disabled": True},
        ),
    ],
)
def test_named_runtime_that_is_refused(body: Body | None, error: str, kind: str, named: Any) -> None:
    others = [model(), runtime("a"), *([body] if body else [])]
    record = explain_isvc(service(runtime={"name": "rt"}), *others).to_dict()
    assert (record["selected"], record["error"], record["errorKind"], record["named"]) == (None, error, kind, named)
    assert record["automatic"]["name"] == "a"


def test_model_of_the_namespace_comes_first() -> None:
    explanation = explain(model(namespace="demo"), model(), runtime())
    assert explanation.model is not None
    assert explanation.model.kind == "BaseModel"


@pytest.mark.parametrize(
    ("namespace", "hint"),
    [
        ("demo", "neither a BaseModel in namespace demo nor a ClusterBaseModel has that name"),
        ("", "no ClusterBaseModel has that name; for a BaseModel, name its namespace with -n"),
    ],
)
def test_missing_model(namespace: str, hint: str) -> None:
    with pytest.raises(OmecError, match=re.escape('clusterbasemodels.ome.io "m" not found')) as caught:
        explain(runtime(), namespace=namespace)
    assert caught.value.hint == hint


def test_model_defined_twice() -> None:
    with pytest.raises(OmecError, match="ClusterBaseModel m is defined more than once"):
        explain(model(), model(), runtime())


# Reference 01 §14.1: what kubectl ome says instead of a table.
NO_TABLES: list[tuple[list[Body], str | None]] = [
    ([service(model=UNSET, runtime={"name": "rt"}), runtime("rt")],
     'InferenceService "svc" has no spec.model; pass --model instead'),
    ([service(), model(modelFormat=UNSET), runtime()],
     "invalid model specification: modelFormat.name: model format name is required"),
    ([service(), model()], "No serving runtimes found in the selected namespace or at cluster scope."),
    ([service(), model(), runtime()], None),
]  # fmt: skip


@pytest.mark.parametrize(("bodies", "text"), NO_TABLES)
def test_no_table(bodies: list[Body], text: str | None) -> None:
    explanation = explain_isvc(*bodies)
    assert no_table_reason(explanation) == text
    assert (render_table(explanation) == "") is (text is not None)


def test_all_models_then_all_services() -> None:
    found = decider(service(), model("b"), model("a", namespace="demo"), runtime("rt", namespace="demo"))
    explained = list(explain_all(found))
    assert [e.service.name if e.service else e.model and e.model.name for e in explained] == ["a", "b", "svc"]
    # A ClusterBaseModel is seen from no namespace, so that it has no ServingRuntimes.
    assert [e.automatic is not None for e in explained] == [True, False, False]


def test_services_of_one_model_share_its_rows() -> None:
    """Each answer is as long as the catalog: the rows of a model are made for the first service, wherever it is."""
    runtimes = [runtime(f"rt{number}") for number in range(30)]
    services = [
        service(f"svc{number}", namespace=f"team-{number}", runtime={"name": f"rt{number}"}) for number in range(30)
    ]
    answers = list(explain_all(decider(*runtimes, model(), *services)))
    assert [len(answer.runtimes) for answer in answers] == [30] * 31
    assert len({id(row) for answer in answers for row in answer.runtimes}) == 30


def test_nearest_misses() -> None:
    lines = nearest_misses(
        explain(
            model(modelParameterSize="3.21B"),
            runtime("first", entry(priority=4)),
            runtime("second", entry(priority=3)),
            runtime("wide", entry(priority=4), modelSizeRange={"min": "1B", "max": "8B"}),
            runtime("manual", entry(autoSelect=False)),
            runtime("old", entry(modelFramework={"version": "4.44.0"})),
            runtime("small", modelSizeRange={"max": "1B"}),
            runtime("other", entry(modelArchitecture="Other")),
        )
    )
    assert lines == [
        "ClusterServingRuntime wide: score 8 ties with first, whose size range is closer to the model's size; "
        "priority 5 on supportedModelFormats[0] would put it before first",
        "ClusterServingRuntime second: score 6 is below first's 8; priority 5 on supportedModelFormats[0] would put it "
        "before first",
        "ClusterServingRuntime manual: serves the model, but automatic selection needs autoSelect: true on "
        "supportedModelFormats[0]",
        "ClusterServingRuntime old: framework version mismatch (model=4.45.0.dev0, runtime=4.44.0)",
        "ClusterServingRuntime small: its size range (-inf, 1B] does not hold 3.21B",
    ]


@pytest.mark.parametrize(
    ("entries", "line"),
    [
        # Another entry selects automatically, but the one that matches does not.
        (
            [entry(autoSelect=False), entry(modelFormat={"name": "gguf"})],
            "serves the model, but automatic selection needs autoSelect: true on supportedModelFormats[0]",
        ),
        # The nearest entry is one without an architecture, or one for that of the model.
        (
            [entry(modelArchitecture=UNSET)],
            "model has architecture LlamaForCausalLM but runtime has no architecture requirement",
        ),
        (
            [entry(modelArchitecture="Other"), entry(modelFormat={"version": "2.0.0"})],
            "format version mismatch (model=1.0.0, runtime=2.0.0)",
        ),
    ],
)
def test_the_entry_that_a_near_miss_is_about(entries: list[Body], line: str) -> None:
    assert nearest_misses(explain(model(), runtime("rt", *entries))) == [f"ClusterServingRuntime rt: {line}"]


def test_nearest_misses_keep_what_they_promise() -> None:
    """The priority that a line names does put the runtime first."""
    bodies = [model(), runtime("a", entry(modelFormat={"weight": 5})), runtime("b", entry(modelFormat={"weight": 2}))]
    match = re.search(r"priority (\d+) on supportedModelFormats\[0\]", nearest_misses(explain(*bodies))[0])
    assert match is not None
    bodies[2]["spec"]["supportedModelFormats"][0]["priority"] = int(match[1])
    selected = explain(*bodies).selected
    assert selected is not None
    assert selected.name == "b"
    bodies[2]["spec"]["supportedModelFormats"][0]["priority"] = int(match[1]) - 1
    selected = explain(*bodies).selected
    assert selected is not None
    assert selected.name == "a"


def test_namespaced_winner_is_named() -> None:
    lines = nearest_misses(explain(model(), runtime("mine", namespace="demo"), runtime("theirs", entry(priority=9))))
    assert lines == [
        "ClusterServingRuntime theirs: mine comes first as a ServingRuntime of the namespace, whatever the scores"
    ]


def test_open_facts_are_noted_below_the_table() -> None:
    explanation = explain(model(uri="hf://meta-llama/Llama"), runtime("rt", modelSizeRange={"max": "8B"}))
    assert unknown_notes(explanation) == [
        "modelParameterSize: OME reads it from the model's files",
        "for example, with modelParameterSize 17B, OME would find no runtime",
    ]
    assert explanation.to_dict()["undecided"] == ["modelParameterSize"]
    assert explanation.runtimes[0].unknown == ("modelParameterSize",)
    assert "modelParameterSize" not in render_table(explanation)


def test_rows_are_plain_data(testdata: Path) -> None:
    """Every record of the corpus is JSON, and its runtimes stand in the documented order."""
    repo = omec.open(
        [testdata / "corpus" / "ome-v0.1.5" / "config" / part for part in ("models", "runtimes", "samples")]
    )
    explanations = list(repo.explain_all())
    assert len(explanations) > 300
    for explanation in explanations:
        json.dumps(explanation.to_dict())
        assert list(explanation.runtimes) == sorted(explanation.runtimes, key=_record_order)


def _record_order(row: RuntimeRow) -> tuple[Any, ...]:
    if row.rank is not None:
        return 0, row.rank
    return 1 if row.compatible else 2, row.kind != "ServingRuntime", row.name
