"""Rules about fine-tuned weights, overlays, and how weights reach nodes and pods."""

from __future__ import annotations

from omec.finding import Rule, Severity

_TUNED = "OME docs: concepts/models/fine-tuned-weights"
_STORAGE = "OME docs: concepts/models/base-models"

TUNING_REFUSED = Rule(
    code="OME704",
    slug="fine-tuned-weights-refused",
    severity=Severity.ERROR,
    summary="OME cannot serve the fine-tuned weights of a service",
    why="OME fails before it creates anything for the engine, at every attempt.",
    fix=(
        "Name exactly one FineTunedWeight that exists, with a configuration ({} is enough) and a text as "
        "hyperParameters.strategy."
    ),
    source=f"{_TUNED}; reference 04 §17",
    bad="model: {name: llama, fineTunedWeights: [support-tune]}\n",
    good="model: {name: llama, fineTunedWeights: [support-tone]}\n",
)

OVERLAY_REFUSED = Rule(
    code="OME705",
    slug="overlay-refused",
    severity=Severity.ERROR,
    summary="OME's webhook refuses an overlay of a service",
    why="The InferenceService is not stored.",
    fix="Name other models than spec.model.name, each once, whose names differ in more than hyphens and underscores.",
    source="OME docs: concepts/serving/inference-services; reference 09 §A4",
    bad="overlays:\n- {name: llama}\n",
    good="overlays:\n- {name: guard}\n",
)

OVERLAY_SKIPPED = Rule(
    code="OME706",
    slug="overlay-skipped",
    severity=Severity.WARNING,
    summary="OME leaves an overlay of a service out",
    why="The pods start without it, so that a runner that is asked for the model finds no files.",
    fix="Enable the model, correct its kind, or remove the overlay.",
    source="OME docs: concepts/serving/inference-services; reference 04 §18",
    bad="overlays:\n- {name: retired}\n",
    good="overlays:\n- {name: guard}\n",
)

WEIGHTS_WITHOUT_MODEL = Rule(
    code="OME707",
    slug="weights-without-model",
    severity=Severity.ERROR,
    summary="A service has fine-tuned weights or overlays, but no model",
    why="OME looks at neither without spec.model.name: the pods would serve something else.",
    fix="Name the model, or remove the fields.",
    source="OME docs: concepts/serving/inference-services; reference 09 §C5",
    bad='model: {name: "", fineTunedWeights: [support-tone]}\n',
    good="model: {name: llama, fineTunedWeights: [support-tone]}\n",
)

MOUNT_CLASH = Rule(
    code="OME708",
    slug="fine-tuned-mount-clash",
    severity=Severity.ERROR,
    summary="Fine-tuned weights and a model on a volume claim need the same mount path",
    why="Both belong at /opt/ml/model, and the API server refuses a container with two mounts at one path.",
    fix="Use merged weights, or a model whose files the agent keeps on nodes.",
    source=f"{_TUNED}; reference 04 §17.1",
    bad="model: {name: claimed, fineTunedWeights: [support-tone]}\n",
    good="model: {name: llama, fineTunedWeights: [support-tone]}\n",
)

TUNED_URI = Rule(
    code="OME709",
    slug="fine-tuned-uri",
    severity=Severity.WARNING,
    summary="Fine-tuned weights cannot be fetched from their storageUri",
    why=(
        "They are one zip file in OCI Object Storage. For merged weights -merged-weight is appended to the name of the "
        "object, so a name that ends with a slash leads nowhere."
    ),
    fix="Write oci://n/NAMESPACE/b/BUCKET/o/OBJECT.",
    source=f"{_TUNED}; reference 04 §17.3",
    bad=(
        "apiVersion: ome.io/v1beta1\nkind: FineTunedWeight\nmetadata: {name: support-tone}\n"
        "spec:\n  baseModelRef: {name: llama}\n  modelType: LoRA\n  hyperParameters: {strategy: lora}\n"
        "  storage: {storageUri: hf://acme/support-tone}\n"
    ),
    good=(
        "apiVersion: ome.io/v1beta1\nkind: FineTunedWeight\nmetadata: {name: support-tone}\n"
        "spec:\n  baseModelRef: {name: llama}\n  modelType: LoRA\n  hyperParameters: {strategy: lora}\n"
        "  storage: {storageUri: oci://n/acme/b/weights/o/support-tone}\n"
    ),
)


def _model(storage: str) -> str:
    return (
        f"apiVersion: ome.io/v1beta1\nkind: ClusterBaseModel\nmetadata: {{name: llama}}\nspec: {{storage: {storage}}}\n"
    )


POLICY_IGNORED = Rule(
    code="OME710",
    slug="download-policy-ignored",
    severity=Severity.WARNING,
    summary="A model asks to share its files, and its scheme cannot",
    why="Nodes share copies of hf:// models, and of oci:// mirrors whose annotations name the repository and commit.",
    fix="Remove downloadPolicy, or give an oci:// model the annotations hf-model-id and hf-model-sha.",
    source=f"{_STORAGE}; reference 07 §8",
    bad=_model("{storageUri: 'local:///raid/llama', path: /raid/llama, downloadPolicy: ReuseIfExists}"),
    good=_model("{storageUri: 'hf://acme/llama', path: /raid/llama, downloadPolicy: ReuseIfExists}"),
    fixable=True,
)

SHARED_PATH = Rule(
    code="OME711",
    slug="shared-model-path",
    severity=Severity.ERROR,
    summary="A model that shares its files has a path where no link to them can be",
    why=(
        "Each model becomes a link to the shared copy below _artifacts. The agent fails for a relative path, one with "
        ".. in it, and one inside that directory."
    ),
    fix="Give the model an absolute path of its own, below the models root and outside _artifacts.",
    source=f"{_STORAGE}; reference 07 §8",
    bad=_model("{storageUri: 'hf://acme/llama', path: /raid/_artifacts/llama, downloadPolicy: ReuseIfExists}"),
    good=_model("{storageUri: 'hf://acme/llama', path: /raid/llama, downloadPolicy: ReuseIfExists}"),
)

STAGE_REFUSED = Rule(
    code="OME712",
    slug="stage-storage-refused",
    severity=Severity.ERROR,
    summary="OME's webhook refuses how a model is staged",
    why="stage:// copies a directory of the node to spec.storage.path; the model is not stored.",
    fix="Write stage:///SOURCE, and an absolute path outside of it as storage.path.",
    source="reference 09 §A7",
    bad=_model("{storageUri: 'stage:///mnt/src', path: /mnt/src/sub}"),
    good=_model("{storageUri: 'stage:///mnt/src', path: /raid/llama}"),
)
