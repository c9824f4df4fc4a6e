"""Rules about the identity of objects."""

from __future__ import annotations

from omec.finding import Rule, Severity

DUPLICATE_OBJECT = Rule(
    code="OME180",
    slug="duplicate-object",
    severity=Severity.ERROR,
    summary="Two manifests define the same object",
    why=(
        "The cluster keeps whichever was applied last, so the order in which files are applied decides what runs. "
        "omec never chooses between the two: everything that needs the object is refused until one of them is gone."
    ),
    fix="Delete one of the manifests, or rename the object in it.",
    source="reference 06 §1.1",
    bad=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: ClusterServingRuntime\n"
        "metadata: {name: sglang}\n"
        "spec: {}\n"
        "---\n"
        "apiVersion: ome.io/v1beta1\n"
        "kind: ClusterServingRuntime\n"
        "metadata: {name: sglang}\n"
        "spec: {disabled: true}\n"
    ),
    good="apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {name: sglang}\nspec: {}\n",
)

MISSING_NAMESPACE = Rule(
    code="OME181",
    slug="missing-namespace",
    severity=Severity.ERROR,
    summary="A namespaced object has no metadata.namespace",
    why=(
        "kubectl would put the object into whatever namespace the current context names, Argo CD into the "
        "Application's destination. Which runtimes and models an InferenceService may use depends on it."
    ),
    fix="Write metadata.namespace, or set default-namespace in omec.toml.",
    source="reference 11 §4.1",
    bad="apiVersion: ome.io/v1beta1\nkind: InferenceService\nmetadata:\n  name: chat\n",
    good="apiVersion: ome.io/v1beta1\nkind: InferenceService\nmetadata:\n  name: chat\n  namespace: team-a\n",
)
