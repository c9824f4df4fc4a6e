"""The containers that OME's webhook adds: reference 04 §16.2, §16.3 and §17.4, with the table of the latter."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from omec.compile.webhook.pods import InjectionError
from omec.compile.webhook.settings import WebhookSettings, webhook_settings_of_settings
from tests.compile.pod_templates import AGENT, CHART_WEBHOOK, CONFIGURED, IDENTITY, names, pod, template, values

Object = dict[str, Any]

INIT = {"ome.io/inject-model-init": "true", "ome.io/base-model-name": "llama"}
TUNED = {"ome.io/inject-fine-tuned-adapter": "fin", "ome.io/fine-tuned-weight-ft-strategy": "lora"}
FEW_SHOT = {**TUNED, "ome.io/fine-tuned-weight-ft-strategy": "tfew", "ome.io/base-model-vendor": "cohere"}
SIDECAR = {"ome.io/inject-serving-sidecar": "true", "ome.io/fine-tuned-weight-ft-strategy": "lora"}

RESOURCES = {"limits": {"cpu": "2", "memory": "512Gi"}, "requests": {"cpu": "1", "memory": "1Gi"}}


def init_container(given: Object, settings: WebhookSettings = CONFIGURED) -> Object:
    (container,) = pod(given, settings)["spec"]["initContainers"]
    found: Object = container
    return found


def test_adapter() -> None:
    """§17.4, field by field."""
    context = {"runAsUser": 1001}
    assert init_container(template(TUNED, {"securityContext": context})) == {
        "name": "fine-tuned-adapter",
        "image": "registry.example.com/agent:1",
        "args": ["fine-tuned-adapter", "--config", "/ome-agent.yaml", "--debug"],
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "securityContext": context,
        "resources": RESOURCES,
        "volumeMounts": [
            {"name": "model-empty-dir", "mountPath": "/mnt/finetuned/download"},
            {"name": "model-empty-dir", "mountPath": "/opt/ml/model"},
        ],
        "env": [
            {"name": "OME_AGENT_AUTH_TYPE", "value": "InstancePrincipal"},
            {"name": "OME_AGENT_COMPARTMENT_ID", "value": "c"},
            {"name": "OME_AGENT_REGION", "value": "r"},
            {"name": "OME_AGENT_UNZIPPED_FINE_TUNED_WEIGHT_DIRECTORY", "value": "/opt/ml/model"},
            {"name": "OME_AGENT_ZIPPED_FINE_TUNED_WEIGHT_DIRECTORY", "value": "/mnt/finetuned/download"},
            {"name": "OME_AGENT_MODEL_BUCKET_NAME", "value": "ft"},
            {"name": "OME_AGENT_MODEL_NAMESPACE", "value": "co"},
            {"name": "OME_AGENT_MODEL_OBJECT_NAME", "value": "dir/fin"},
        ],
    }


@pytest.mark.parametrize(
    ("annotations", "mount", "object_name"),
    [
        (FEW_SHOT, {"mountPath": "/opt/ml/tfew", "subPath": "finetuned"}, "dir/fin"),
        (
            {**TUNED, "ome.io/fine-tuned-serving-with-merged-weights": "true"},
            {"mountPath": "/opt/ml/model"},
            "dir/fin-merged-weight",
        ),
        (
            {**FEW_SHOT, "ome.io/fine-tuned-serving-with-merged-weights": "true"},
            {"mountPath": "/opt/ml/model"},
            "dir/fin-merged-weight",
        ),
        (
            {**TUNED, "ome.io/base-model-format": "tensorrtllm"},
            {"mountPath": "/opt/ml/model", "subPath": "tensorrt_llm"},
            "dir/fin",
        ),
        (
            {**FEW_SHOT, "ome.io/base-model-format": "tensorrtllm"},
            {"mountPath": "/opt/ml/tfew", "subPath": "tensorrt_llm"},
            "dir/fin",
        ),
        ({**TUNED, "ome.io/base-model-format": "TensorRT-LLM"}, {"mountPath": "/opt/ml/model"}, "dir/fin"),
    ],
)
def test_adapter_of_each_sort(annotations: Object, mount: Object, object_name: str) -> None:
    container = init_container(template(annotations))
    assert container["volumeMounts"][1] == {"name": "model-empty-dir", **mount}
    env = values(container)
    assert env["OME_AGENT_UNZIPPED_FINE_TUNED_WEIGHT_DIRECTORY"] == mount["mountPath"]
    assert env["OME_AGENT_MODEL_OBJECT_NAME"] == object_name


def test_model_init() -> None:
    """§16.2, field by field."""
    container = init_container(template({**INIT, "ome.io/base-model-format": "Safe_Tensors"}))
    assert container["args"] == ["enigma", "--config", "/ome-agent.yaml", "--debug"]
    assert container["resources"] == RESOURCES
    assert "securityContext" not in container
    assert container["volumeMounts"] == [
        {"name": "model-empty-dir", "mountPath": "/opt/ml/model"},
        {"name": "llama", "mountPath": "/mnt/model"},
    ]
    assert list(values(container).items()) == [
        ("OME_AGENT_AUTH_TYPE", "InstancePrincipal"),
        ("OME_AGENT_COMPARTMENT_ID", "c"),
        ("OME_AGENT_VAULT_ID", "v"),
        ("OME_AGENT_MODEL_NAME", "llama"),
        ("OME_AGENT_KEY_NAME", ""),
        ("OME_AGENT_SECRET_NAME", ""),
        ("OME_AGENT_DISABLE_MODEL_DECRYPTION", "false"),
        ("OME_AGENT_MODEL_TYPE", "Serving"),
        ("OME_AGENT_LOCAL_PATH", "/mnt/model"),
        ("OME_AGENT_MODEL_STORE_DIRECTORY", "/opt/ml/model"),
        ("OME_AGENT_REGION", "r"),
        ("OME_AGENT_MODEL_FRAMEWORK", "safetensors"),
    ]


def test_model_init_of_a_tensorrt_model() -> None:
    annotations = {**INIT, "ome.io/base-model-format": "tensorrt_llm", "ome.io/base-model-format-version": "1.0"}
    gpus = {"resources": {"limits": {"nvidia.com/gpu": 2}}}
    env = values(init_container(template(annotations, gpus)))
    assert (env["OME_AGENT_TENSORRTLLM_VERSION"], env["OME_AGENT_NUM_OF_GPU"]) == ("1.0", "2")
    with pytest.raises(InjectionError, match="NVIDIA GPU resource not set for main container"):
        init_container(template(annotations))


def test_model_init_knows_what_the_pod_says() -> None:
    annotations = {
        **FEW_SHOT,
        **INIT,
        "ome.io/base-model-decryption-key-name": "k",
        "ome.io/base-model-decryption-secret-name": "s",
        "ome.io/disable-model-decryption": "true",
    }
    given = template(annotations)
    given["metadata"]["labels"] = {"base-model-type": "Draft"}
    first = pod(given, CONFIGURED)["spec"]["initContainers"][0]
    env = values(first)
    assert (env["OME_AGENT_KEY_NAME"], env["OME_AGENT_SECRET_NAME"]) == ("k", "s")
    assert (env["OME_AGENT_DISABLE_MODEL_DECRYPTION"], env["OME_AGENT_MODEL_TYPE"]) == ("true", "Draft")
    assert first["volumeMounts"][0]["subPath"] == "base"


def test_model_init_takes_more_from_the_operator() -> None:
    more = {"extraEnvVars": [{"name": "A", "value": "1"}], "extraVolumeMounts": [{"name": "m", "mountPath": "/m"}]}
    settings = webhook_settings_of_settings({"modelInit": {**AGENT, "vaultId": "v", **more}})
    container = init_container(template(INIT), settings)
    assert container["env"][-1] == {"name": "A", "value": "1"}
    assert container["volumeMounts"][-1] == {"name": "m", "mountPath": "/m"}


def test_sidecar() -> None:
    """§16.3, field by field."""
    container = pod(template(SIDECAR), CONFIGURED)["spec"]["containers"][1]
    assert container["name"] == "serving-sidecar"
    assert container["args"] == ["serving-agent", "--config", "/ome-agent.yaml", "--debug"]
    assert container["volumeMounts"] == [
        {"name": "model-empty-dir", "mountPath": "/mnt/finetuned/download", "subPath": "download"},
        {"name": "model-empty-dir", "mountPath": "/opt/ml/lora", "subPath": "finetuned"},
    ]
    assert list(values(container).items())[3:] == [
        ("OME_AGENT_FINE_TUNED_WEIGHT_INFO_FILE_PATH", "OME_AGENT_FINE_TUNED_WEIGHT_INFO_FILE_PATH"),
        ("OME_AGENT_UNZIPPED_FINE_TUNED_WEIGHT_DIRECTORY", "/opt/ml/lora"),
        ("OME_AGENT_ZIPPED_FINE_TUNED_WEIGHT_DIRECTORY", "/mnt/finetuned/download"),
    ]


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ([], ["model-init", "fine-tuned-adapter"]),
        (["setup"], ["setup", "model-init", "fine-tuned-adapter"]),
        (["fine-tuned-adapter", "last"], ["model-init", "fine-tuned-adapter", "last"]),
        (["model-init"], ["model-init", "fine-tuned-adapter"]),
    ],
)
def test_order_of_init_containers(own: list[str], expected: list[str]) -> None:
    containers = [{"name": name, "image": "own"} for name in own]
    rendered = pod(template({**INIT, **TUNED}, initContainers=containers), CONFIGURED)["spec"]["initContainers"]
    assert names(rendered) == expected
    assert all(container["image"] == "own" for container in rendered if container["name"] in own)


@pytest.mark.parametrize("annotations", [INIT, TUNED, SIDECAR])
def test_identity_of_the_pod(annotations: Object) -> None:
    agent = {**AGENT, "authType": "OkeWorkloadIdentity"}
    settings = webhook_settings_of_settings(
        {"modelInit": {**agent, "vaultId": "v"}, "fineTunedAdapter": agent, "servingSidecar": agent}
    )
    with pytest.raises(InjectionError, match="a service account should be specified when using OKEWorkloadIdentity"):
        pod(template(annotations), settings)
    rendered = pod(template(annotations, serviceAccountName="reader"), settings)
    assert rendered["spec"]["automountServiceAccountToken"] is True


@pytest.mark.parametrize(
    ("annotations", "settings", "message", "setting"),
    [
        (
            TUNED,
            {},
            "failed to validate FineTunedAdapterInjector: image, compartmentId and authType are required",
            "fineTunedAdapter.image",
        ),
        (
            INIT,
            {"modelInit": IDENTITY},
            "failed to validate ModelInitInjector: vaultId is required",
            "modelInit.vaultId",
        ),
        (
            SIDECAR,
            {"servingSidecar": {"compartmentId": "c"}},
            "failed to validate ServingSidecarInjector: image is required",
            "servingSidecar.image",
        ),
        (TUNED, {"fineTunedAdapter": IDENTITY}, "cpuLimit is required", "fineTunedAdapter.cpuLimit"),
        (
            TUNED,
            {"fineTunedAdapter": {**AGENT, "memoryLimit": "24GB"}},
            'invalid memoryLimit "24GB"',
            "fineTunedAdapter.memoryLimit",
        ),
    ],
)
def test_missing_settings(annotations: Object, settings: Object, message: str, setting: str) -> None:
    """The image is never invented: OME's chart names one, and no defaults here do."""
    with pytest.raises(InjectionError) as caught:
        pod(template(annotations), webhook_settings_of_settings(settings))
    assert caught.value.plain.startswith(message)
    assert caught.value.setting == setting


def test_missing_settings_in_the_words_of_ome() -> None:
    """OME validates with go-playground's validator, whose errors stand below one another."""
    with pytest.raises(InjectionError) as caught:
        pod(template(SIDECAR), webhook_settings_of_settings({"servingSidecar": {"authType": "InstancePrincipal"}}))
    assert caught.value.message == (
        "failed to validate ServingSidecarInjector: "
        "Key: 'ServingSidecarInjector.Image' Error:Field validation for 'Image' failed on the 'required' tag\n"
        "Key: 'ServingSidecarInjector.CompartmentId' Error:Field validation for 'CompartmentId' failed on the "
        "'required' tag"
    )


@pytest.mark.parametrize(
    ("annotations", "container", "message"),
    [
        (TUNED, "engine", "no main container ome-container specified"),
        (INIT, "engine", "no main container ome-container or trainer specified"),
        (SIDECAR, "engine", "no main container ome-container specified"),
        (
            {"ome.io/inject-fine-tuned-adapter": "none"},
            "ome-container",
            "No FineTunedWeight with the name: none",
        ),
        (
            {"ome.io/inject-fine-tuned-adapter": "hub"},
            "ome-container",
            "invalid OCI storage URI format. Expected: oci://n/{namespace}/b/{bucket}/o/{object_path}",
        ),
        (
            {"ome.io/inject-fine-tuned-adapter": "odd"},
            "ome-container",
            "invalid OCI storage URI format. Expected: oci://n/{namespace}/b/{bucket}/o/{object_path}",
        ),
        (
            {"ome.io/inject-serving-sidecar": "true"},
            "ome-container",
            "failed to get the fine-tuned weight FT strategy for the serving sidecar",
        ),
    ],
)
def test_pods_that_are_denied(annotations: Object, container: str, message: str) -> None:
    with pytest.raises(InjectionError) as caught:
        pod(template(annotations, {"name": container}), CONFIGURED)
    assert (caught.value.message, caught.value.setting) == (message, None)
    assert caught.value.annotation in annotations


@pytest.mark.parametrize(
    "annotations",
    [
        {"ome.io/inject-model-init": "True"},
        {"ome.io/inject-fine-tuned-adapter": ""},
        {"ome.io/inject-serving-sidecar": "yes"},
        {},
    ],
)
def test_pods_that_ask_for_nothing(annotations: Object) -> None:
    assert pod(template(annotations), CHART_WEBHOOK) == template(annotations)


def test_template_is_not_changed() -> None:
    given = template({**INIT, **TUNED, **SIDECAR, "rdma.ome.io/auto-inject": "true"})
    before = copy.deepcopy(given)
    first = pod(given, CONFIGURED)
    assert given == before
    assert pod(first, CONFIGURED) == first
