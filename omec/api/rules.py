"""Rules about the structure of single objects: identity, metadata, fields, and the CRDs' own conditions."""

from __future__ import annotations

from omec.finding import Rule, Severity

_STRUCTURE = "OME docs: reference/api/ome.v1beta1"

UNKNOWN_FIELD = Rule(
    "OME120",
    "unknown-field",
    Severity.ERROR,
    "A field does not exist at this place",
    why="kubectl refuses the object; a client that does not validate strictly, such as Argo CD, sends it, and the API "
    "server drops the field without a word.",
    fix="Correct the name, move the field to where it belongs, or delete it.",
    source=f"{_STRUCTURE}; reference 06 §1.2",
    bad="spec:\n  modelRef:\n    name: llama-3-2-3b-instruct\n",
    good="spec:\n  model:\n    name: llama-3-2-3b-instruct\n",
    fixable=True,
)
DROPPED_FIELD = Rule(
    "OME121",
    "dropped-field",
    Severity.ERROR,
    "A field of an older OME release is gone",
    why="The API server of OME 1.3 drops the field without a word, so what it asked for does not happen.",
    fix="Use the replacement that the message names.",
    source='OME docs: reference/api/ome.v1beta1, "Removed in v1.3"; reference 06 §15',
    bad="spec:\n  engine:\n    scaleMetric: cpu\n    scaleTarget: 80\n",
    good="spec:\n  engine:\n    autoscaler:\n      class: HPA\n      hpa:\n        metrics:\n"
    "        - type: Resource\n          resource:\n            name: cpu\n            target:\n"
    "              type: Utilization\n              averageUtilization: 80\n",
)
WRONG_TYPE = Rule(
    "OME122",
    "wrong-type",
    Severity.ERROR,
    "A value has the wrong type",
    why="The API server refuses the object.",
    fix="Write a value of the expected type; text that looks like a number or a boolean needs quotes.",
    source=f"{_STRUCTURE}; reference 06 §1",
    bad="modelFormat:\n  name: safetensors\n  version: 1.0\n",
    good='modelFormat:\n  name: safetensors\n  version: "1.0"\n',
    fixable=True,
)
MISSING_FIELD = Rule(
    "OME123",
    "missing-field",
    Severity.ERROR,
    "A required field is missing",
    why="The API server refuses the object.",
    fix="Add the field.",
    source=f"{_STRUCTURE}; reference 06",
    bad="spec:\n  storage:\n    path: /models/llama\n",
    good="spec:\n  storage:\n    storageUri: hf://meta-llama/Llama-3.2-3B-Instruct\n    path: /models/llama\n",
)
UNSUPPORTED_VALUE = Rule(
    "OME124",
    "unsupported-value",
    Severity.ERROR,
    "A value is none of those that the field takes",
    why="The API server refuses the object. Letter case counts.",
    fix="Write one of the supported values.",
    source=f"{_STRUCTURE}; reference 06",
    bad="autoscaler:\n  class: hpa\n",
    good="autoscaler:\n  class: HPA\n",
    fixable=True,
)
BAD_PATTERN = Rule(
    "OME125",
    "bad-pattern",
    Severity.ERROR,
    "A text does not have the form that the field asks for",
    why="The API server refuses the object, or OME cannot decode it.",
    fix="Write the value in the form that the message describes.",
    source=f"{_STRUCTURE}; reference 06",
    bad="capabilities:\n  memoryGB: 80 GB\n",
    good="capabilities:\n  memoryGB: 80Gi\n",
)
OUT_OF_RANGE = Rule(
    "OME126",
    "out-of-range",
    Severity.ERROR,
    "A number, a length or a count is out of bounds",
    why="The API server refuses the object, or OME cannot decode the number.",
    fix="Stay within the bounds that the message names.",
    source=f"{_STRUCTURE}; reference 06",
    bad="supportedModelFormats:\n- priority: 0\n",
    good="supportedModelFormats:\n- priority: 1\n",
)
DUPLICATE_ITEM = Rule(
    "OME127",
    "duplicate-item",
    Severity.ERROR,
    "Two items of a list have the same key",
    why="The API server refuses the object, because it identifies the items of this list by their key.",
    fix="Rename one of the items, or delete it.",
    source=f"{_STRUCTURE}; reference 06 §14.1",
    bad="volumes:\n- name: cache\n  emptyDir: {}\n- name: cache\n  emptyDir: {}\n",
    good="volumes:\n- name: cache\n  emptyDir: {}\n",
)
NEEDS_NEWER_OME = Rule(
    "OME128",
    "needs-newer-ome",
    Severity.ERROR,
    "A field or kind needs a newer OME than the configured one",
    why="The API server of that release drops the field without a word, or does not know the kind.",
    fix="Raise ome-version in omec.toml if the cluster runs that release, else delete the field.",
    source=f"{_STRUCTURE}; reference 06",
    bad="spec:\n  engine: {}\n  routing: {}\n",
    good="spec:\n  engine: {}\n",
)
EXCLUSIVE_FIELDS = Rule(
    "OME130",
    "exclusive-fields",
    Severity.ERROR,
    "Fields exclude each other, or exactly one of several is needed",
    why="The API server refuses the object: a validation rule of its CRD does not hold.",
    fix="Keep exactly the fields that the message allows.",
    source=f"{_STRUCTURE}; reference 06 §14",
    bad="rollout:\n  groups:\n  - components: [engine]\n    canary: {}\n    blueGreen: {}\n",
    good="rollout:\n  groups:\n  - components: [engine]\n    blueGreen: {}\n",
)
INCOMPLETE_FIELDS = Rule(
    "OME131",
    "incomplete-fields",
    Severity.ERROR,
    "A field asks for others that are missing",
    why="The API server refuses the object: a validation rule of its CRD does not hold.",
    fix="Add the fields that the message names.",
    source=f"{_STRUCTURE}; reference 06 §14",
    bad="spec:\n  role: ClusterQueue\n  parentRef:\n    name: root\n",
    good="spec:\n  role: ClusterQueue\n  parentRef:\n    name: root\n  budgets:\n"
    "  - resourceName: nvidia.com/gpu\n    resourceFlavor: h100\n    nominal: 8\n",
)
INCONSISTENT_VALUES = Rule(
    "OME132",
    "inconsistent-values",
    Severity.ERROR,
    "Values contradict each other, or break a condition of the field",
    why="The API server refuses the object: a validation rule of its CRD does not hold.",
    fix="Change the value as the message says.",
    source=f"{_STRUCTURE}; reference 06 §14",
    bad="probe:\n  period: 5s\n  timeout: 5s\n",
    good="probe:\n  period: 5s\n  timeout: 2s\n",
)
UNKNOWN_VERSION = Rule(
    "OME140",
    "unknown-api-version",
    Severity.ERROR,
    "An object of ome.io has another version than v1beta1",
    why="The cluster knows no such version, so the object cannot be applied.",
    fix="Write apiVersion: ome.io/v1beta1.",
    source=_STRUCTURE,
    bad="apiVersion: ome.io/v1alpha1\nkind: BaseModel\n",
    good="apiVersion: ome.io/v1beta1\nkind: BaseModel\n",
    fixable=True,
)
UNKNOWN_KIND = Rule(
    "OME141",
    "unknown-kind",
    Severity.ERROR,
    "A kind does not exist in ome.io/v1beta1",
    why="The cluster knows no such kind, so the object cannot be applied.",
    fix="Correct the kind.",
    source=_STRUCTURE,
    bad="apiVersion: ome.io/v1beta1\nkind: InferenceServices\n",
    good="apiVersion: ome.io/v1beta1\nkind: InferenceService\n",
    fixable=True,
)
MISSING_NAME = Rule(
    "OME142",
    "missing-name",
    Severity.ERROR,
    "An object has no metadata.name",
    why="Without a name the object cannot be applied, and nothing can refer to it.",
    fix="Give the object a name; generateName does not work in a repository.",
    source="Kubernetes docs: concepts/overview/working-with-objects/names",
    bad="apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {generateName: sglang-}\nspec: {}\n",
    good="apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {name: sglang}\nspec: {}\n",
)
BAD_NAME = Rule(
    "OME143",
    "bad-name",
    Severity.ERROR,
    "A name or namespace is not one that Kubernetes accepts",
    why="The API server refuses the object.",
    fix="Use lower-case letters, digits and hyphens (in names also dots), and begin and end with a letter or digit.",
    source="Kubernetes docs: concepts/overview/working-with-objects/names",
    bad="metadata:\n  name: Llama_3\n",
    good="metadata:\n  name: llama-3\n",
)
BAD_LABEL = Rule(
    "OME144",
    "bad-label",
    Severity.ERROR,
    "A label or annotation is not one that Kubernetes accepts",
    why="The API server refuses the object.",
    fix="Correct the key or the value; see the message for the form.",
    source="Kubernetes docs: concepts/overview/working-with-objects/labels",
    bad='metadata:\n  labels:\n    team: "machine learning"\n',
    good="metadata:\n  labels:\n    team: machine-learning\n",
)
NAMESPACE_ON_CLUSTER_KIND = Rule(
    "OME145",
    "namespace-on-cluster-kind",
    Severity.ERROR,
    "An object of a cluster-scoped kind has a namespace",
    why="The kind has no namespaces; clients disagree about what to do with such an object, and it is visible to all "
    "namespaces although it looks as if it were not.",
    fix="Delete metadata.namespace, or use the namespaced kind where there is one.",
    source="OME docs: reference/api/ome.v1beta1; reference 06 §2",
    bad="kind: ClusterBaseModel\nmetadata:\n  name: llama\n  namespace: models\n",
    good="kind: ClusterBaseModel\nmetadata:\n  name: llama\n",
    fixable=True,
)
NOT_COMPILED = Rule(
    "OME160",
    "not-compiled",
    Severity.ERROR,
    "A service uses a feature that omec does not compile",
    why="OME's own controllers act on this field while the service lives; a rendered workload would silently ignore "
    "it.",
    fix="Leave this service to OME (do not compile it), or delete the field.",
    source="reference 06 §7, §8",
    bad="placement: {}\n",
    good="engine: {}\n",
)
MACHINE_WRITTEN_KIND = Rule(
    "OME161",
    "machine-written-kind",
    Severity.WARNING,
    "An object of a kind that only OME writes is in the repository",
    why="OME's routing controller owns TrafficMaps and overwrites them; a copy in a repository fights with it. omec "
    "does not compile it.",
    fix="Delete the file; change spec.routing and spec.placement of the service instead.",
    source="reference 06 §13",
    bad="apiVersion: ome.io/v1beta1\nkind: TrafficMap\nmetadata: {name: chat, namespace: demo}\nspec: {}\n",
    good=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: InferenceService\n"
        "metadata: {name: chat, namespace: demo}\n"
        "spec: {engine: {}}\n"
    ),
)
UNCOMPILED_KIND = Rule(
    "OME162",
    "uncompiled-kind",
    Severity.INFO,
    "omec checks an object of this kind, but does not compile it",
    why="The kind only matters to OME's controllers on a control-plane cluster.",
    fix="Nothing to do, unless you expect it in the output: apply it by other means.",
    source="reference 06 §13",
    bad="apiVersion: ome.io/v1beta1\nkind: WorkloadCluster\nmetadata: {name: east}\nspec: {}\n",
    good=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: InferenceService\n"
        "metadata: {name: chat, namespace: demo}\n"
        "spec: {engine: {}}\n"
    ),
)
BAD_STORAGE_URI = Rule(
    "OME150",
    "bad-storage-uri",
    Severity.ERROR,
    "A storage URI is none that OME can parse",
    why="OME's webhook checks pvc:// URIs only. With any other mistake the object is accepted, and every node fails to "
    "load the model, or waits forever.",
    fix="Write the URI in the form of its scheme; schemes are lower case.",
    source="OME docs: concepts/models/base-models; reference 07 §2",
    bad="storage:\n  storageUri: huggingface://meta-llama/Llama-3.2-3B-Instruct\n",
    good="storage:\n  storageUri: hf://meta-llama/Llama-3.2-3B-Instruct\n",
)
CLAIM_NAMESPACE = Rule(
    "OME151",
    "claim-namespace",
    Severity.ERROR,
    "A pvc:// URI names a namespace where it must not, or none where it must",
    why="OME's webhook refuses the model: a ClusterBaseModel has no namespace of its own in which to look for the "
    "claim, a BaseModel uses its own.",
    fix="Write pvc://namespace:claim/path in a ClusterBaseModel, pvc://claim/path in a BaseModel.",
    source="OME docs: guides/deploy-models/serve-models-from-pvc; reference 07 §9.5",
    bad="kind: ClusterBaseModel\nspec:\n  storage:\n    storageUri: pvc://models/llama\n",
    good="kind: ClusterBaseModel\nspec:\n  storage:\n    storageUri: pvc://storage:models/llama\n",
)
SHARDED_CLAIM = Rule(
    "OME152",
    "sharded-claim",
    Severity.ERROR,
    "A model on a PersistentVolumeClaim is distributed in shards",
    why="OME's webhook refuses the model: shards are parts of a download, and a claim is not downloaded.",
    fix="Delete distribution, or use PerNode.",
    source="reference 06 §9; reference 07 §2.4",
    bad="spec:\n  distribution: Sharded\n  storage:\n    storageUri: pvc://models/llama\n",
    good="spec:\n  storage:\n    storageUri: pvc://models/llama\n",
)
