"""Vectors of reference 01, 02 and 09 that span several parts of resolution; docs/fidelity.md lists the others."""

from __future__ import annotations

from typing import Any

import pytest

import omec
from omec.cli.main import run
from omec.resolve.decide import Decision
from omec.resolve.explain import explain
from tests.conftest import ROOT
from tests.resolve.builders import (
    UNSET,
    Body,
    bare_runtime,
    decider,
    entry,
    facts,
    matcher,
    model,
    model_spec,
    runtime,
    service,
)

FORMATS = {"supportedModelFormats": [entry()]}
CLASSES = {"acceleratorRequirements": {"acceleratorClasses": ["h100"]}}
ASKS_CLASS = {"acceleratorSelector": {"acceleratorClass": "h100"}}
NO_CLASS = "runtime does not support the required accelerator class"
OTHER_ARCHITECTURE = (
    "model format 'mt:safetensors:1.0.0:LlamaForCausalLM:transformers:4.45.0.dev0' not in supported formats: "
    "architecture mismatch (model=LlamaForCausalLM, runtime=Other)"
)


def decide(*bodies: Body, **spec: Any) -> Decision:
    return decider(service(**spec), *bodies).services()[0]


def engine(**runner: Any) -> Body:
    return {"engineConfig": {"runner": {"name": "ome-container", **runner}}}


# --- Reference 01 §6.2, §11.1, §14.2 ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size_range", "size"),
    [({"min": "2B", "max": "4B"}, UNSET), ({}, "3.21B"), (UNSET, "3.21B")],
    ids=["no size", "empty range", "no range"],
)
def test_sizes_that_are_not_compared(size_range: Any, size: Any) -> None:
    body = runtime() if size_range is UNSET else runtime(modelSizeRange=size_range)
    assert matcher(body).verdict(facts(modelParameterSize=size)).compatible


def test_cluster_runtime_is_named_although_only_the_namespaced_one_matches() -> None:
    decision = decide(
        model(), runtime("a", namespace="demo"), runtime("a", entry(modelArchitecture="Other")), runtime={"name": "a"}
    )
    assert decision.selected is not None
    assert decision.selected.kind == "ClusterServingRuntime"
    assert decision.advisory == f"runtime a does not support model safetensors: {OTHER_ARCHITECTURE}"


def test_shown_weight_is_that_of_the_first_matching_entry() -> None:
    body = runtime(
        "rt",
        entry(autoSelect=False, priority=1),
        entry(modelArchitecture="Other", modelFormat={"weight": 5}, modelFramework={"weight": 5}, priority=3),
    )
    found = decider(service(), model(), body)
    (row,) = explain(found, found.services()[0]).runtimes
    assert (row.priority, row.weight, row.score) == (1, 2, 30)


# --- Reference 02 §5: the own spec for automatic selection, the merged one for a named runtime -----------------------


def test_s4_the_image_of_the_parent() -> None:
    """What is selected automatically is rendered without anything inherited."""
    bodies = [model(), bare_runtime("parent", **engine(image="parent:1")), bare_runtime("child", "parent", **FORMATS)]
    named, automatic = decide(*bodies, runtime={"name": "child"}), decide(*bodies)
    assert named.spec is not None
    assert named.spec["engineConfig"]["runner"]["image"] == "parent:1"
    assert automatic.selected is not None
    assert automatic.selected.name == "child"
    assert automatic.spec is not None
    assert "engineConfig" not in automatic.spec


def test_s5_the_classes_of_the_parent() -> None:
    bodies = [model(), bare_runtime("parent", **CLASSES), bare_runtime("child", "parent", **FORMATS)]
    named = decide(*bodies, runtime={"name": "child"}, **ASKS_CLASS)
    assert (named.error, named.advisory) == (None, None)
    automatic = decide(*bodies, **ASKS_CLASS)
    assert automatic.selected is None
    assert f"child ({NO_CLASS})" in (automatic.error or "")
    assert decide(*bodies).selected is not None


def test_s6_a_broken_chain() -> None:
    bodies = [model(), bare_runtime("child", "ghost", **FORMATS)]
    named = decide(*bodies, runtime={"name": "child"})
    assert named.error == 'inherit-from parent "ghost" not found (chain so far: [child])'
    assert named.admission.message == f"runtime child does not support model m: {named.error}"
    automatic = decide(*bodies)
    assert (automatic.error, automatic.selected and automatic.selected.name) == (None, "child")


# --- Reference 02 §8.1: the name of a revision -----------------------------------------------------------------------

# Kind, namespace, runtime, revision, accepted.
REVISIONS = [
    (None, "any", "srt-llama-pd", "cr-srt-llama-pd-abc12345", True),
    ("ServingRuntime", "team-a", "srt-foo", "r-team-a-srt-foo-abc12345", True),
    ("ServingRuntime", "team-a", "srt-foo", "r-team-b-srt-foo-abc12345", False),
    ("ServingRuntime", "llama-demo", "sglang-llama-3-2-3b", "cr-sglang-llama-3-2-3b-590753e8", False),
    (None, "any", "srt-foo", "r-team-a-srt-foo-abc12345", False),
    (None, "any", "foo", "cr-foo-bar-abcdef12", False),
    (None, "any", "foo-bar", "cr-foo-bar-abcdef12", True),
    (None, "any", "foo", "cr-foo-ABCDEF12", False),
    (None, "any", "foo", "cr-foo-abcdef1", False),
    (None, "any", "foo", "cr-foo-abcdef123", False),
    (None, "any", "foo", "cr-foo-abcdefg1", False),
    (None, "any", "foo", "cr-foo-", False),
]


@pytest.mark.parametrize(("kind", "namespace", "name", "revision", "accepted"), REVISIONS)
def test_names_of_revisions(kind: str | None, namespace: str, name: str, revision: str, accepted: bool) -> None:
    found = runtime(name, namespace=namespace if kind else None)
    reference = {"name": name, "kind": kind, "autoSync": False, "revision": revision}
    admission = decide(model(), found, namespace=namespace, runtime=reference).admission
    form = f"r-{namespace}-{name}" if kind else f"cr-{name}"
    expected = (
        f'spec.runtime.revision "{revision}" does not match the expected naming convention for runtime "{name}" '
        f"({kind or 'ClusterServingRuntime'}); expected the form {form}-<8 lowercase hex chars>"
    )
    assert (admission.allowed, admission.message) == (accepted, None if accepted else expected)


def test_empty_revision_is_none() -> None:
    reference = {"name": "rt", "revision": ""}
    assert decide(model(), runtime(), runtime=reference).admission.allowed


# --- Reference 09 A4.4: the webhook's answer, and what a service gets all the same -----------------------------------


def test_disabled_model_is_refused_with_an_engine_only() -> None:
    bodies = [model(disabled=True), runtime()]
    assert decide(*bodies).admission.message == "model m is disabled"
    without_engine = decide(*bodies, engine=UNSET)
    assert without_engine.admission.allowed
    assert without_engine.error == "model m is disabled"


def test_model_of_another_kind_is_admitted_and_not_served() -> None:
    """The webhook ignores the kind; OME serves nothing, which omec reports and refuses to compile."""
    objects = [service(), model(namespace="demo"), runtime("rt", engineConfig={"runner": {"name": "c", "image": "x"}})]
    repo = omec.from_objects(objects)
    assert repo.explain(isvc="demo/svc").admission.allowed
    assert [finding.rule.slug for finding in repo.lint().findings if finding.rule.code.startswith("OME25")] == [
        "model-kind-mismatch"
    ]
    assert not [obj for obj in repo.compile().objects if obj["kind"] == "Deployment"]


def test_mismatch_of_a_named_runtime_is_a_warning_only() -> None:
    decision = decide(model(), runtime("rt", entry(modelArchitecture="Other")), runtime={"name": "rt"})
    assert decision.admission.allowed
    assert decision.admission.warnings == (
        f'runtime "rt" does not declare support for model "m" (runtime rt does not support model safetensors: '
        f"{OTHER_ARCHITECTURE}); proceeding because the runtime was named explicitly",
    )


def test_image_of_the_engine_is_no_excuse_for_naming_nothing() -> None:
    image = {"runner": {"name": "c", "image": "x"}}
    for engine_spec in (image, {"runner": {"name": "c"}}):
        decision = decide(engine=engine_spec, model=UNSET)
        assert decision.admission.message == "at least one of spec.model or spec.runtime must be set"


def test_facts_of_the_builders_are_those_of_the_reference() -> None:
    """Reference 01 §4.5, model base M: the vectors of this package start from it."""
    assert model_spec() == {
        "modelFormat": {"name": "safetensors", "version": "1.0.0"},
        "modelFramework": {"name": "transformers", "version": "4.45.0.dev0"},
        "modelArchitecture": "LlamaForCausalLM",
    }


# --- Reference 01 §14.1: what kubectl ome says beside its table ------------------------------------------------------


def test_note_on_a_service_that_names_its_runtime(capsys: pytest.CaptureFixture[str]) -> None:
    example = str(ROOT / "examples" / "named-runtime")
    assert run(["explain", "--isvc", "llama-demo/llama-3-2-1b-instruct", example]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("Note: spec.runtime is explicit; automatic selection below is hypothetical.\n")
    assert out.startswith("RUNTIME  ")
