"""Reference 04 §23.4: the single engine of §23.1 with merged fine-tuned weights, told by what differs."""

from __future__ import annotations

from typing import Any

import pytest

import omec
from omec.repo.yaml import load
from tests.compile.test_golden import GOLDEN

Object = dict[str, Any]

WEIGHTS: Object = {
    "apiVersion": "ome.io/v1beta1",
    "kind": "FineTunedWeight",
    "metadata": {"name": "fin"},
    "spec": {
        "baseModelRef": {"name": "llama-3-2-1b-instruct"},
        "modelType": "merged",
        "configuration": {"merged_weights": True},
        "hyperParameters": {"strategy": "lora"},
        "storage": {"storageUri": "oci://n/co/b/ft/o/fin"},
    },
}
LABELS = {
    "fine-tuned-serving": "true",
    "fine-tuned-serving-with-merged-weights": "true",
    "fine-tuned-weight-ft-strategy": "lora",
}
ANNOTATIONS = {
    "ome.io/inject-fine-tuned-adapter": "fin",
    "ome.io/fine-tuned-weight-ft-strategy": "lora",
    "ome.io/fine-tuned-serving-with-merged-weights": "true",
}
ADAPTER = {
    "image": "registry.example.com/agent:1",
    "compartmentId": "c",
    "authType": "InstancePrincipal",
    "region": "r",
    "cpuRequest": "1",
    "memoryRequest": "1Gi",
    "cpuLimit": "2",
    "memoryLimit": "4Gi",
}


def compiled(weights: list[str]) -> dict[str, Object]:
    """The objects by kind and name, on the platform where omec writes what the pod webhook adds."""
    text = (GOLDEN / "single-engine" / "input.yaml").read_text(encoding="utf-8")
    objects = [load(document) for document in text.split("\n---\n")]
    (service,) = (body for body in objects if body["kind"] == "InferenceService")
    del service["spec"]["engine"]["runner"]
    if weights:
        service["spec"]["model"]["fineTunedWeights"] = weights
        objects.append(WEIGHTS)
    config = {"platform": "kubernetes", "metadata": False, "operator": {"fineTunedAdapter": ADAPTER}}
    compilation = omec.from_objects(objects, config=config).compile()
    assert not compilation.failed, compilation.findings
    return {f"{body['kind']}/{body['metadata']['name']}": body for body in compilation.objects}


@pytest.fixture(scope="module")
def plain() -> dict[str, Object]:
    return compiled([])


@pytest.fixture(scope="module")
def tuned() -> dict[str, Object]:
    return compiled(["fin"])


def added(before: Object, after: Object) -> Object:
    return {key: value for key, value in after.items() if before.get(key) != value}


def test_metadata(plain: dict[str, Object], tuned: dict[str, Object]) -> None:
    for path in (("metadata",), ("spec", "template", "metadata")):
        before, after = plain["Deployment/llama-engine"], tuned["Deployment/llama-engine"]
        for step in path:
            before, after = before[step], after[step]
        assert added(before["labels"], after["labels"]) == LABELS
        assert added(before["annotations"], after["annotations"]) == ANNOTATIONS


def test_pod(plain: dict[str, Object], tuned: dict[str, Object]) -> None:
    pod = tuned["Deployment/llama-engine"]["spec"]["template"]["spec"]
    container = pod["containers"][0]
    assert [f"{item['name']}={item['value']}" for item in container["env"]] == [
        "SGL_LOG=info",
        "SERVED_MODEL_NAME=/data/fin",
        "MODEL_PATH=/opt/ml/model",
        "PARALLELISM_SIZE=1",
    ]
    mounts = [(mount["name"], mount["mountPath"]) for mount in container["volumeMounts"]]
    assert mounts == [("dshm", "/dev/shm"), ("model-empty-dir", "/opt/ml/model")]
    assert "nodeSelector" not in pod
    assert [volume["name"] for volume in pod["volumes"]] == ["dshm", "llama-3-2-1b-instruct", "model-empty-dir"]
    assert pod["volumes"][2] == {"name": "model-empty-dir", "emptyDir": {"medium": "Memory"}}
    assert "nodeSelector" in plain["Deployment/llama-engine"]["spec"]["template"]["spec"]


def test_adapter(tuned: dict[str, Object]) -> None:
    (adapter,) = tuned["Deployment/llama-engine"]["spec"]["template"]["spec"]["initContainers"]
    assert adapter["name"] == "fine-tuned-adapter"
    assert {"name": "OME_AGENT_MODEL_OBJECT_NAME", "value": "fin-merged-weight"} in adapter["env"]


def test_annotations_of_the_service(plain: dict[str, Object], tuned: dict[str, Object]) -> None:
    before, after = (objects["Service/llama-engine"]["metadata"]["annotations"] for objects in (plain, tuned))
    assert added(before, after) == {
        key: value for key, value in ANNOTATIONS.items() if key != "ome.io/inject-fine-tuned-adapter"
    }


def test_nothing_else_differs(plain: dict[str, Object], tuned: dict[str, Object]) -> None:
    assert plain.keys() <= tuned.keys()
    assert {name.partition("/")[0] for name in tuned.keys() - plain.keys()} <= {"FineTunedWeight"}
