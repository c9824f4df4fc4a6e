"""Named runtimes and models, and the webhook's answers (reference 01 §11, §12.1; 04 §3; 09 A4)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.resolve.decide import Decision
from omec.resolve.reference import Reference, find_runtime
from tests.resolve.builders import (
    UNSET,
    Body,
    bare_runtime,
    catalog,
    decider,
    entry,
    model,
    runtime,
    service,
)

MODEL = "llama-3-2-1b-instruct"


def decide(*bodies: Body, **spec: Any) -> Decision:
    """The decision about a service ``svc`` with ``spec``, among ``bodies``."""
    return decider(service(**spec), *bodies).services()[0]


CSR, SR, SR_OTHER = runtime("a"), runtime("a", namespace="ns"), runtime("a", namespace="other")
NOT_FOUND = "runtime a not found in namespace ns or at cluster scope"

# Reference 01 §11.1: objects, kind, result.
LOOKUPS: list[tuple[list[Body], str | None, str | None]] = [
    ([CSR, SR], None, "ClusterServingRuntime"),
    ([CSR, SR], "ClusterServingRuntime", "ClusterServingRuntime"),
    ([CSR, SR], "ServingRuntime", "ServingRuntime"),
    ([SR], None, "ServingRuntime"),
    ([SR], "ClusterServingRuntime", "ServingRuntime"),
    ([CSR], "ServingRuntime", None),
    ([SR_OTHER], None, None),
]


@pytest.mark.parametrize(("objects", "kind", "found"), LOOKUPS)
def test_lookup(objects: list[Body], kind: str | None, found: str | None) -> None:
    named = decide(*objects, model("m"), namespace="ns", runtime={"name": "a", "kind": kind}).named
    assert named is not None
    assert (named.resource and named.resource.kind) == found
    expected = "ServingRuntime a not found in namespace ns" if kind == "ServingRuntime" else NOT_FOUND
    assert named.error == (None if found else expected)


def test_ome_1_2_ignores_the_kind_and_looks_in_the_namespace_first() -> None:
    found = find_runtime(catalog(CSR, SR), Reference("a", "ClusterServingRuntime"), "ns", "1.2")
    assert found.resource is not None
    assert found.resource.kind == "ServingRuntime"


@pytest.mark.parametrize("broken", [{"disabled": True}, {"parent": "ghost"}])
def test_no_step_back_to_the_namespace(broken: dict[str, Any]) -> None:
    """Reference 01 §11.1: a disabled or broken ClusterServingRuntime does not give way to a sound ServingRuntime."""
    parent = broken.pop("parent", None)
    cluster = bare_runtime("a", parent, supportedModelFormats=[entry()], **broken)
    decision = decide(cluster, SR, model("m"), namespace="ns", runtime={"name": "a"})
    expected = (
        'inherit-from parent "ghost" not found (chain so far: [a])'
        if parent
        else "cluster-scoped runtime a is disabled"
    )
    assert decision.error == expected
    assert decision.selected is None


def _warning(runtime_name: str, error: str) -> str:
    return (
        f'runtime "{runtime_name}" does not declare support for model "{MODEL}" ({error}); '
        "proceeding because the runtime was named explicitly"
    )


FRAMEWORK_ERROR = (
    "runtime srt-llama-3-2-1b-instruct does not support model safetensors: model format "
    "'mt:safetensors:1.0.0:LlamaForCausalLM:transformers:4.46.0' not in supported formats: framework version mismatch "
    "(model=4.46.0, runtime=4.45.0.dev0)"
)
SIZE_ERROR = "runtime rt does not support model safetensors: model size 3.21B is outside supported range [500M, 2B]"
CLASS_ERROR = "runtime rt does not support model : runtime does not support the required accelerator class"
MODE_ERROR = (
    "runtime rt does not support model : runtime engine deployment mode MultiNode does not match requested engine "
    "deployment mode OMENative"
)

# Reference 01 §11.3: runtime, changes to the model, the service's spec, compatibility text.
ADVISORIES: list[tuple[Body, dict[str, Any], dict[str, Any], str]] = [
    (runtime("srt-llama-3-2-1b-instruct"), {"modelFramework": {"version": "4.46.0"}}, {}, FRAMEWORK_ERROR),
    (runtime("rt", modelSizeRange={"min": "500M", "max": "2B"}), {"modelParameterSize": "3.21B"}, {}, SIZE_ERROR),
    (runtime("rt"), {}, {"acceleratorSelector": {"acceleratorClass": "h100"}}, CLASS_ERROR),
    (
        runtime("rt", engineConfig={"annotations": {"ome.io/deploymentMode": "MultiNode"}}),
        {},
        {"engine": {"annotations": {"ome.io/deploymentMode": "OMENative"}}},
        MODE_ERROR,
    ),
]


@pytest.mark.parametrize(("named", "changes", "spec", "text"), ADVISORIES)
def test_advisory(named: Body, changes: dict[str, Any], spec: dict[str, Any], text: str) -> None:
    name = named["metadata"]["name"]
    decision = decide(named, model(MODEL, **changes), model={"name": MODEL}, runtime={"name": name}, **spec)
    assert (decision.error, decision.advisory) == (None, text)
    assert decision.selected is not None
    assert decision.admission.warnings == (_warning(name, text),)
    assert decision.event == {
        "reason": "RuntimeCompatibilityAdvisory",
        "message": f"Runtime {name} does not declare support for model {MODEL} ({text}); "
        "proceeding because the runtime was named explicitly",
    }


def test_pinned_service_gets_no_event() -> None:
    mismatch = runtime("rt", modelSizeRange={"max": "2B"})
    decision = decide(mismatch, model("m", modelParameterSize="7B"), runtime={"name": "rt", "autoSync": False})
    assert decision.advisory is not None
    assert decision.event is None


def test_named_runtime_needs_no_auto_select() -> None:
    decision = decide(runtime("rt", entry(autoSelect=False)), model("m"), runtime={"name": "rt"})
    assert decision.selected is not None
    assert decision.automatic is None
    assert (decision.error, decision.advisory, decision.admission.warnings) == (None, None, ())


def test_named_runtime_is_matched_with_what_it_inherits() -> None:
    """Reference 02 §5, S2 and S3."""
    child = bare_runtime("child", "profile", disabled=False)
    decision = decide(runtime("profile", disabled=True), child, model("m"), runtime={"name": "child"})
    assert decision.selected is not None
    assert decision.selected.name == "child"
    assert decision.accelerator_entry == 0
    assert decision.spec is not None
    assert decision.spec["supportedModelFormats"][0]["modelArchitecture"] == "LlamaForCausalLM"


def test_disabled_by_inheritance() -> None:
    """Reference 02 §5, S1."""
    decision = decide(
        runtime("profile", disabled=True), bare_runtime("child", "profile"), model("m"), runtime={"name": "child"}
    )
    assert (decision.error, decision.error_kind) == ("cluster-scoped runtime child is disabled", "RuntimeDisabled")


def test_namespaced_runtime_disabled() -> None:
    disabled = runtime("rt", namespace="demo", disabled=True)
    assert decide(disabled, model("m"), runtime={"name": "rt"}).error == "namespace-scoped runtime rt is disabled"


def test_sharded_model_is_refused_even_with_a_named_runtime() -> None:
    decision = decide(runtime("rt"), model("m", distribution="Sharded"), runtime={"name": "rt"})
    assert decision.selected is None
    assert not decision.admission.allowed
    assert "no model cache provider is configured for sharded model loading" in (decision.admission.message or "")


def test_order_of_validation() -> None:
    """Reference 01 §11.2: the model, the lookup, disabled, the checks."""
    decision = decide(model("m", modelFormat=UNSET), runtime={"name": "rt"})
    assert decision.error_kind == "ModelValidation"
    assert decide(model("m"), runtime={"name": "rt"}).error_kind == "RuntimeNotFound"
    disabled = runtime("rt", entry(modelArchitecture="Other"), disabled=True)
    assert decide(disabled, model("m"), runtime={"name": "rt"}).error_kind == "RuntimeDisabled"


IMAGE = {"runner": {"name": "x", "image": "x"}}
SELECTED = "Runtime rt will be auto-selected for model m"
NOTHING = "at least one of spec.model or spec.runtime must be set"

# Reference 01 §12.1: engine, has a model, has a runtime, answer (text of the warning or the refusal).
ADMISSIONS: list[tuple[Any, bool, bool, bool, str | None]] = [
    (UNSET, True, False, True, None),
    ({}, True, False, True, SELECTED),
    (IMAGE, True, False, True, None),
    ({"leader": IMAGE}, True, False, True, SELECTED),
    ({"leader": IMAGE, "worker": IMAGE}, True, False, True, None),
    (IMAGE, True, True, True, None),
    ({}, False, True, True, None),
    ({}, False, False, False, NOTHING),
]


@pytest.mark.parametrize(("engine", "has_model", "has_runtime", "allowed", "text"), ADMISSIONS)
def test_admission(engine: Any, has_model: bool, has_runtime: bool, allowed: bool, text: str | None) -> None:
    spec = {"engine": engine, "runtime": {"name": "rt"} if has_runtime else UNSET}
    decision = decide(runtime("rt"), model("m"), **spec, **({} if has_model else {"model": UNSET}))
    assert decision.admission.allowed is allowed
    assert (*decision.admission.warnings, decision.admission.message) == ((text, None) if allowed and text else (text,))


# Reference 01 §12.1, the full rejections, and 09 A4 rules 28 to 29b.
REFUSALS: list[tuple[list[Body], dict[str, Any], str]] = [
    (
        [model("m")],
        {"runtime": {"name": "rt"}},
        "runtime rt does not support model m: runtime rt not found in namespace demo or at cluster scope",
    ),
    (
        [model("m"), runtime("rt", disabled=True)],
        {"runtime": {"name": "rt"}},
        "runtime rt does not support model m: cluster-scoped runtime rt is disabled",
    ),
    (
        [model("m", modelFormat=UNSET)],
        {},
        "no supporting runtime found for model m and engine does not have complete runner configuration: invalid model "
        "specification: modelFormat.name: model format name is required",
    ),
    ([model("m", disabled=True), runtime("rt")], {}, "model m is disabled"),
    (
        [runtime("rt")],
        {},
        'referenced model "m" not found in namespace "demo": ensure a BaseModel exists in this namespace or a '
        "ClusterBaseModel exists cluster-wide with this name",
    ),
    (
        [model("m"), runtime("rt")],
        {"runtime": {"name": "rt", "revision": "cr-rt-12345678"}},
        "spec.runtime.revision requires spec.runtime.autoSync=false; AutoSync=true would silently ignore the pin",
    ),
    (
        [model("m"), runtime("rt")],
        {"runtime": {"name": "rt", "revision": "rt-1", "autoSync": False}},
        'spec.runtime.revision "rt-1" does not match the expected naming convention for runtime "rt" '
        "(ClusterServingRuntime); expected the form cr-rt-<8 lowercase hex chars>",
    ),
    (
        [model("m", uri="pvc://models:claim/llama"), runtime("rt")],
        {},
        'ClusterBaseModel "m" references PVC in namespace "models", but InferenceService is in namespace "demo"; '
        "Kubernetes does not allow pods to mount PVCs from another namespace. Either move the InferenceService to "
        'namespace "models" or replicate the PVC into namespace "demo".',
    ),
]


@pytest.mark.parametrize(("bodies", "spec", "message"), REFUSALS)
def test_refusal(bodies: list[Body], spec: dict[str, Any], message: str) -> None:
    decision = decide(*bodies, **spec)
    assert (decision.admission.allowed, decision.admission.message) == (False, message)


@pytest.mark.parametrize(
    ("kind", "revision"), [("ClusterServingRuntime", "cr-rt-0a1b2c3d"), ("ServingRuntime", "r-demo-rt-0a1b2c3d")]
)
def test_revision_that_fits(kind: str, revision: str) -> None:
    reference = {"name": "rt", "kind": kind, "revision": revision, "autoSync": False}
    decision = decide(runtime("rt"), runtime("rt", namespace="demo"), model("m"), runtime=reference)
    assert decision.admission.allowed


def test_without_a_model() -> None:
    """Reference 01 §11.4: the runtime is used as it is; only a disabled or missing one is an error."""
    lean = {"model": UNSET, "runtime": {"name": "rt"}}
    decision = decide(runtime("rt"), **lean)
    assert decision.selected is not None
    assert (decision.selection, decision.accelerator_entry) == (None, None)
    missing = decide(**lean)
    assert missing.admission.allowed
    assert missing.error == "runtime rt not found in namespace demo or at cluster scope"
    disabled = decide(runtime("rt", disabled=True), **lean)
    assert disabled.error == "cluster-scoped runtime rt is disabled"
    assert not disabled.admission.allowed


def test_replica_references_need_neither() -> None:
    decision = decide(model=UNSET, replicaRefs={"engine": ["x"]})
    assert (decision.error, decision.selected) == (None, None)
    assert decision.admission.allowed


# Reference 04 §3: spec.model, models, the one that is served.
SERVED = [
    ({"name": "m"}, True, True, "ClusterBaseModel"),
    ({"name": "m", "kind": "BaseModel"}, True, True, "BaseModel"),
    # What is not of the kind that is named is answered for all the same; a finding says that OME does not serve it.
    ({"name": "m"}, True, False, "BaseModel"),
    ({"name": "m", "kind": "BaseModel"}, False, True, "ClusterBaseModel"),
]


@pytest.mark.parametrize(("reference", "base", "cluster", "kind"), SERVED)
def test_model(reference: dict[str, str], base: bool, cluster: bool, kind: str) -> None:
    models = [model("m", namespace="demo")] * base + [model("m")] * cluster
    decision = decide(*models, runtime("rt"), model=reference)
    assert decision.model is not None
    assert decision.model.kind == kind


def test_webhook_judges_by_the_models_of_the_namespace_first() -> None:
    """With a model of one name in both scopes, admission and serving look at different objects."""
    base = model("m", namespace="demo", modelArchitecture="Other")
    decision = decide(base, model("m"), runtime("rt"))
    assert decision.selected is not None
    assert not decision.admission.allowed


@pytest.mark.parametrize("changes", [{"disabled": True}, {"modelSizeRange": {"max": "1B"}}])
def test_a_runtime_that_the_service_does_not_get_has_no_spec(changes: Body) -> None:
    decision = decide(runtime("rt", **changes), model("m", modelParameterSize="7B"), runtime={"name": "rt"})
    assert (decision.spec is None) == ("disabled" in changes)
    assert (decision.matcher is None) == (decision.spec is None)
