"""Findings about what services name and get: each rule with the webhook's words, its place and its remedy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from omec.catalog import Catalog
from omec.finding import Finding, Severity
from omec.resolve import selection_rules
from omec.resolve.decide import Decider
from omec.resolve.entry import Entry
from omec.resolve.inherit import ChainResolver
from omec.resolve.match import Fit, RuntimeMatcher
from omec.resolve.open_facts import SKIP_PARSING
from omec.resolve.selection_findings import selection_findings, service_findings
from omec.resolve.unknown_findings import family_of, grouped
from tests.resolve.builders import (
    UNSET,
    Body,
    bare_model,
    bare_runtime,
    decider,
    entry,
    model,
    resource,
    runtime,
    service,
)
from tests.resolve.conftest import CallsOf

HF = "hf://meta-llama/Llama-3.2-3B-Instruct"
NAMED = {"runtime": {"name": "rt"}}


@dataclass(frozen=True)
class Case:
    """A service among other objects, and the one finding that it gives rise to."""

    bodies: list[Body]
    code: str
    place: str
    message: str
    spec: dict[str, Any] = field(default_factory=dict)
    remedy: str = ""
    related: int = 0
    severity: Severity = Severity.ERROR
    options: dict[str, Any] = field(default_factory=dict)
    external: tuple[str, ...] = ()
    ome_version: str = "1.3"


NAME, MODEL_NAME = "spec.runtime.name", "spec.model.name"

CASES = {
    "runtime not found": Case(
        [model(), runtime("rt1")],
        "OME250",
        NAME,
        "runtime rt does not support model m: runtime rt not found in namespace demo or at cluster scope",
        NAMED,
        "did you mean rt1?",
    ),
    "runtime in another namespace": Case(
        [model(), runtime("rt", namespace="other")],
        "OME250",
        NAME,
        "runtime rt does not support model m: runtime rt not found in namespace demo or at cluster scope",
        NAMED,
        "ServingRuntime other/rt exists, but a service of namespace demo cannot use it",
    ),
    "runtime not found without a model": Case(
        [],
        "OME250",
        NAME,
        "runtime rt not found in namespace demo or at cluster scope",
        {**NAMED, "model": UNSET},
    ),
    "runtime disabled by its parent": Case(
        [model(), runtime("profile", disabled=True), bare_runtime("rt", "profile")],
        "OME251",
        NAME,
        "runtime rt does not support model m: cluster-scoped runtime rt is disabled",
        NAMED,
        "set spec.disabled: false on ClusterServingRuntime rt, or name another runtime",
        related=1,
    ),
    "model not found": Case(
        [runtime("rt"), model("mm")],
        "OME252",
        MODEL_NAME,
        'referenced model "m" not found in namespace "demo": ensure a BaseModel exists in this namespace or a '
        "ClusterBaseModel exists cluster-wide with this name",
    ),
    "model disabled": Case(
        [runtime("rt"), model(disabled=True)],
        "OME253",
        MODEL_NAME,
        "model m is disabled",
        remedy="set spec.disabled: false on ClusterBaseModel m, or name another model",
        related=1,
    ),
    "model of another kind": Case(
        [runtime("rt"), model(namespace="demo")],
        "OME254",
        MODEL_NAME,
        "model m is a BaseModel, but OME looks for a ClusterBaseModel",
        remedy="set spec.model.kind: BaseModel",
        related=1,
    ),
    "model of another kind than written": Case(
        [runtime("rt"), model()],
        "OME254",
        "spec.model.kind",
        "model m is a ClusterBaseModel, but OME looks for a BaseModel",
        {"model": {"name": "m", "kind": "BaseModel"}},
        "set spec.model.kind: ClusterBaseModel",
        related=1,
    ),
    "nothing named": Case(
        [], "OME255", "spec", "at least one of spec.model or spec.runtime must be set", {"model": UNSET}
    ),
    "unknown kind of model": Case(
        [runtime("rt"), model()],
        "OME256",
        "spec.model.kind",
        'unsupported Model kind "basemodel"',
        {"model": {"name": "m", "kind": "basemodel"}},
        "write BaseModel or ClusterBaseModel",
    ),
    "unknown kind of runtime": Case(
        [runtime("rt"), model()],
        "OME256",
        "spec.runtime.kind",
        "spec.runtime.kind Runtime is no kind of runtime",
        {"runtime": {"name": "rt", "kind": "Runtime"}},
    ),
    "broken chain": Case(
        [bare_runtime("rt", "ghost", supportedModelFormats=[entry()]), model()],
        "OME257",
        NAME,
        'runtime rt does not support model m: inherit-from parent "ghost" not found (chain so far: [rt])',
        NAMED,
        "repair the inheritance of ClusterServingRuntime rt",
        related=1,
    ),
    "runtime defined twice": Case(
        [runtime("rt"), runtime("rt"), model()],
        "OME258",
        NAME,
        "ClusterServingRuntime rt is defined 2 times",
        NAMED,
        related=2,
    ),
    "model defined twice": Case(
        [runtime("rt"), model(), model()], "OME258", MODEL_NAME, "ClusterBaseModel m is defined 2 times", related=2
    ),
    "runtime in both scopes": Case(
        [runtime("rt"), runtime("rt", namespace="demo"), model()],
        "OME259",
        NAME,
        "runtime rt is a ServingRuntime of namespace demo and a ClusterServingRuntime; OME 1.3 takes the "
        "ClusterServingRuntime",
        NAMED,
        related=2,
        severity=Severity.WARNING,
    ),
    "model in both scopes": Case(
        [runtime("rt"), model(), model(namespace="demo")],
        "OME260",
        MODEL_NAME,
        "m is a ClusterBaseModel and a BaseModel; OME serves the ClusterBaseModel",
        related=2,
        severity=Severity.WARNING,
    ),
    "runtime known to exist in the cluster": Case(
        [model()],
        "OME261",
        NAME,
        "the manifest of runtime rt is not here: external-runtimes only names it",
        NAMED,
        external=("rt",),
    ),
    "parent known to exist in the cluster": Case(
        [model(), bare_runtime("rt", "base")],
        "OME261",
        NAME,
        "the manifest of runtime base is not here: external-runtimes only names it",
        NAMED,
        external=("base",),
    ),
    "pinned": Case(
        [runtime("rt"), model()],
        "OME262",
        "spec.runtime.autoSync",
        "InferenceService demo/svc runs a stored revision of runtime rt, which the repository does not hold",
        {"runtime": {"name": "rt", "autoSync": False}},
    ),
    "pinned to a revision, rendered all the same": Case(
        [runtime("rt"), model()],
        "OME262",
        "spec.runtime.revision",
        "InferenceService demo/svc runs revision cr-rt-0a1b2c3d of runtime rt, which the repository does not hold; "
        "the live runtime is rendered instead (--allow-unpinned)",
        {"runtime": {"name": "rt", "autoSync": False, "revision": "cr-rt-0a1b2c3d"}},
        severity=Severity.WARNING,
        options={"allow_unpinned": True},
    ),
    "claim in another namespace": Case(
        [runtime("rt"), model(uri="pvc://models:claim/m", modelParameterSize="3B")],
        "OME264",
        MODEL_NAME,
        'ClusterBaseModel "m" references PVC in namespace "models", but InferenceService is in namespace "demo"; '
        "Kubernetes does not allow pods to mount PVCs from another namespace. Either move the InferenceService to "
        'namespace "models" or replicate the PVC into namespace "demo".',
    ),
    "no model on OME 1.2": Case(
        [runtime("rt")],
        "OME265",
        "spec",
        "InferenceService demo/svc names no model, which OME 1.2 needs",
        {**NAMED, "model": UNSET},
        ome_version="1.2",
    ),
    "no runtime found": Case(
        [model(), runtime("rt", entry(modelFramework={"version": "4.46.0"}))],
        "OME301",
        MODEL_NAME,
        "no supporting runtime found for model m and engine does not have complete runner configuration: no runtime "
        "found to support model safetensors with format safetensors in namespace demo. Checked 1 runtimes (0 "
        "namespace-scoped, 1 cluster-scoped). Excluded runtimes: rt (model format "
        "'mt:safetensors:1.0.0:LlamaForCausalLM:transformers:4.45.0.dev0' not in supported formats: framework version "
        "mismatch (model=4.45.0.dev0, runtime=4.46.0))",
        remedy="closest is ClusterServingRuntime rt: framework version mismatch (model=4.45.0.dev0, runtime=4.46.0)",
    ),
    "no runtime found, which the webhook does not check": Case(
        [model()],
        "OME301",
        MODEL_NAME,
        "no runtime found to support model safetensors with format safetensors in namespace demo",
        {"engine": {"runner": {"name": "x", "image": "x"}}},
        "add a runtime that declares the model, or name one",
    ),
    "many excluded": Case(
        [model(), *(runtime(f"rt{index}", disabled=True) for index in range(4))],
        "OME301",
        MODEL_NAME,
        "no supporting runtime found for model m and engine does not have complete runner configuration: no runtime "
        "found to support model safetensors with format safetensors in namespace demo. Checked 4 runtimes (0 "
        "namespace-scoped, 4 cluster-scoped)",
    ),
    "format that OME never reads": Case(
        [bare_model(uri="vendor://acme/models/m"), runtime("rt")],
        "OME302",
        MODEL_NAME,
        "no supporting runtime found for model m and engine does not have complete runner configuration: invalid "
        "model specification: modelFormat.name: model format name is required",
        remedy="set spec.modelFormat and spec.modelFramework on ClusterBaseModel m",
        related=1,
    ),
    "open facts of an automatic choice": Case(
        [model(uri=HF), runtime("rt", modelSizeRange={"max": "8B"})],
        "OME303",
        MODEL_NAME,
        "which runtime OME selects for InferenceService demo/svc is open: model m does not give modelParameterSize; "
        "with modelParameterSize 17B, OME would find no runtime",
        remedy="run omec facts update ClusterBaseModel/m, or set spec.modelParameterSize on ClusterBaseModel m",
        related=1,
    ),
    # Weights that are not quantized leave nothing to set.
    "open quantization": Case(
        [model(uri=HF), runtime("rt"), runtime("rt8", entry(quantization="fp8"))],
        "OME303",
        MODEL_NAME,
        "which runtime OME selects for InferenceService demo/svc is open: model m does not give quantization; with "
        "quantization fp8, OME would choose ClusterServingRuntime rt8",
        remedy="run omec facts update ClusterBaseModel/m, or set spec.quantization on ClusterBaseModel m if its "
        "weights are quantized; if they are not, name the runtime in spec.runtime, or annotate the model with "
        'ome.oracle.com/skip-config-parsing: "true" to keep the facts as given',
        related=1,
    ),
    "open quantization on a claim": Case(
        [model(uri="pvc://demo:claim/m"), runtime("rt"), runtime("rt8", entry(quantization="fp8"))],
        "OME303",
        MODEL_NAME,
        "which runtime OME selects for InferenceService demo/svc is open: model m does not give quantization; with "
        "quantization fp8, OME would choose ClusterServingRuntime rt8",
        remedy="run omec facts update ClusterBaseModel/m, or set spec.quantization on ClusterBaseModel m if its "
        "weights are quantized; if they are not, name the runtime in spec.runtime",
        related=1,
    ),
    "open facts of a named runtime": Case(
        [bare_model(uri=HF), runtime("rt", entry(quantization="fp8"))],
        "OME303",
        MODEL_NAME,
        "whether the named runtime declares support for InferenceService demo/svc is open: model m does not give "
        "modelFormat, modelFramework, modelArchitecture and quantization",
        NAMED,
        "run omec facts update ClusterBaseModel/m, or set spec.modelFormat, spec.modelFramework and "
        "spec.modelArchitecture on ClusterBaseModel m, and spec.quantization if its weights are quantized",
        related=1,
        severity=Severity.WARNING,
    ),
    "support not declared": Case(
        [model(), runtime("rt", entry(modelFramework={"version": "4.46.0"}))],
        "OME304",
        NAME,
        'runtime "rt" does not declare support for model "m" (runtime rt does not support model safetensors: model '
        "format 'mt:safetensors:1.0.0:LlamaForCausalLM:transformers:4.45.0.dev0' not in supported formats: framework "
        "version mismatch (model=4.45.0.dev0, runtime=4.46.0)); proceeding because the runtime was named explicitly",
        NAMED,
        related=1,
        severity=Severity.WARNING,
    ),
    "sharded": Case(
        [model(distribution="Sharded"), runtime("rt")],
        "OME305",
        MODEL_NAME,
        "runtime rt does not support model m: no model cache provider is configured for sharded model loading",
        NAMED,
        related=1,
    ),
    "ambiguous candidate": Case(
        [model(), runtime("rt", entry(priority=2)), runtime("rt", disabled=True), runtime("other")],
        "OME306",
        MODEL_NAME,
        "ClusterServingRuntime rt would be selected, but it is defined 2 times",
        related=2,
    ),
}


def findings_of(case: Case) -> list[Finding]:
    found = decider(service(**case.spec), *case.bodies, external=case.external, ome_version=case.ome_version)
    return service_findings(found.services()[0], found, **case.options)


@pytest.mark.parametrize("name", CASES)
def test_finding(name: str) -> None:
    case = CASES[name]
    [finding] = findings_of(case)
    assert finding.message == case.message
    assert (finding.rule.code, finding.field, finding.severity) == (case.code, case.place, case.severity)
    assert finding.position.path == f"InferenceService/svc.yaml#{case.place}"
    assert finding.object is not None
    assert finding.object.name == "svc"
    assert finding.help == (case.remedy or finding.help)
    assert finding.help
    assert len(finding.related) == case.related


def test_a_disabled_runtime_points_at_who_disables_it() -> None:
    """``disabled`` of a runtime that says nothing itself stands in the nearest parent that does."""
    parents = [runtime("root"), bare_runtime("profile", "root", disabled=True), bare_runtime("base", "profile")]
    [finding] = findings_of(Case([model(), *parents, bare_runtime("rt", "base")], "OME251", NAME, "", NAMED))
    [related] = finding.related
    assert related.message == "ClusterServingRuntime profile is disabled here"
    assert related.position.path == "ClusterServingRuntime/profile.yaml#spec.disabled key"


def test_every_rule_is_tested() -> None:
    rules = {value.code for value in vars(selection_rules).values() if isinstance(value, selection_rules.Rule)}
    tested = {case.code for case in CASES.values()}
    assert rules - tested == {selection_rules.REVISION.code, selection_rules.BOTH_BOUNDS.code}


SOUND = [
    ([model(), runtime("rt")], {}),
    ([model(), runtime("rt")], NAMED),
    ([model(), runtime("rt"), runtime("rt", namespace="demo")], {"runtime": {"name": "rt", "kind": "ServingRuntime"}}),
    ([runtime("rt")], {**NAMED, "model": UNSET}),
    ([], {"model": UNSET, "replicaRefs": {"engine": []}}),
    # The other definition of a runtime matters only where it would win.
    ([model(), runtime("rt"), runtime("b", disabled=True), runtime("b", disabled=True)], {}),
    ([model(), runtime("b"), runtime("b"), runtime("a")], {}),
]


@pytest.mark.parametrize(("bodies", "spec"), SOUND)
def test_nothing_to_find(bodies: list[Body], spec: dict[str, Any]) -> None:
    found = decider(service(**spec), *bodies)
    assert service_findings(found.services()[0], found) == []


@pytest.mark.parametrize(
    "reference",
    [{"name": "rt", "revision": "cr-rt-0a1b2c3d"}, {"name": "rt", "autoSync": False, "revision": "r-demo-rt-0a1b2c3d"}],
)
def test_revision_that_the_webhook_refuses(reference: dict[str, Any]) -> None:
    found = decider(service(runtime=reference), model(), runtime("rt"))
    assert [finding.rule.code for finding in service_findings(found.services()[0], found)] == ["OME263", "OME262"]


def test_lint_needs_no_manifest_of_an_external_runtime() -> None:
    found = decider(service(**NAMED), model(), external=("rt",))
    assert selection_findings(found) == []


def test_size_ranges_of_ome_1_2() -> None:
    bodies = [runtime("a", modelSizeRange={"min": "1B"}), runtime("b", modelSizeRange={"min": "1B", "max": "8B"})]
    [finding] = selection_findings(decider(*bodies, ome_version="1.2"))
    assert finding.message == "ClusterServingRuntime a sets no modelSizeRange.max, which OME 1.2 needs"
    assert (finding.rule.code, finding.field) == ("OME307", "spec.modelSizeRange")
    assert selection_findings(decider(*bodies)) == []


def test_services_of_other_catalogs_have_no_findings() -> None:
    context = resource(service(), context=True)
    found = Catalog([context])
    assert selection_findings(Decider(found, ChainResolver(found))) == []


def test_open_facts_are_grouped_by_family_and_remedy() -> None:
    """Three models of one organisation with one remedy, one of another, and one that lacks something else."""
    bodies = [runtime("rt", modelSizeRange={"max": "8B"})]
    for index, uri in enumerate(["hf://Qwen/a", "hf://Qwen/b", "hf://Qwen/c", "hf://meta-llama/a"]):
        bodies += [
            bare_model(f"m{index}", uri),
            service(f"svc{index}", model={"name": f"m{index}"}, runtime={"name": "rt"}),
        ]
    bodies += [model("m9", uri="hf://Qwen/d"), service("svc9", model={"name": "m9"}, runtime={"name": "rt"})]
    bodies.append(service("svc8", model={"name": "m0"}))
    findings = sorted(grouped(selection_findings(decider(*bodies))), key=lambda finding: finding.message)
    assert [(finding.severity.label, finding.message, len(finding.related)) for finding in findings] == [
        (
            "warning",
            "whether the named runtime declares support for InferenceService demo/svc3 is open: model m3 does not give "
            "modelFormat, modelFramework, modelArchitecture and modelParameterSize",
            1,
        ),
        (
            "warning",
            "whether the named runtime declares support for InferenceService demo/svc9 is open: model m9 does not give "
            "modelParameterSize; with modelParameterSize 17B, rt would not declare support",
            1,
        ),
        (
            "warning",
            "whether the named runtimes declare support for 3 InferenceServices is open: 3 models of Qwen do not give "
            "modelFormat, modelFramework, modelArchitecture and modelParameterSize",
            5,
        ),
        (
            "error",
            "which runtime OME selects for InferenceService demo/svc8 is open: model m0 does not give modelFormat, "
            "modelFramework, modelArchitecture and modelParameterSize",
            1,
        ),
    ]
    joined = findings[2]
    assert joined.help == (
        "run omec facts update, or set spec.modelFormat, spec.modelFramework, spec.modelArchitecture and "
        "spec.modelParameterSize on each model"
    )
    assert [related.message for related in joined.related] == [
        "ClusterBaseModel m0 gives too little",
        "ClusterBaseModel m1 gives too little",
        "ClusterBaseModel m2 gives too little",
        "so is InferenceService demo/svc1",
        "so is InferenceService demo/svc2",
    ]


def test_one_model_for_many_services() -> None:
    services = [service(f"svc{index}", runtime={"name": "rt"}) for index in range(3)]
    [finding] = grouped(selection_findings(decider(*services, bare_model(uri=HF), runtime("rt"))))
    assert "for 3 InferenceServices is open: model m of meta-llama does not give" in finding.message
    assert finding.help.endswith("on ClusterBaseModel m")


def test_runtimes_for_other_architectures_cost_nothing(calls_of: CallsOf) -> None:
    """As many models, runtimes and services, four of each for one architecture: the work grows with their number."""
    size = 80
    bodies: list[Body] = []
    for number in range(size):
        architecture = f"Architecture{number // 4}"
        bodies += [
            model(f"m{number}", uri=HF, modelArchitecture=architecture, modelParameterSize=f"{number + 1}B"),
            runtime(f"rt{number}", entry(modelArchitecture=architecture), modelSizeRange={"min": "2B", "max": "70B"}),
            service(f"svc{number}", model={"name": f"m{number}"}),
        ]
    decide = decider(*bodies)
    compared, judged = calls_of(Entry, "matches"), calls_of(Fit, "verdict")
    findings = selection_findings(decide)
    assert {finding.rule for finding in findings} == {selection_rules.NO_RUNTIME}
    assert findings[0].help == "closest is ClusterServingRuntime rt0: its size range [2B, 70B] does not hold 1B"
    assert len(compared) <= 20 * size
    assert 0 < len(judged) <= 20 * size


def test_copies_of_runtimes_are_parsed_once(calls_of: CallsOf) -> None:
    """A folder a cluster with the same runtimes in each, and a service of its own: every service sees all copies."""
    copies = [runtime(f"rt{number % 5}") for number in range(20)]
    services = [service(f"svc{number}") for number in range(10)]
    parsed = calls_of(RuntimeMatcher, "__init__")
    findings = selection_findings(decider(*copies, *services, model()))
    assert len(findings) == 10 * 5
    assert len(parsed) == len(copies)


def test_grouping_leaves_other_findings_alone() -> None:
    found = decider(service(**NAMED), model())
    findings = service_findings(found.services()[0], found)
    assert grouped(findings) == findings


@pytest.mark.parametrize(
    ("body", "family"),
    [
        (bare_model(uri="hf://Qwen/Qwen3-8B@main"), "Qwen"),
        (bare_model(uri="oci://n/ns/b/b/o/x", vendor="cohere"), "cohere"),
        (bare_model(uri="oci://n/ns/b/b/o/x"), "OCI"),
        (bare_model(uri="?"), ""),
    ],
)
def test_family(body: Body, family: str) -> None:
    assert family_of(resource(body)) == family


@pytest.mark.parametrize(
    "remedy",
    [
        [service(runtime={"name": "rt"}), model(uri=HF)],
        [service(), {**model(uri=HF), "metadata": {"name": "m", "annotations": {SKIP_PARSING: "true"}}}],
        [service(), model(uri=HF, quantization="fp8")],
    ],
    ids=["named runtime", "annotation", "quantization"],
)
def test_every_remedy_for_an_open_quantization_works(remedy: list[Body]) -> None:
    runtimes = [runtime("rt"), runtime("rt8", entry(quantization="fp8"))]
    assert [finding for finding in selection_findings(decider(*remedy, *runtimes)) if finding.severity] == []
