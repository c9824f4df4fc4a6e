"""``model-init``, the container that decrypts a model before it is served (reference 04 §16.2)."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api import quantity
from omec.compile.inputs import Object
from omec.compile.names import DEFAULT_CONTAINER
from omec.compile.webhook.agent import agent_container, check_identity, has_container, require
from omec.compile.webhook.pods import InjectionError, annotations_of, container_named, variable
from omec.compile.webhook.settings import AgentSettings
from omec.compile.weights import CLAIM_MOUNT_PATH
from omec.compile.weights_pod import MODEL_INIT_ANNOTATION, SCRATCH
from omec.compile.weights_tuned import FORMAT_ANNOTATION, is_few_shot

NAME = "model-init"

_INJECTOR = "ModelInitInjector"
_MODEL_NAME = "ome.io/base-model-name"
_FORMAT_VERSION = "ome.io/base-model-format-version"
_KEY_NAME = "ome.io/base-model-decryption-key-name"
_SECRET_NAME = "ome.io/base-model-decryption-secret-name"  # noqa: S105 - an annotation
_DISABLED = "ome.io/disable-model-decryption"
_TYPE_LABEL = "base-model-type"
_SOURCE = "/mnt/model"
_TENSORRT = "tensorrtllm"
_TRAINER = "trainer"
_GPU = "nvidia.com/gpu"


def inject_model_init(template: Object, settings: AgentSettings) -> None:
    """Add the container to a pod that asks for it; raises :class:`InjectionError`."""
    annotations = annotations_of(template)
    if annotations.get(MODEL_INIT_ANNOTATION) != "true" or has_container(template, "initContainers", NAME):
        return
    require(settings, _INJECTOR, ("image", "compartmentId", "authType", "vaultId"), MODEL_INIT_ANNOTATION)
    check_identity(template, settings, MODEL_INIT_ANNOTATION)
    target = {"name": SCRATCH, "mountPath": CLAIM_MOUNT_PATH}
    if is_few_shot(annotations):
        target["subPath"] = "base"
    container = agent_container(
        template,
        settings,
        name=NAME,
        command="enigma",
        variables=list(_variables(template, settings)),
        mounts=[target, {"name": annotations.get(_MODEL_NAME, ""), "mountPath": _SOURCE}],
        annotation=MODEL_INIT_ANNOTATION,
        mains=(DEFAULT_CONTAINER, _TRAINER),
    )
    template["spec"]["initContainers"] = [*(template["spec"].get("initContainers") or ()), container]


def _variables(template: Object, settings: AgentSettings) -> Iterator[Object]:
    annotations, labels = annotations_of(template), template["metadata"].get("labels") or {}
    yield variable("OME_AGENT_AUTH_TYPE", settings["authType"])
    yield variable("OME_AGENT_COMPARTMENT_ID", settings["compartmentId"])
    yield variable("OME_AGENT_VAULT_ID", settings["vaultId"])
    yield variable("OME_AGENT_MODEL_NAME", annotations.get(_MODEL_NAME, ""))
    yield variable("OME_AGENT_KEY_NAME", annotations.get(_KEY_NAME, ""))
    yield variable("OME_AGENT_SECRET_NAME", annotations.get(_SECRET_NAME, ""))
    yield variable("OME_AGENT_DISABLE_MODEL_DECRYPTION", annotations.get(_DISABLED, "false"))
    yield variable("OME_AGENT_MODEL_TYPE", labels.get(_TYPE_LABEL, "Serving"))
    yield variable("OME_AGENT_LOCAL_PATH", _SOURCE)
    yield variable("OME_AGENT_MODEL_STORE_DIRECTORY", CLAIM_MOUNT_PATH)
    yield variable("OME_AGENT_REGION", settings["region"])
    framework = annotations.get(FORMAT_ANNOTATION, "").replace("_", "").replace("-", "").lower()
    yield variable("OME_AGENT_MODEL_FRAMEWORK", framework)
    if framework == _TENSORRT:
        yield variable("OME_AGENT_TENSORRTLLM_VERSION", annotations.get(_FORMAT_VERSION, ""))
        yield variable("OME_AGENT_NUM_OF_GPU", _gpus(template))


def _gpus(template: Object) -> str:
    """The GPUs of the main container; an engine of TensorRT is built for exactly that many."""
    main = container_named(template, DEFAULT_CONTAINER) or {}
    gpus = ((main.get("resources") or {}).get("limits") or {}).get(_GPU)
    if gpus is None:
        raise InjectionError("NVIDIA GPU resource not set for main container", MODEL_INIT_ANNOTATION)
    return quantity.canonical(str(gpus))
