"""Rules about BenchmarkJobs."""

from __future__ import annotations

from omec.finding import Rule, Severity

_DOCS = "OME docs: concepts/serving/benchmarks"

BENCHMARK_DENIED = Rule(
    code="OME591",
    slug="benchmark-denied",
    severity=Severity.ERROR,
    summary="OME's webhook refuses a BenchmarkJob",
    why="The job cannot be applied.",
    fix="Correct the field that the message names.",
    source=f"{_DOCS}; reference 16 §1.2",
    bad=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: BenchmarkJob\n"
        "metadata: {name: qwen3-bench, namespace: demo}\n"
        "spec:\n"
        "  endpoint: {inferenceService: {name: qwen3, namespace: demo}}\n"
        "  task: text-to-text\n"
        "  maxTimePerIteration: 5\n"
        "  maxRequestsPerIteration: 100\n"
        '  outputLocation: {storageUri: "oci://n/team/b/results/o/qwen3"}\n'
        '  trafficScenarios: ["D(100)"]\n'
    ),
    good=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: BenchmarkJob\n"
        "metadata: {name: qwen3-bench, namespace: demo}\n"
        "spec:\n"
        "  endpoint: {inferenceService: {name: qwen3, namespace: demo}}\n"
        "  task: text-to-text\n"
        "  maxTimePerIteration: 5\n"
        "  maxRequestsPerIteration: 100\n"
        '  outputLocation: {storageUri: "oci://n/team/b/results/o/qwen3"}\n'
        '  trafficScenarios: ["D(100,100)"]\n'
    ),
)

BENCHMARK_TARGET = Rule(
    code="OME592",
    slug="benchmark-target",
    severity=Severity.ERROR,
    summary="What a BenchmarkJob measures cannot be worked out",
    why="OME makes no Job: the BenchmarkJob stays Pending, and only the controller's log says why.",
    fix="Name an InferenceService that has a model with storage.path, and whose engine is told the model.",
    source=f"{_DOCS}; reference 16 §3.2",
    bad="endpoint: {inferenceService: {name: qwen4, namespace: demo}}\n",
    good='endpoint: {endpoint: {url: "http://qwen3.demo", apiFormat: openai, modelName: qwen3}}\n',
)

BENCHMARK_CONFIG = Rule(
    code="OME593",
    slug="benchmark-config",
    severity=Severity.ERROR,
    summary="The image and resources of benchmark pods are not known, or cannot be used",
    why=(
        "OME takes them from the ConfigMap benchmarkjob-config. Its chart names an image that is published nowhere, so "
        "omec does not invent one."
    ),
    fix="Set image in the table benchmark of omec.toml, or keep the ConfigMap benchmarkjob-config in the repository.",
    source="OME docs: guides/operate-ome/configure-the-controller; reference 16 §2.4",
    bad="data:\n  benchmarkjob: |\n    podConfig: {image: registry.example.com/genai-bench:v1}\n",
    good=(
        "data:\n"
        "  benchmarkjob: |\n"
        '    {"podConfig": {\n'
        '      "image": "registry.example.com/genai-bench:v1",\n'
        '      "cpuRequest": "2", "memoryRequest": "2Gi", "cpuLimit": "2", "memoryLimit": "2Gi"\n'
        "    }}\n"
    ),
)

BENCHMARK_URL = Rule(
    code="OME594",
    slug="benchmark-url-endpoint",
    severity=Severity.WARNING,
    summary="A BenchmarkJob measures a URL, which genai-bench cannot do the way OME starts it",
    why="For a URL OME passes neither a tokenizer nor a key. genai-bench wants both and ends at once.",
    fix="Measure an InferenceService that OME runs, or compile for platform kubernetes, where omec renders the Job.",
    source=f"{_DOCS}; reference 16 §3.1",
    bad='endpoint: {endpoint: {url: "http://qwen3.demo", apiFormat: openai, modelName: qwen3}}\n',
    good="endpoint: {inferenceService: {name: qwen3, namespace: demo}}\n",
)

BENCHMARK_SCENARIO = Rule(
    code="OME595",
    slug="benchmark-scenario",
    severity=Severity.WARNING,
    summary="OME accepts a traffic scenario that genai-bench does not know",
    why="OME's pattern is looser than genai-bench, and wrong for embeddings. The Job is made and fails.",
    fix="Write D(in,out), N(mean,dev)/(mean,dev), U(min,max)/(min,max), U(in,out), I(width,height) or I(w,h,n).",
    source=f"{_DOCS}; reference 16 §1.2",
    bad=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: BenchmarkJob\n"
        "metadata: {name: qwen3-bench, namespace: demo}\n"
        "spec:\n"
        "  endpoint: {inferenceService: {name: qwen3, namespace: demo}}\n"
        "  task: text-to-text\n"
        "  maxTimePerIteration: 5\n"
        "  maxRequestsPerIteration: 100\n"
        '  outputLocation: {storageUri: "oci://n/team/b/results/o/qwen3"}\n'
        '  trafficScenarios: ["N(480,240)/(300,150)x"]\n'
    ),
    good=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: BenchmarkJob\n"
        "metadata: {name: qwen3-bench, namespace: demo}\n"
        "spec:\n"
        "  endpoint: {inferenceService: {name: qwen3, namespace: demo}}\n"
        "  task: text-to-text\n"
        "  maxTimePerIteration: 5\n"
        "  maxRequestsPerIteration: 100\n"
        '  outputLocation: {storageUri: "oci://n/team/b/results/o/qwen3"}\n'
        '  trafficScenarios: ["N(480,240)/(300,150)"]\n'
    ),
)

BENCHMARK_LIMITS = Rule(
    code="OME599",
    slug="benchmark-limits",
    severity=Severity.WARNING,
    summary="A limit or concurrency of a BenchmarkJob is zero or negative",
    why="Nothing refuses the number, and the benchmark measures nothing.",
    fix="Write a number above 0.",
    source="reference 16 §1.1",
    bad="maxRequestsPerIteration: 0\n",
    good="maxRequestsPerIteration: 100\n",
)

BENCHMARK_NO_EFFECT = Rule(
    code="OME970",
    slug="benchmark-without-effect",
    severity=Severity.WARNING,
    summary="A field of a BenchmarkJob has no effect",
    why=(
        "OME passes neither request parameters nor a dataset to genai-bench, and of the output location only the URI "
        "and the parameters of its own kind."
    ),
    fix="Delete the field.",
    source=f"{_DOCS}; reference 16 §2.1 and §4",
    bad='additionalRequestParams: {temperature: "0.5"}\n',
    good="numConcurrency: [1, 8]\n",
)

BENCHMARK_OUTPUT = Rule(
    code="OME596",
    slug="benchmark-output-unsupported",
    severity=Severity.ERROR,
    summary="A BenchmarkJob writes its results where genai-bench cannot",
    why="OME's webhook accepts the URI, but its controller makes no Job of it: the BenchmarkJob stays Pending.",
    fix="Write to oci://, s3://, az://, gs://, github:// or pvc://.",
    source="OME docs: reference/storage/benchmark-output-storage; reference 16 §4",
    bad=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: BenchmarkJob\n"
        "metadata: {name: qwen3-bench, namespace: demo}\n"
        "spec:\n"
        "  endpoint: {inferenceService: {name: qwen3, namespace: demo}}\n"
        "  task: text-to-text\n"
        "  maxTimePerIteration: 5\n"
        "  maxRequestsPerIteration: 100\n"
        '  outputLocation: {storageUri: "hf://team/results"}\n'
    ),
    good=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: BenchmarkJob\n"
        "metadata: {name: qwen3-bench, namespace: demo}\n"
        "spec:\n"
        "  endpoint: {inferenceService: {name: qwen3, namespace: demo}}\n"
        "  task: text-to-text\n"
        "  maxTimePerIteration: 5\n"
        "  maxRequestsPerIteration: 100\n"
        '  outputLocation: {storageUri: "oci://n/team/b/results/o/qwen3"}\n'
    ),
)

BENCHMARK_CLAIM = Rule(
    code="OME597",
    slug="benchmark-claim-missing",
    severity=Severity.WARNING,
    summary="The PersistentVolumeClaim for a benchmark's results is not in the repository",
    why="OME looks for the claim in the namespace of the BenchmarkJob, and makes no Job without it.",
    fix="Add the claim to the repository, or make sure that the cluster has it.",
    source="OME docs: reference/storage/benchmark-output-storage; reference 16 §4",
    bad='outputLocation: {storageUri: "pvc://results/qwen3"}\n',
    good='outputLocation: {storageUri: "oci://n/team/b/results/o/qwen3"}\n',
)

BENCHMARK_CREDENTIALS = Rule(
    code="OME870",
    slug="benchmark-credentials",
    severity=Severity.WARNING,
    summary="A BenchmarkJob holds a credential in plain text",
    why="It stands in Git, in the BenchmarkJob, and in the arguments of the Job for everybody who may list pods.",
    fix="Use an identity of the pod or the node, or a Secret through podOverride.envFrom.",
    source=f"{_DOCS}; reference 16 §4",
    bad=(
        "outputLocation:\n"
        "  storageUri: s3://results/qwen3\n"
        "  parameters: {aws_access_key_id: example, aws_secret_access_key: example}\n"
    ),
    good=(
        "outputLocation:\n"
        "  storageUri: s3://results/qwen3\n"
        "podOverride:\n"
        "  envFrom: [{secretRef: {name: results-writer}}]\n"
    ),
)

BENCHMARK_JOB_EXISTS = Rule(
    code="OME598",
    slug="benchmark-job-exists",
    severity=Severity.ERROR,
    summary="The repository has a Job of a BenchmarkJob's name",
    why="OME makes no Job while one of the name exists, whatever it does, and reports its state as the benchmark's.",
    fix="Rename one of the two.",
    source="reference 16 §2",
    bad="apiVersion: batch/v1\nkind: Job\nmetadata: {name: qwen3-bench, namespace: demo}\n",
    good="apiVersion: batch/v1\nkind: Job\nmetadata: {name: qwen3-warmup, namespace: demo}\n",
)
