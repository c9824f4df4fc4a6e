"""Rules about what OME's webhook adds to pods, or what stands for it."""

from __future__ import annotations

from omec.finding import Rule, Severity

_PODS = "OME docs: reference/api/labels-and-annotations (Pods)"

SETTING_MISSING = Rule(
    code="OME720",
    slug="injection-setting-missing",
    severity=Severity.ERROR,
    summary="A container that pods need is not configured",
    why=(
        "The pods ask for a container that fetches or decrypts weights. On platform kubernetes it has to stand in the "
        "rendered pods, and its image and identity are the operator's to choose: omec names none."
    ),
    fix=(
        "Set the key in the table [operator] of omec.toml, or in the ConfigMap inferenceservice-config. "
        "docs/weights-container.md says what the image has to do."
    ),
    source=f"{_PODS}; reference 04 §16.2, §16.3, §17.4",
    bad='metadata:\n  annotations: {ome.io/inject-model-init: "true"}\n',
    good="metadata:\n  annotations: {}\n",
)

POD_DENIED = Rule(
    code="OME721",
    slug="pod-denied",
    severity=Severity.ERROR,
    summary="OME's webhook would deny the pods of a component",
    why="The workload is created, and never gets a pod: its ReplicaSet records FailedCreate events.",
    fix="Correct the annotation that asks for the injection, or what it needs of the pod.",
    source=f"{_PODS}; reference 04 §16",
    bad='metadata:\n  annotations: {rdma.ome.io/auto-inject: "true", rdma.ome.io/profile: oci-rose}\n',
    good='metadata:\n  annotations: {rdma.ome.io/auto-inject: "true", rdma.ome.io/profile: oci-roce}\n',
)

SETTING_UNKNOWN = Rule(
    code="OME722",
    slug="webhook-setting-unknown",
    severity=Severity.WARNING,
    summary="Nothing says how OME's webhook is configured, and pods need it to be",
    why=(
        "With OME, its webhook adds the container when pods are created, as the ConfigMap inferenceservice-config "
        "says, and denies them where it does not. OME's chart configures no container for fine-tuned weights."
    ),
    fix="Keep the ConfigMap in the repository, or set the key in the table [operator] of omec.toml.",
    source=f"{_PODS}; reference 04 §17.4, §19",
    bad="model: {name: llama, fineTunedWeights: [support-tone]}\n",
    good="model: {name: llama}\n",
)
