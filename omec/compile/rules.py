"""Rules about what an InferenceService renders to."""

from __future__ import annotations

from omec.finding import Rule, Severity

NO_CONTAINER = Rule(
    code="OME401",
    slug="no-container",
    severity=Severity.ERROR,
    summary="A component has neither a runner nor containers",
    why=(
        "A pod needs a container. The component is declared in the InferenceService, but neither it nor the runtime's "
        "configuration for it says what to run, so OME fails before it creates anything for the component."
    ),
    fix="Use a runtime that configures the component, or give the component a runner with an image.",
    source="reference 04 §9.1",
    bad="spec:\n  runtime: {name: engine-only}\n  engine: {}\n  decoder: {}\n",
    good="spec:\n  runtime: {name: engine-only}\n  engine: {}\n",
)

PLACEHOLDER = Rule(
    code="OME402",
    slug="placeholder-invalid",
    severity=Severity.ERROR,
    summary="A runner has a placeholder that cannot be filled in",
    why=(
        "OME executes the runner's JSON as a Go template over the InferenceService's metadata. Any {{ }} that is not a "
        "placeholder (in a chat template, for example) makes OME fail before it creates anything for the component."
    ),
    fix=(
        "Use {{.Name}}, {{.Namespace}}, {{.Labels.KEY}}, {{.Annotations.KEY}}, or {{index .Labels `KEY`}} for a key "
        "with other characters than letters, digits and _. Write a literal {{ as {{`{{`}}, or mount the text from a "
        "ConfigMap."
    ),
    source="OME docs: concepts/runtimes/serving-runtimes; reference 04 §9.2",
    bad="args: ['--served-model-name={{.Labels.app.kubernetes.io/name}}']\n",
    good="args: ['--served-model-name={{index .Labels `app.kubernetes.io/name`}}']\n",
)

MODEL_PATH_UNSET = Rule(
    code="OME403",
    slug="model-path-unset",
    severity=Severity.WARNING,
    summary="A runner uses $(MODEL_PATH), and nothing sets it",
    why=(
        "Kubernetes leaves a reference to an unknown variable as it is, so the engine is started with the text "
        "$(MODEL_PATH) as the path of its model."
    ),
    fix="Set storage.path on the model, or the variable MODEL_PATH in the runner's env.",
    source="reference 04 §22",
    bad="args: [--model-path=$(MODEL_PATH)]\n",
    good="args: [--model-path=$(MODEL_PATH)]\nenv: [{name: MODEL_PATH, value: /models/llama-3-2-1b}]\n",
)

RUNNER_MISSING = Rule(
    code="OME404",
    slug="runner-missing",
    severity=Severity.WARNING,
    summary="A component has containers, but no runner",
    why=(
        "OME adds the model's path and mount, and what the accelerator class asks for, to the runner alone. Containers "
        "without a runner get none of it."
    ),
    fix="Move the main container to runner.",
    source="reference 04 §8",
    bad="engine:\n  containers: [{name: ome-container, image: registry.example.com/engine:v1}]\n",
    good="engine:\n  runner: {name: ome-container, image: registry.example.com/engine:v1}\n",
)

SERVICE_BEFORE_RUNNER = Rule(
    code="OME405",
    slug="sidecar-takes-service-port",
    severity=Severity.WARNING,
    summary="The Service of a component points at a sidecar",
    why=(
        "A component's Service takes its ports from the first container of the pod. OME puts the runner after the "
        "listed containers, unless one of them has its name, so requests reach the sidecar."
    ),
    fix="List a container of the runner's name first, or make the sidecar an init container with restartPolicy Always.",
    source="reference 04 §9.1 and §13",
    bad="""\
runner: {name: ome-container, image: "registry.example.com/sglang:v1"}
containers: [{name: proxy, image: "registry.example.com/proxy:v1"}]
""",
    good="""\
runner: {name: ome-container, image: "registry.example.com/sglang:v1"}
initContainers: [{name: proxy, image: "registry.example.com/proxy:v1", restartPolicy: Always}]
""",
)

MODEL_NOT_SERVED = Rule(
    code="OME390",
    slug="model-not-served",
    severity=Severity.ERROR,
    summary="OME looks for the model of a service in another place than where it is",
    why=(
        "OME serves the model of exactly the kind that spec.model names (ClusterBaseModel unless it says otherwise). "
        "The webhook looks in the namespace first, so it may admit a service that OME then cannot render."
    ),
    fix=(
        "Write spec.model.kind: BaseModel for a model of the namespace, ClusterBaseModel for one of the cluster, and "
        "no apiGroup."
    ),
    source="OME docs: concepts/serving/inference-services; reference 04 §3",
    bad="model: {name: llama-3-2-1b-instruct, apiGroup: models.example.com}\n",
    good="model: {name: llama-3-2-1b-instruct}\n",
)

MERGE_FAILED = Rule(
    code="OME406",
    slug="merge-failed",
    severity=Severity.ERROR,
    summary="A component cannot be merged with its configuration in the runtime",
    why="OME fails before it creates anything for the component.",
    fix="Give every item of a list the field by which Kubernetes tells items apart, such as name.",
    source="reference 04 §5.2",
    bad="engine:\n  imagePullSecrets: [{}]\n",
    good="engine:\n  imagePullSecrets: [{name: registry}]\n",
)

NO_ENGINE = Rule(
    code="OME501",
    slug="no-engine",
    severity=Severity.ERROR,
    summary="An InferenceService has no engine",
    why="OME renders nothing for a service without an engine component.",
    fix="Add spec.engine; an empty one takes everything from the runtime.",
    source="reference 04 §5.1",
    bad="spec:\n  model: {name: llama-3-2-1b-instruct}\n",
    good="spec:\n  model: {name: llama-3-2-1b-instruct}\n  engine: {}\n",
)

REPLICA_BOUNDS = Rule(
    code="OME502",
    slug="replica-bounds",
    severity=Severity.ERROR,
    summary="The replica bounds of a component contradict each other",
    why=(
        "The bounds come from the InferenceService, the runtime and the operator's defaults, each on its own. Where "
        "the least exceeds the most, OME fails and leaves the component as it was."
    ),
    fix="Set minReplicas and maxReplicas in the InferenceService, the first not above the second.",
    source="OME docs: guides/operate-ome/set-replica-defaults; reference 10 §2",
    bad="minReplicas: 4\nmaxReplicas: 2\n",
    good="minReplicas: 2\nmaxReplicas: 4\n",
)

SCALE_TO_ZERO = Rule(
    code="OME503",
    slug="scale-to-zero-without-keda",
    severity=Severity.ERROR,
    summary="minReplicas is 0, and nothing could start the component again",
    why=(
        "Only KEDA scales from zero, on a trigger that the InferenceService itself names. Without one OME's webhook "
        "refuses the service, and OME fails to render it."
    ),
    fix="Set minReplicas to 1 or more, or give the component an autoscaler of class KEDA with a trigger.",
    source="OME docs: guides/scale-and-migrate/scale-to-zero-with-keda; reference 10 §3.5",
    bad="minReplicas: 0\n",
    good="minReplicas: 1\n",
)

MODE_INVALID = Rule(
    code="OME504",
    slug="mode-invalid",
    severity=Severity.ERROR,
    summary="A component cannot run in the mode that its annotation asks for",
    why="VirtualDeployment is a mode of whole services only, and a router is a single pod.",
    fix="Remove the annotation ome.io/deploymentMode from the component.",
    source="reference 04 §6.1",
    bad="engine:\n  annotations: {ome.io/deploymentMode: VirtualDeployment}\n",
    good="engine:\n  annotations: {ome.io/deploymentMode: RawDeployment}\n",
)

ACCELERATOR_CLASS_MISSING = Rule(
    code="OME602",
    slug="accelerator-class-missing",
    severity=Severity.ERROR,
    summary="A service names an AcceleratorClass that does not exist",
    why="OME leaves the workload of the component as it is until the class exists.",
    fix="Add the AcceleratorClass to the repository, or correct the name.",
    source="reference 03 §5",
    bad="acceleratorSelector: {acceleratorClass: nvidia-h1000}\n",
    good="acceleratorSelector: {acceleratorClass: nvidia-h100}\n",
)

MODEL_WITHOUT_FILES = Rule(
    code="OME703",
    slug="model-without-files",
    severity=Severity.WARNING,
    summary="The model of a service has no path, so pods cannot see its files",
    why=(
        "Pods reach a model through storage.path on their node, or through a volume claim. With neither they get no "
        "volume and no MODEL_PATH."
    ),
    fix="Set spec.storage.path on the model to the directory that holds its files.",
    source="reference 04 §10.1",
    bad="storage: {storageUri: 'hf://meta-llama/Llama-3.2-1B-Instruct'}\n",
    good="storage: {storageUri: 'hf://meta-llama/Llama-3.2-1B-Instruct', path: /raid/models/llama-3-2-1b}\n",
)
