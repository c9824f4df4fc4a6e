"""What OME's admission says (reference 09 A2 to A7), row by row: lint reports it, with the webhook's own first line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import omec
from omec.finding import Finding

NOTHING = "at least one of spec.model or spec.runtime must be set"
BASE: dict[str, dict[str, Any]] = {
    "cluster_model": {
        "modelFormat": {"name": "safetensors", "version": "1.0.0"},
        "modelFramework": {"name": "transformers", "version": "4.36.0"},
        "modelArchitecture": "LlamaForCausalLM",
        "storage": {"storageUri": "vendor://acme/models/m", "path": "/mnt/data/models/m"},
    },
    "cluster_runtime": {
        "supportedModelFormats": [
            {
                "modelFormat": {"name": "safetensors", "version": "1.0.0"},
                "modelFramework": {"name": "transformers", "version": "4.36.0"},
                "modelArchitecture": "LlamaForCausalLM",
                "autoSelect": True,
            }
        ],
        "engineConfig": {"runner": {"name": "ome-container", "image": "example.com/sglang:v1"}},
        "decoderConfig": {"runner": {"name": "ome-container", "image": "example.com/sglang:v1"}},
        "routerConfig": {"runner": {"name": "router", "image": "example.com/router:v1"}},
    },
}


def document(kind: str, name: str, spec: Any, **metadata: Any) -> dict[str, Any]:
    namespaced = not kind.startswith("Cluster") and kind != "AcceleratorClass"
    scope = {"namespace": "demo"} if namespaced else {}
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": {"name": name, **scope, **metadata}, "spec": spec}


MODEL = document("ClusterBaseModel", "m", BASE["cluster_model"])
RUNTIME = document("ClusterServingRuntime", "r", BASE["cluster_runtime"])
BOTH = {"model": {"name": "m"}, "runtime": {"name": "r"}}


def service(text: str = "{}", name: str = "s", **metadata: Any) -> list[dict[str, Any]]:
    """A service that names model ``m`` and runtime ``r``, unless ``text`` says otherwise (``null`` removes)."""
    spec = {**BOTH, "engine": {}, **yaml.safe_load(text)}
    spec = {key: value for key, value in spec.items() if value is not None}
    return [MODEL, RUNTIME, document("InferenceService", name, spec, **metadata)]


def annotated(text: str, spec: str = "{}") -> list[dict[str, Any]]:
    return service(spec, annotations=yaml.safe_load(text))


def runtime(text: str, kind: str = "ClusterServingRuntime", name: str = "x", **metadata: Any) -> list[dict[str, Any]]:
    spec = {**BASE["cluster_runtime"], **yaml.safe_load(text)}
    return [document(kind, name, {key: value for key, value in spec.items() if value is not None}, **metadata)]


def model(text: str, kind: str = "BaseModel", name: str = "x") -> list[dict[str, Any]]:
    return [document(kind, name, {**BASE["cluster_model"], **yaml.safe_load(text)})]


def storage(uri: str, kind: str = "BaseModel", **more: str) -> list[dict[str, Any]]:
    return model(yaml.safe_dump({"storage": {"storageUri": uri, **more}}), kind)


def formats(*entries: tuple[str, bool, int | None]) -> list[dict[str, Any]]:
    """A runtime with entries ``name:autoSelect:priority``, as the vectors of A6.1 write them."""
    known = BASE["cluster_runtime"]["supportedModelFormats"][0]
    listed = [
        {**known, "autoSelect": auto}
        | ({"name": name} if name else {})
        | ({} if priority is None else {"priority": priority})
        for name, auto, priority in entries
    ]
    return runtime(yaml.safe_dump({"supportedModelFormats": listed}))


PAIR = "InvalidLeaderWorkerPairing: engine"
SERVICES: dict[str, tuple[list[dict[str, Any]], str]] = {
    "0a": (service("engine: {scaleTarget: 5}"), "scaleTarget"),
    "0b": (service("scalingPolicy: {mode: Coupled}"), "scalingPolicy"),
    "0e": (
        service("{deploymentMode: OMENative, engine: {leader: {}, worker: {}, lifecycle: {readyPolicy: None}}}"),
        'engine.lifecycle.readyPolicy "None" is not allowed on a multi-pod OMENative component',
    ),
    "1 digit": (
        service(name="1llama"),
        'invalid InferenceService name "1llama", must match "[a-z]([-a-z0-9]*[a-z0-9])?"',
    ),
    "1 dash": (service(name="llama-"), "llama-"),
    "1 case": (service(name="Llama"), "Llama"),
    "1 dot": (service(name="a.b"), 'invalid InferenceService name "a.b", must match "[a-z]([-a-z0-9]*[a-z0-9])?"'),
    "2": (annotated("ome.io/autoscalerClass: vpa"), "[vpa] is not a supported autoscaler class type"),
    "2b": (
        annotated("{ome.io/autoscalerClass: hpa, ome.io/metrics: gpu}"),
        "[gpu] is not a supported metric",
    ),
    "3": (service("engine: {autoscaler: {}}"), "engine: AutoscalerClassUnknown"),
    "4": (
        annotated("ome.io/autoscalerClass: hpa", "engine: {autoscaler: {class: None}}"),
        "AutoscalerAnnotationConflict: ome.io/autoscalerClass annotation is present together with spec.engine",
    ),
    "7": (
        annotated("ome.io/targetUtilizationPercentage: '101'"),
        "the target utilization percentage should be a [1-100] integer",
    ),
    "8": (service("{engine: null, decoder: {}}"), "decoder cannot be specified without engine"),
    "9": (
        service("engine: {leader: {}}"),
        f"{PAIR}.leader is set but engine.worker is not; multi-pod configurations require both (LeaderRequiresWorker)",
    ),
    "9b": (service("engine: {worker: {}}"), f"{PAIR}.worker is set but engine.leader is not"),
    "9c": (
        service("engine: {leader: {}, worker: {size: 0}}"),
        f"{PAIR}.worker.size must be a positive integer when set",
    ),
    "11": (
        service("{model: null, runtime: null, engine: {leader: {}, worker: {}}}"),
        "MultiPodLeanModelNeedsRunner: engine is multi-pod with no spec.model and no spec.runtime",
    ),
    "12": (
        service("{engine: {annotations: {ome.io/deploymentMode: OMENative}}, decoder: {}}"),
        'InvalidDeploymentModeCombination: engine deploymentMode="OMENative" does not match decoder deploymentMode=""',
    ),
    "12 mode": (
        service("{deploymentMode: OMENative, decoder: {annotations: {ome.io/deploymentMode: RawDeployment}}}"),
        "InvalidDeploymentModeCombination",
    ),
    "13": (service("engine: {minReplicas: 0}"), "InvalidScaleToZero: engine.minReplicas=0 requires KEDA autoscaling"),
    "14": (service("engine: {minReplicas: -1}"), "spec.engine.minReplicas must be >= 0"),
    "14b": (service("engine: {maxReplicas: -1}"), "spec.engine.maxReplicas must be >= 1"),
    "14c": (
        service("engine: {minReplicas: 4, maxReplicas: 2}"),
        "spec.engine.minReplicas (4) must be <= maxReplicas (2)",
    ),
    "15": (
        service("engine: {minAvailable: 1, maxUnavailable: 1}"),
        "spec.engine.minAvailable and spec.engine.maxUnavailable cannot both be set",
    ),
    "15b percent": (
        service('engine: {maxUnavailable: "101%"}'),
        "spec.engine.maxUnavailable must be a non-negative integer or a percentage from 0% to 100%",
    ),
    "15b text": (service('engine: {minAvailable: "50"}'), "spec.engine.minAvailable must be a non-negative integer"),
    "25": (
        service("{deploymentMode: OMENative, engine: {lifecycle: {minReadySeconds: -1}}}"),
        "minReadySeconds",
    ),
    "25b": (
        service("{deploymentMode: OMENative, engine: {lifecycle: {updateStrategy: {rollingUpdate: {maxSurge: 'x'}}}}}"),
        "maxSurge",
    ),
    "25c": (
        service(
            "{deploymentMode: OMENative, engine: {lifecycle: {updateStrategy: "
            "{rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}}}}"
        ),
        "maxSurge=0 and maxUnavailable=0 together yield an unstartable rollout (RollingUpdateZeroBudget)",
    ),
    "26": (
        service("{deploymentMode: OMENative, engine: {deploymentStrategy: {type: Recreate}}}"),
        "deploymentStrategy is set but deploymentMode is",
    ),
    "27": (service("{model: null, runtime: null}"), NOTHING),
    "27 image": (
        service("{model: null, runtime: null, engine: {runner: {name: ome-container, image: x}}}"),
        NOTHING,
    ),
    "28": (
        service("runtime: {name: r, revision: cr-r-0123abcd}"),
        "spec.runtime.revision requires spec.runtime.autoSync=false; AutoSync=true would silently ignore the pin",
    ),
    "28b": (
        service("runtime: {name: r, revision: r-0123abcd, autoSync: false}"),
        'spec.runtime.revision "r-0123abcd" does not match the expected naming convention for runtime "r"',
    ),
    "29": (
        service("model: {name: nope}"),
        'referenced model "nope" not found in namespace "demo": ensure a BaseModel exists in this namespace or a '
        "ClusterBaseModel exists cluster-wide with this name",
    ),
    "29b": (
        [*storage("pvc://other:models/x", "ClusterBaseModel"), *service("model: {name: x}")],
        'ClusterBaseModel "x" references PVC in namespace "other", but InferenceService is in namespace "demo"',
    ),
    "29c": (service("model: {name: m, overlays: [{name: lora}]}"), 'overlay "lora" not found in namespace "demo"'),
    "30": (
        service("model: {name: m, overlays: [{name: m}]}"),
        'overlay "m" must not reference the primary model of the same kind/apiGroup',
    ),
    "A4.2 triggers": (
        service("engine: {autoscaler: {class: KEDA}}"),
        "engine: KedaTriggersRequired: class=keda requires at least 1 trigger",
    ),
    "A4.2 type": (
        service("engine: {autoscaler: {class: HPA, hpa: {metrics: [{type: Resource}]}}}"),
        "hpa.metrics[0]",
    ),
    "A4.3 retry": (
        annotated('ome.io/retry-attempts: "3"'),
        'annotation "ome.io/retry-attempts" set to 3 requires "ome.io/retry-on" to specify retry conditions '
        "(MissingRetryOn)",
    ),
    "A4.3 int": (annotated("ome.io/retry-attempts: many"), "InvalidIntValue"),
    "A4.3 duration": (annotated('ome.io/timeout-idle: "30"'), "InvalidDuration"),
    "A4.3 typo": (annotated("ome.io/retry-attempt: '3'"), "UnknownTrafficAnnotation"),
    "A4.4 disabled": (
        [
            document("ClusterBaseModel", "gone", {**BASE["cluster_model"], "disabled": True}),
            *service("model: {name: gone}"),
        ],
        "model gone is disabled",
    ),
    "A4.4 runtime": (service("runtime: {name: nope}"), "runtime nope does not support model m"),
    "A4.4 none": (
        [
            document("ClusterBaseModel", "odd", {**BASE["cluster_model"], "modelArchitecture": "Odd"}),
            *service("{model: {name: odd}, runtime: null}"),
        ],
        "no supporting runtime found for model odd and engine does not have complete runner configuration",
    ),
    "A4.4 warns": (
        [
            document("ClusterBaseModel", "odd", {**BASE["cluster_model"], "modelArchitecture": "Odd"}),
            *service("model: {name: odd}"),
        ],
        'runtime "r" does not declare support for model "odd"',
    ),
    "A5 kind": (
        [document("BaseModel", "local", BASE["cluster_model"]), *service("model: {name: local}")],
        "model local is a BaseModel, but OME looks for a ClusterBaseModel",
    ),
    "A5 engine": (service("engine: null"), "engine component is required"),
    "A5 class": (service("acceleratorSelector: {acceleratorClass: nope}"), "nope"),
}
RUNTIMES: dict[str, tuple[list[dict[str, Any]], str]] = {
    "1": (
        runtime("disabled: false", annotations={"ome.io/runtime-profile": "true"}),
        'runtimes carrying ome.io/runtime-profile="true" must also set spec.disabled: true',
    ),
    "2": (
        runtime("{}", annotations={"ome.io/inherit-from": "p"}),
        'inherit-from parent "p" not found (chain so far: [x])',
    ),
    "3": (runtime("{}", annotations={"ome.io/inherit-from": "x"}), "inheritance cycle detected: [x x]"),
    "5": (runtime("scalingPolicy: {mode: Coupled}"), "scalingPolicy"),
    "6": (runtime("engineConfig: {autoscalerPolicyRef: {name: p}}"), "autoscalerPolicyRef"),
    "7": (runtime("engineConfig: {autoscaler: {class: KEDA}}"), "engineConfig: KedaTriggersRequired"),
    "8": (
        runtime("supportedModelFormats: [{modelFormat: {name: ''}, modelFramework: {name: transformers}}]"),
        "spec.supportedModelFormats[0]: modelFormat.name is required",
    ),
    "8b": (
        runtime("supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: ''}}]"),
        "spec.supportedModelFormats[0]: modelFramework.name is required",
    ),
    "9": (
        formats(("", True, 1), ("", True, 2)),
        "different priorities assigned for the model format  under the clusterservingruntime x",
    ),
    "9 stored": (formats(("a", True, 1), ("a", True, None), ("a", True, 2)), "for the model format a under the"),
    "10": (
        runtime("acceleratorRequirements: {acceleratorClasses: [a, b]}"),
        "unknown accelerator classes referenced in AcceleratorRequirements: [a b]",
    ),
    "12": (runtime("workers: {size: 0}"), "workers"),
}
STORAGE: dict[str, tuple[list[dict[str, Any]], str]] = {
    "namespaced": (
        storage("pvc://ns:models/llama"),
        "namespaced BaseModel PVC URI must not specify a namespace; the BaseModel's own namespace is used, got "
        '"pvc://ns:models/llama"',
    ),
    "cluster": (
        storage("pvc://models/llama", "ClusterBaseModel"),
        "ClusterBaseModel PVC URI must specify a namespace (format: pvc://{namespace}:{pvc-name}/{sub-path}), got "
        '"pvc://models/llama"',
    ),
    "no subpath": (storage("pvc://models"), "missing subpath"),
    "empty subpath": (storage("pvc://models/"), "missing subpath"),
    "empty namespace": (storage("pvc://:models/x", "ClusterBaseModel"), "empty namespace before colon"),
    "two colons": (storage("pvc://a:b:c/x", "ClusterBaseModel"), "multiple colons not allowed in namespace:pvc-name"),
    "no name": (
        storage("pvc:///x"),
        'invalid PVC storage URI "pvc:///x": invalid PVC storage URI format: missing PVC name',
    ),
    "bad namespace": (storage("pvc://NS:m/x", "ClusterBaseModel"), 'invalid namespace "NS"'),
    "stage inside": (
        storage("stage:///mnt/src", path="/mnt/src/sub"),
        'stage:// spec.storage.path "/mnt/src/sub" must not be inside the source "/mnt/src"',
    ),
    "stage no path": (
        storage("stage:///mnt/src"),
        "stage:// storage requires spec.storage.path to name the node-local destination",
    ),
    "stage relative": (
        storage("stage:///mnt/src", path="a"),
        'stage:// spec.storage.path must be an absolute path, got "a"',
    ),
}
ADMITTED: dict[str, list[dict[str, Any]]] = {
    "no engine, model disabled": [
        document("ClusterBaseModel", "gone", {**BASE["cluster_model"], "disabled": True}),
    ],
    "A6 names differ": formats(("a", True, 1), ("b", True, 2)),
    "A6 not both automatic": formats(("", True, 1), ("", False, 2)),
    "A6 first without priority": formats(("", True, None), ("", True, 2), ("", True, 3)),
    "A7 claim": storage("pvc://models/llama"),
    "A7 beside the source": storage("stage:///mnt/src", path="/mnt/src2"),
}


def findings(objects: list[dict[str, Any]], folder: Path) -> tuple[Finding, ...]:
    unique = {(each["kind"], each["metadata"]["name"]): each for each in objects}
    (folder / "objects.yaml").write_text(yaml.safe_dump_all(unique.values()), encoding="utf-8")
    return omec.open(folder, config={}).lint().findings


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        pytest.param(objects, message, id=f"{table} {row}")
        for table, rows in (("A4", SERVICES), ("A6", RUNTIMES), ("A7", STORAGE))
        for row, (objects, message) in rows.items()
    ],
)
def test_lint_reports_what_admission_says(objects: list[dict[str, Any]], message: str, tmp_path: Path) -> None:
    said = [finding.message.splitlines()[0] for finding in findings(objects, tmp_path) if finding.severity]
    assert any(message in line for line in said), said


@pytest.mark.parametrize("row", ADMITTED)
def test_what_admission_takes_is_no_error(row: str, tmp_path: Path) -> None:
    assert [f.message for f in findings(ADMITTED[row], tmp_path) if f.severity == 2] == []
