"""The test vectors of the API field reference (reference 06 §17), for the schema and for the models alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pydantic
import pytest

from omec.api.models import parse
from omec.api.structure import structural_findings
from omec.repo.document import Document
from tests.api.manifests import body, codes

MODEL, RUNTIME, SERVICE, WEIGHT = "BaseModel", "ClusterServingRuntime", "InferenceService", "FineTunedWeight"
STORAGE = "storage: {storageUri: 'hf://a/b'}"
FORMAT = "modelFormat: {name: safetensors}, modelFramework: {name: transformers}"
ENGINE = "engine: {minReplicas: 1}"
PROBE = (
    "path: /x, method: GET, acceptStatuses: [200], gateStatuses: [500], period: 10s, timeout: 5s, "
    "failureThreshold: 1, successThreshold: 1, allFailedPolicy: Drain"
)
CAPACITY = "path: /x, method: GET, format: json, period: 10s, timeout: 5s, samples: 3, quorum: 2, maxAge: 30s"
KEDA = "keda: {triggers: [{type: prometheus, metadata: {query: q}}]}"
BUDGET = "{resourceName: nvidia.com/gpu, resourceFlavor: h100, nominal: 8}"
LEAF = "role: ClusterQueue, parentRef: {name: root}"
JOB = (
    "task: text-to-text, maxTimePerIteration: 1, maxRequestsPerIteration: 1, "
    "outputLocation: {storageUri: 'pvc://p/m'}, endpoint: {inferenceService: {name: s, namespace: ns}}"
)
BY_OMEC = "the schema accepts it; OME's webhook or omec refuses it"
EMBEDDED = "the models do not look into embedded Kubernetes types"


def _metrics(metrics: str) -> str:
    return (
        "{rollout: {groups: [{components: [engine], canary: {steps: [{capacity: 25%, traffic: 10, "
        f"analysis: {{interval: 30s, failureLimit: 1, metrics: {metrics}}}}}]}}}}]}}}}"
    )


@dataclass(frozen=True)
class Vector:
    """``expect`` are the codes of the findings (none: accepted). ``model`` overrides whether the model accepts."""

    number: str
    kind: str
    spec: str
    expect: tuple[str, ...] = ()
    metadata: str = "{name: x}"
    model_accepts: bool | None = None
    why: str = ""


METRIC = "{name: m, query: q, operator: LT, threshold: '1'}"
VECTORS = [
    Vector("1", MODEL, "{}", ("OME123",)),
    Vector("2", MODEL, "{storage: {}}", ("OME123",)),
    Vector("3", MODEL, "{storage: {storageUri: ''}}", ("OME150",), model_accepts=True, why=BY_OMEC),
    Vector("4", MODEL, "{storage: {storageURI: 'hf://a/b'}}", ("OME123", "OME120")),
    Vector("5", MODEL, f"{{modelFormat: {{version: '1.0.0'}}, {STORAGE}}}", ("OME123",)),
    Vector("6", MODEL, f"{{{STORAGE}}}"),
    Vector("8", MODEL, f"{{modelFormat: {{name: safetensors, version: 1.0}}, {STORAGE}}}", ("OME122",)),
    Vector("9", RUNTIME, "{supportedModelFormats: [{modelFormat: {name: s, weight: 0}, modelFramework: {name: t}}]}"),
    Vector("10", MODEL, f"{{modelCapabilities: [REWARD_SCORING], {STORAGE}}}"),
    Vector("11", MODEL, "{storage: {storageUri: 'hf://a/b', downloadPolicy: Always}}", ("OME124",)),
    Vector("12", MODEL, f"{{distribution: sharded, {STORAGE}}}", ("OME124",)),
    Vector(
        "13",
        MODEL,
        "{distribution: Sharded, storage: {storageUri: 'pvc://p/m'}}",
        ("OME152",),
        model_accepts=True,
        why=BY_OMEC,
    ),
    Vector("14", MODEL, f"{{modelConfiguration: {{a: {{b: [1, null]}}}}, {STORAGE}}}"),
    Vector("15", MODEL, f"{{additionalMetadata: {{x: 1}}, {STORAGE}}}", ("OME122",)),
    Vector("16a", WEIGHT, f"{{baseModelRef: {{name: b}}, modelType: LoRA, {STORAGE}}}", ("OME123",)),
    Vector("16b", WEIGHT, f"{{baseModelRef: {{name: b}}, modelType: LoRA, hyperParameters: {{}}, {STORAGE}}}"),
    Vector(
        "17",
        WEIGHT,
        f"{{baseModelRef: {{name: b}}, modelType: LoRA, hyperParameters: {{}}, {STORAGE}, "
        "trainingJobRef: {namespace: ns}}",
        ("OME123",),
    ),
    Vector(
        "18",
        WEIGHT,
        f"{{baseModelRef: {{name: b}}, modelType: LoRA, hyperParameters: {{}}, {STORAGE}}}",
        ("OME145",),
        metadata="{name: x, namespace: ns}",
        model_accepts=True,
        why="the scope of a kind is not part of its schema",
    ),
    Vector("19", RUNTIME, "{supportedModelFormats: [{modelFormat: {name: safetensors}}]}", ("OME123",)),
    Vector("20", RUNTIME, f"{{supportedModelFormats: [{{{FORMAT}, priority: 0}}]}}", ("OME126",)),
    Vector("21", RUNTIME, "{engineConfig: {runner: {image: x}}}", ("OME123",)),
    Vector("22", SERVICE, "{engine: {runner: {image: x}}}"),
    Vector("23", SERVICE, "{engine: {leader: {runner: {image: x}}}}", ("OME123",)),
    Vector("24a", SERVICE, "{engine: {autoscaler: {}}}"),
    Vector("24b", RUNTIME, "{engineConfig: {autoscaler: {}}}", ("OME123",)),
    Vector("24c", "InferenceReplica", "{component: engine, autoscaler: {}}", ("OME123",)),
    Vector("25", SERVICE, "{engine: {autoscaler: {class: hpa}}}", ("OME124",)),
    Vector("26", SERVICE, "{engine: {scaleTarget: 80}}", ("OME121",)),
    Vector("27", RUNTIME, "{workers: {size: 1}}", ("OME121",)),
    Vector("28", RUNTIME, "{containers: [{name: a, image: i}]}"),
    Vector("29", RUNTIME, "{initContainers: [{name: a, image: i}]}", ("OME120",)),
    Vector("30", RUNTIME, "{engineConfig: {initContainers: [{name: a, image: i}]}}"),
    Vector("31a", SERVICE, "{engine: {ephemeralContainers: [{name: a}]}}", ("OME120",)),
    Vector("31b", SERVICE, "{engine: {leader: {ephemeralContainers: [{name: a}]}}}"),
    Vector("32", SERVICE, "{engine: {volumes: [{name: v, emptyDir: {}}, {name: v, emptyDir: {}}]}}", ("OME127",)),
    Vector(
        "33",
        SERVICE,
        "{engine: {runner: {ports: [{containerPort: 80}, {containerPort: 80, protocol: TCP}]}}}",
        ("OME127",),
    ),
    Vector("34", SERVICE, "{engine: {runner: {ports: [{containerPort: 80}, {containerPort: 80, protocol: UDP}]}}}"),
    Vector("35", SERVICE, "{engine: {runner: {args: [a, a]}}}"),
    Vector("36", SERVICE, "{deploymentMode: MultiNode}", ("OME124",)),
    Vector("37a", SERVICE, "{acceleratorSelector: {policy: BestFit}}"),
    Vector("37b", SERVICE, "{acceleratorSelector: {policy: bestfit}}", ("OME124",)),
    Vector("38", SERVICE, "{engine: {minReplicas: -1}}"),
    Vector("39", SERVICE, "{engine: {minReplicas: '1'}}", ("OME122",)),
    Vector("40a", SERVICE, "{engine: {minAvailable: '50%'}}"),
    Vector("40b", SERVICE, "{engine: {minAvailable: 1}}"),
    Vector("40c", SERVICE, "{engine: {minAvailable: 1.5}}", ("OME122",)),
    Vector("41", SERVICE, "{engine: {lifecycle: {minReadySeconds: -5}}}", ("OME126",)),
    Vector("42", SERVICE, "{engine: {topologySpread: Preferred}}"),
    Vector("43", SERVICE, "{model: {kind: BaseModel}}", ("OME123",)),
    Vector("47", SERVICE, "{model: {name: m, overlays: [{name: a}, {name: a}]}}", ("OME127",)),
    Vector("48", SERVICE, f"{{rollout: {{groups: [{', '.join(['{components: [engine]}'] * 4)}]}}}}", ("OME126",)),
    Vector("49", SERVICE, "{rollout: {groups: [{components: []}]}}", ("OME126",)),
    Vector("50", SERVICE, "{rollout: {groups: [{components: [engine], canary: {}, blueGreen: {}}]}}", ("OME130",)),
    Vector("51", SERVICE, "{rollout: {groups: [{components: [engine], order: [router]}]}}", ("OME132",)),
    Vector("52", SERVICE, "{rollout: {groups: [{components: [Engine]}]}}"),
    Vector(
        "53",
        SERVICE,
        "{rollout: {groups: [{components: [engine], canary: {steps: [{capacity: 25%, traffic: 101}]}}]}}",
        ("OME126",),
    ),
    Vector(
        "54", SERVICE, "{rollout: {groups: [{components: [engine], canary: {steps: [{traffic: 10}]}}]}}", ("OME123",)
    ),
    Vector("55a", SERVICE, _metrics("[]"), ("OME126",)),
    Vector("55b", SERVICE, _metrics(f"[{METRIC}, {METRIC}]"), ("OME127",)),
    Vector("55c", SERVICE, _metrics(f"[{METRIC}]")),
    Vector(
        "56",
        SERVICE,
        "{rollout: {groups: [{components: [engine], "
        "canary: {prometheus: {providerRef: {name: p}, serverAddress: 'http://x'}}}]}}",
        ("OME130",),
    ),
    Vector("57a", SERVICE, "{rollout: {pairingProtocol: nixl-v2}}"),
    Vector("57b", SERVICE, "{rollout: {pairingProtocol: -x}}", ("OME125",)),
    Vector("57c", SERVICE, f"{{rollout: {{pairingProtocol: {'a' * 64}}}}}", ("OME126",)),
    Vector("58", SERVICE, "{placement: {policy: ClusterAffinity}}", ("OME131",)),
    Vector("59", SERVICE, "{placement: {mode: Split, replacementTimeout: 30s}}", ("OME131",)),
    Vector("60", SERVICE, "{placement: {policy: ClusterAffinity, mode: Single, replacementTimeout: 0s}}", ("OME132",)),
    Vector("61a", SERVICE, "{placement: {policy: ClusterAffinity, mode: All, clusterAffinity: []}}", ("OME126",)),
    Vector("61b", SERVICE, "{placement: {policy: ClusterAffinity, mode: All, clusterAffinity: null}}", ("OME122",)),
    Vector(
        "62",
        SERVICE,
        "{placement: {policy: ClusterAffinity, mode: All, clusterAffinity: [{weight: 2}]}}",
        ("OME131",),
    ),
    Vector("63", SERVICE, "{routing: {probe: {disabled: true, path: /x}}}", ("OME130",)),
    Vector("64", SERVICE, "{routing: {probe: {}}}", ("OME131",)),
    Vector("64+", SERVICE, f"{{routing: {{probe: {{{PROBE}}}}}}}"),
    Vector("65", SERVICE, f"{{routing: {{probe: {{{PROBE.replace('period: 10s', 'period: 5s')}}}}}}}", ("OME132",)),
    Vector("66", SERVICE, f"{{routing: {{probe: {{{PROBE.replace('[500]', '[500, 429]')}}}}}}}", ("OME132",)),
    Vector("67", SERVICE, f"{{routing: {{capacity: {{{CAPACITY.replace('quorum: 2', 'quorum: 4')}}}}}}}", ("OME132",)),
    Vector("67+", SERVICE, f"{{routing: {{capacity: {{{CAPACITY}}}}}}}"),
    Vector("68", "AutoscalerPolicy", f"{{class: KEDA, {KEDA}, hpa: {{}}}}", ("OME130",)),
    Vector("68+", "AutoscalerPolicy", f"{{class: KEDA, {KEDA}}}"),
    Vector("69", "AutoscalerPolicy", "{class: HPA}"),
    Vector("70", "AutoscalerPolicy", "{class: External}", ("OME124",)),
    Vector(
        "71a",
        "AutoscalerPolicy",
        f"{{class: KEDA, {KEDA[:-1]}, fallback: {{failureThreshold: 1, replicas: {{}}}}}}}}",
        ("OME130",),
    ),
    Vector(
        "71b",
        "AutoscalerPolicy",
        f"{{class: KEDA, {KEDA[:-1]}, "
        "fallback: {failureThreshold: 1, replicas: {value: 1, fromComponent: MinReplicas}}}}",
        ("OME130",),
    ),
    Vector("72a", "RolloutPolicy", "{}", ("OME130",)),
    Vector("72b", "RolloutPolicy", "{blueGreen: {}}"),
    Vector(
        "73", "InferenceReplica", "{component: engine, runners: [{name: main, size: 1, template: {}}]}", ("OME124",)
    ),
    Vector(
        "74a", "InferenceReplica", "{component: engine, runners: [{name: default, size: 0, template: {}}]}", ("OME126",)
    ),
    Vector("74b", "InferenceReplica", "{component: engine, runners: [{name: default, size: 2, template: {}}]}"),
    Vector(
        "75",
        "InferenceReplica",
        "{component: engine, runners: [{name: default, size: 1, template: {metadata: {name: x}}}]}",
        ("OME120",),
        model_accepts=True,
        why=EMBEDDED,
    ),
    Vector("76", "InferenceReplica", "{component: engine}"),
    Vector("77", "AcceleratorQuota", "{role: Cohort}", ("OME132",), metadata=f"{{name: {'a' * 64}}}"),
    Vector("77+", "AcceleratorQuota", "{role: Cohort}", metadata=f"{{name: {'a' * 63}}}"),
    Vector("78", "AcceleratorQuota", f"{{{LEAF}}}", ("OME131",)),
    Vector(
        "79",
        "AcceleratorQuota",
        f"{{role: Cohort, budgets: [{BUDGET[:-1]}, borrowingLimit: 1}}]}}",
        ("OME130",),
    ),
    Vector(
        "80a",
        "AcceleratorQuota",
        f"{{{LEAF}, distribution: {{policy: Explicit}}, budgets: [{BUDGET}]}}",
        ("OME131",),
    ),
    Vector(
        "80b",
        "AcceleratorQuota",
        f"{{{LEAF}, distribution: {{policy: Explicit}}, budgets: [{BUDGET[:-1]}, policy: Proportional}}]}}",
    ),
    Vector("81a", "AcceleratorQuota", f"{{{LEAF}, budgets: [{BUDGET}, {BUDGET}]}}", ("OME127",)),
    Vector("81b", "AcceleratorQuota", f"{{{LEAF}, budgets: [{BUDGET}, {BUDGET.replace('h100', 'a100')}]}}"),
    Vector("82", "AcceleratorQuota", f"{{{LEAF}, budgets: [{BUDGET.replace('nvidia', 'NVIDIA')}]}}", ("OME125",)),
    Vector("83a", "AcceleratorQuota", f"{{{LEAF}, budgets: [{BUDGET}]}}"),
    Vector("83b", "AcceleratorQuota", f"{{{LEAF}, budgets: [{BUDGET.replace('8', chr(34) + '8' + chr(34))}]}}"),
    Vector("83c", "AcceleratorQuota", f"{{{LEAF}, budgets: [{BUDGET.replace('8', '1.5k')}]}}"),
    Vector("84a", "WorkloadCluster", "{clusterSource: {}}", ("OME130",)),
    Vector(
        "84b",
        "WorkloadCluster",
        "{clusterSource: {kubeConfig: {secretRef: {name: s}}, clusterProfileRef: {name: p}}}",
        ("OME130",),
    ),
    Vector("86", "BenchmarkJob", f"{{{JOB}, numConcurrency: [1, 1]}}", ("OME127",)),
    Vector("87", "BenchmarkJob", f"{{{JOB.partition('endpoint')[0]}endpoint: {{}}}}"),
    Vector(
        "88a",
        "BenchmarkJob",
        f"{{{JOB.partition('endpoint')[0]}endpoint: {{endpoint: {{url: 'ftp://x', apiFormat: openai}}}}}}",
        ("OME125",),
    ),
    Vector(
        "88b",
        "BenchmarkJob",
        f"{{{JOB.partition('endpoint')[0]}endpoint: {{endpoint: {{url: 'HTTP://x', apiFormat: openai}}}}}}",
        ("OME125",),
    ),
    Vector("89", "BenchmarkJob", f"{{{JOB}, additionalRequestParams: {{temperature: 0.0}}}}", ("OME122",)),
    Vector(
        "90",
        "BenchmarkJob",
        f"{{{JOB}, serviceMetadata: {{engine: vLLM, version: '1', gpuType: H200, gpuCount: 1}}}}",
        ("OME124",),
    ),
    Vector(
        "91",
        "BenchmarkJob",
        f"{{{JOB}, podOverride: {{volumes: [{{name: v, emptyDir: {{}}}}, {{name: v, emptyDir: {{}}}}]}}}}",
    ),
    Vector("92a", "AcceleratorClass", "{}", ("OME123", "OME123")),
    Vector("92b", "AcceleratorClass", "{discovery: {}, capabilities: {}}"),
    Vector("94a", "AcceleratorClass", "{discovery: {}, capabilities: {memoryGB: 80Gi}}"),
    Vector("94b", "AcceleratorClass", "{discovery: {}, capabilities: {memoryGB: 80 GB}}", ("OME125",)),
    Vector("96", SERVICE, "null"),
    Vector("97", SERVICE, "{engine: {foo: 1}}", ("OME120",)),
    Vector("98", "TrafficMap", "{service: s}"),
    Vector("99", SERVICE, "{traffic: {consistentHash: {headers: [{name: ''}]}}}", ("OME126",)),
    Vector("100", SERVICE, "{engine: {servicePortAppProtocols: {http1: 1}}}", ("OME122",)),
]

STORED = [
    (
        "7",
        MODEL,
        f"{{modelFormat: {{name: s}}, {STORAGE}}}",
        ("modelFormat",),
        {"name": "s", "operator": "Equal", "weight": 1},
    ),
    (
        "9",
        RUNTIME,
        "{supportedModelFormats: [{modelFormat: {name: s, weight: 0}, modelFramework: {name: t}}]}",
        ("supportedModelFormats", 0, "modelFormat", "weight"),
        0,
    ),
    (
        "14",
        MODEL,
        f"{{modelConfiguration: {{a: {{b: [1, null]}}}}, {STORAGE}}}",
        ("modelConfiguration",),
        {"a": {"b": [1, None]}},
    ),
    ("44", SERVICE, "{model: {name: m}}", ("model",), {"name": "m", "kind": "ClusterBaseModel", "apiGroup": "ome.io"}),
    (
        "45",
        SERVICE,
        "{runtime: {name: r}}",
        ("runtime",),
        {"name": "r", "kind": "ClusterServingRuntime", "apiGroup": "ome.io", "autoSync": True},
    ),
    ("46", SERVICE, "{runtime: {name: r, autoSync: null}}", ("runtime", "autoSync"), True),
    ("69", "AutoscalerPolicy", "{class: HPA}", (), {"class": "HPA", "enforcement": "Default"}),
    (
        "85",
        "WorkloadCluster",
        "{clusterSource: {kubeConfig: {secretRef: {name: s, namespace: ns}}}}",
        ("clusterSource", "kubeConfig", "key"),
        "kubeconfig",
    ),
    (
        "93",
        "AcceleratorClass",
        "{discovery: {}, capabilities: {}, resources: [{name: nvidia.com/gpu}]}",
        ("resources", 0, "quantity"),
        "1",
    ),
]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.number)
def test_schema(vector: Vector) -> None:
    document = Document("test.yaml", 0, body(vector.kind, vector.spec, vector.metadata))
    assert sorted(codes(structural_findings(vector.kind, document))) == sorted(vector.expect)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.number)
def test_model(vector: Vector) -> None:
    value = body(vector.kind, vector.spec, vector.metadata)
    accepts = not vector.expect if vector.model_accepts is None else vector.model_accepts
    if accepts:
        assert parse(value).to_dict()["kind"] == vector.kind
    else:
        with pytest.raises(pydantic.ValidationError):
            parse(value)


@pytest.mark.parametrize(("number", "kind", "spec", "path", "value"), STORED, ids=[row[0] for row in STORED])
def test_stored_value(number: str, kind: str, spec: str, path: tuple[str | int, ...], value: object) -> None:
    stored: Any = parse(body(kind, spec)).to_dict()["spec"]
    for step in path:
        stored = stored[step]
    assert stored == value


@pytest.mark.parametrize(
    ("version", "kind", "code"),
    [("ome.io/v1alpha1", "BaseModel", "OME140"), ("ome.io/v1beta1", "TrainingJob", "OME141")],
)
def test_vector_95_unknown_version_or_kind(version: str, kind: str, code: str) -> None:
    document = Document("test.yaml", 0, {"apiVersion": version, "kind": kind, "metadata": {"name": "x"}})
    assert codes(structural_findings(kind, document)) == [code]


def test_every_vector_of_the_reference_is_here() -> None:
    numbers = {"".join(filter(str.isdigit, row.number)) for row in VECTORS} | {row[0] for row in STORED}
    assert set(map(str, range(1, 101))) - numbers == {"95"}
