"""Rules about what an InferenceService names, and about which runtime it gets."""

from __future__ import annotations

from omec.finding import Rule, Severity

_NAMED = "OME docs: guides/deploy-models/reference-a-runtime-explicitly"
_SERVICE = "OME docs: concepts/serving/inference-services"
_TROUBLE = "OME docs: guides/deploy-models/troubleshoot-runtime-selection"
_SCORING = "OME docs: reference/matching/runtime-selection-scoring"
_FACTS = "OME docs: concepts/models/base-models"
_PINNING = "OME docs: concepts/runtimes/runtime-revisions-and-pinning"

RUNTIME_NOT_FOUND = Rule(
    code="OME250",
    slug="runtime-not-found",
    severity=Severity.ERROR,
    summary="An InferenceService names a runtime that does not exist",
    why=(
        "OME's webhook refuses the service. If the runtime is deleted later, OME stops updating the workload and "
        "refuses every change of the service. kind: ServingRuntime never falls back to a ClusterServingRuntime."
    ),
    fix=(
        "Correct spec.runtime, or add the runtime to the repository or to one of its [[sources]]. If it exists in the "
        "cluster only, list it under external-runtimes in omec.toml."
    ),
    source=_NAMED,
    bad="spec:\n  runtime:\n    name: srt-lama-3-2-1b-instruct\n",
    good="spec:\n  runtime:\n    name: srt-llama-3-2-1b-instruct\n",
)

RUNTIME_DISABLED = Rule(
    code="OME251",
    slug="runtime-disabled",
    severity=Severity.ERROR,
    summary="An InferenceService names a disabled runtime",
    why="OME's webhook refuses the service. disabled is inherited, so a profile can disable its children.",
    fix="Set spec.disabled: false on the runtime, or name another one.",
    source=_NAMED,
    bad="runtime: {name: sglang-profile}\n",
    good="runtime: {name: sglang}\n",
)

MODEL_NOT_FOUND = Rule(
    code="OME252",
    slug="model-not-found",
    severity=Severity.ERROR,
    summary="An InferenceService names a model that does not exist",
    why="OME's webhook refuses the service.",
    fix="Correct spec.model, or add the model to the repository or to one of its [[sources]].",
    source=_SERVICE,
    bad="model: {name: lama}\n",
    good="model: {name: llama}\n",
)

MODEL_DISABLED = Rule(
    code="OME253",
    slug="model-disabled",
    severity=Severity.ERROR,
    summary="An InferenceService names a disabled model",
    why="OME's webhook refuses the service.",
    fix="Set spec.disabled: false on the model, or name another one.",
    source=_SERVICE,
    bad="model: {name: retired}\n",
    good="model: {name: llama}\n",
)

MODEL_KIND = Rule(
    code="OME254",
    slug="model-kind-mismatch",
    severity=Severity.ERROR,
    summary="spec.model.kind is not the kind of the model",
    why=(
        "The webhook finds the model whatever its kind, so the service is admitted; then OME looks only for the kind "
        "that is named (ClusterBaseModel unless the service says otherwise), and renders nothing, without an event."
    ),
    fix="Write spec.model.kind as the model has it.",
    source=_SERVICE,
    bad="spec:\n  model:\n    name: my-base-model\n",
    good="spec:\n  model:\n    kind: BaseModel\n    name: my-base-model\n",
    fixable=True,
)

NOTHING_NAMED = Rule(
    code="OME255",
    slug="no-model-no-runtime",
    severity=Severity.ERROR,
    summary="An InferenceService names neither a model nor a runtime",
    why="OME's webhook refuses the service.",
    fix="Name a model in spec.model.name, or a runtime that brings its own weights in spec.runtime.name.",
    source=_SERVICE,
    bad="spec:\n  engine: {}\n",
    good="spec:\n  model: {name: llama}\n  engine: {}\n",
)

REFERENCE_KIND = Rule(
    code="OME256",
    slug="reference-kind-unsupported",
    severity=Severity.ERROR,
    summary="spec.model.kind or spec.runtime.kind is no kind of model or runtime",
    why="OME cannot render a service whose model has another kind, and looks for the runtime in an unforeseen order.",
    fix="Write BaseModel or ClusterBaseModel, ServingRuntime or ClusterServingRuntime, in this spelling.",
    source=_SERVICE,
    bad="model: {kind: clusterbasemodel, name: llama}\n",
    good="model: {kind: ClusterBaseModel, name: llama}\n",
)

RUNTIME_CHAIN = Rule(
    code="OME257",
    slug="runtime-chain-broken",
    severity=Severity.ERROR,
    summary="An InferenceService names a runtime whose inheritance is broken",
    why="OME's webhook refuses the service; a workload that exists is left as it is.",
    fix="Repair the runtime's chain of ome.io/inherit-from annotations.",
    source="OME docs: concepts/runtimes/runtime-inheritance",
    bad="runtime: {name: orphan}\n",
    good="runtime: {name: sglang}\n",
)

AMBIGUOUS = Rule(
    code="OME258",
    slug="reference-ambiguous",
    severity=Severity.ERROR,
    summary="An InferenceService names an object that the repository defines more than once",
    why="The cluster keeps whichever definition was applied last; omec never chooses between them.",
    fix="Keep one of the definitions, or rename one.",
    source="reference 06 §1.1",
    bad="runtime: {name: twice}\n",
    good="runtime: {name: sglang}\n",
)

RUNTIME_SCOPES = Rule(
    code="OME259",
    slug="runtime-in-both-scopes",
    severity=Severity.WARNING,
    summary="A runtime named without its kind exists in the namespace and in the cluster",
    why="OME 1.3 takes the ClusterServingRuntime; OME 1.2 took the ServingRuntime of the namespace.",
    fix="Write spec.runtime.kind.",
    source=_NAMED,
    bad="spec:\n  runtime:\n    name: vllm\n",
    good="spec:\n  runtime:\n    kind: ServingRuntime\n    name: vllm\n",
)

MODEL_SCOPES = Rule(
    code="OME260",
    slug="model-in-both-scopes",
    severity=Severity.WARNING,
    summary="A model exists as BaseModel in the namespace and as ClusterBaseModel",
    why="OME serves the one of the kind that is named, but its webhook judges the service by the BaseModel.",
    fix="Rename one of the two models.",
    source=_SERVICE,
    bad="kind: BaseModel\nmetadata: {name: llama, namespace: demo}\n",
    good="kind: BaseModel\nmetadata: {name: llama-demo, namespace: demo}\n",
)

RUNTIME_EXTERNAL = Rule(
    code="OME261",
    slug="runtime-external",
    severity=Severity.ERROR,
    summary="A service cannot be compiled with a runtime that exists in the cluster only",
    why="omec renders from manifests; external-runtimes names a runtime whose manifest it has not got.",
    fix="Add the runtime's manifest to the repository, or a catalog that holds it to [[sources]] in omec.toml.",
    source="docs/configuration.md",
    bad="runtime: {name: in-the-cluster}\n",
    good="runtime: {name: sglang}\n",
)

PINNED = Rule(
    code="OME262",
    slug="runtime-pinned",
    severity=Severity.ERROR,
    summary="A service that pins its runtime cannot be compiled yet",
    why=(
        "With autoSync: false OME serves from a stored revision of the runtime, which is not in the repository; the "
        "live runtime may differ."
    ),
    fix="Remove autoSync: false and revision, or pass --allow-unpinned to render the runtime as it is now.",
    source=_PINNING,
    bad="runtime: {name: sglang, autoSync: false}\n",
    good="runtime: {name: sglang}\n",
)

REVISION = Rule(
    code="OME263",
    slug="runtime-revision-invalid",
    severity=Severity.ERROR,
    summary="spec.runtime.revision cannot be what it says",
    why="OME's webhook refuses a revision without autoSync: false, and one whose name does not fit the runtime.",
    fix="Set autoSync: false, and name a revision of this runtime as `kubectl ome runtime history` lists them.",
    source=_PINNING,
    bad="runtime: {name: sglang, revision: sglang-6d5f}\n",
    good="runtime: {name: sglang}\n",
)

CLAIM_NAMESPACE = Rule(
    code="OME264",
    slug="model-claim-in-other-namespace",
    severity=Severity.ERROR,
    summary="The model's PersistentVolumeClaim is in another namespace than the service",
    why="Pods mount claims of their own namespace only; OME's webhook refuses the service.",
    fix="Move the service to the claim's namespace, or copy the claim and use a BaseModel there.",
    source="OME docs: guides/deploy-models/serve-models-from-pvc",
    bad='storage: {storageUri: "pvc://models:weights/llama"}\n',
    good='storage: {storageUri: "pvc://demo:weights/llama"}\n',
)

MODEL_REQUIRED = Rule(
    code="OME265",
    slug="model-required",
    severity=Severity.ERROR,
    summary="OME 1.2 needs a model in every InferenceService",
    why="Services that name only a runtime exist since OME 1.3.",
    fix='Name the model, or set ome-version = "1.3" in omec.toml when the cluster runs it.',
    source=_NAMED,
    bad="spec:\n  runtime: {name: sglang}\n  engine: {}\n",
    good="spec:\n  model: {name: llama}\n  runtime: {name: sglang}\n  engine: {}\n",
)

NO_RUNTIME = Rule(
    code="OME301",
    slug="no-runtime-found",
    severity=Severity.ERROR,
    summary="No runtime can be selected for the model of an InferenceService",
    why="OME's webhook refuses the service, on every change of it; without an engine section it gets no pods.",
    fix="`omec explain --isvc NS/NAME` shows every runtime with its reason. Fix one, or name one in spec.runtime.",
    source=_TROUBLE,
    bad="supportedModelFormats:\n- modelFormat: {name: safetensors}\n  modelFramework: {name: transformers}\n",
    good=(
        "supportedModelFormats:\n"
        "- modelFormat: {name: safetensors}\n"
        "  modelFramework: {name: transformers}\n"
        "  autoSelect: true\n"
    ),
)

FORMAT_MISSING = Rule(
    code="OME302",
    slug="model-format-missing",
    severity=Severity.ERROR,
    summary="A model has no format, and OME will not read one",
    why=(
        "Without modelFormat no runtime matches, and OME refuses even a service that names its runtime. OME reads no "
        "files of vendor:// models and of models that opt out of it."
    ),
    fix="Set spec.modelFormat and spec.modelFramework on the model.",
    source=_FACTS,
    bad='storage: {storageUri: "vendor://acme/models/llama"}\n',
    good=(
        "modelFormat: {name: safetensors}\n"
        "modelFramework: {name: transformers}\n"
        'storage: {storageUri: "vendor://acme/models/llama"}\n'
    ),
)

FACTS_UNKNOWN = Rule(
    code="OME303",
    slug="facts-unknown",
    severity=Severity.ERROR,
    summary="Which runtime serves a model depends on facts that only its files tell",
    why=(
        "OME fills unset facts of a model from its files once they are downloaded, and selects the runtime by them. "
        "What the manifests leave open, a pull request cannot decide."
    ),
    fix=(
        "Write the facts into the model's manifest, as OME shows them on the model in the cluster. A warning only "
        "where the service names its runtime: then nothing but the check of that runtime depends on them."
    ),
    source=_FACTS,
    bad="kind: ClusterBaseModel\nspec:\n  storage:\n    storageUri: hf://meta-llama/Llama-3.2-3B-Instruct\n",
    good=(
        "kind: ClusterBaseModel\nspec:\n  modelArchitecture: LlamaForCausalLM\n  modelFormat:\n    name: safetensors\n"
        '    version: "1.0.0"\n  modelFramework:\n    name: transformers\n    version: "4.45.0.dev0"\n'
        "  modelParameterSize: 3.21B\n  storage:\n    storageUri: hf://meta-llama/Llama-3.2-3B-Instruct\n"
    ),
)

NOT_DECLARED = Rule(
    code="OME304",
    slug="support-not-declared",
    severity=Severity.WARNING,
    summary="The named runtime does not declare support for the model",
    why=(
        "OME uses it anyway, with a warning at admission and a RuntimeCompatibilityAdvisory event. If the runtime "
        "cannot load the model, the pods never become ready."
    ),
    fix="Name a runtime that declares the model, or add an entry for it to the runtime's supportedModelFormats.",
    source=_NAMED,
    bad="supportedModelFormats:\n- modelFormat: {name: gguf}\n  modelFramework: {name: transformers}\n",
    good="supportedModelFormats:\n- modelFormat: {name: safetensors}\n  modelFramework: {name: transformers}\n",
)

SHARDED = Rule(
    code="OME305",
    slug="model-sharded",
    severity=Severity.ERROR,
    summary="A model with distribution: Sharded cannot be served",
    why="It needs a model cache provider, which OME 1.3 cannot configure; its webhook refuses the service.",
    fix="Remove distribution: Sharded from the model, or serve another model.",
    source=_FACTS,
    bad="distribution: Sharded\n",
    good="distribution: PerNode\n",
)

AMBIGUOUS_CANDIDATE = Rule(
    code="OME306",
    slug="candidate-ambiguous",
    severity=Severity.ERROR,
    summary="A runtime that could be selected is defined more than once",
    why="The cluster keeps whichever definition was applied last, and that decides which runtime is selected.",
    fix="Keep one of the definitions of the runtime, or name the service's runtime in spec.runtime.",
    source=_SCORING,
    bad="metadata: {name: sglang}\nspec: {disabled: true}\n",
    good="metadata: {name: sglang-profile}\nspec: {disabled: true}\n",
)

BOTH_BOUNDS = Rule(
    code="OME307",
    slug="size-range-needs-both-bounds",
    severity=Severity.ERROR,
    summary="OME 1.2 needs both bounds of a modelSizeRange",
    why="OME 1.2 crashes while it selects a runtime for a model with a size; one bound alone works since OME 1.3.",
    fix='Set min and max, or set ome-version = "1.3" in omec.toml when the cluster runs it.',
    source="OME docs: reference/matching/model-size-range-matching",
    bad="modelSizeRange: {min: 1B}\n",
    good="modelSizeRange: {min: 1B, max: 8B}\n",
)
