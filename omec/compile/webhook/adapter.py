"""``fine-tuned-adapter``, the container that fetches fine-tuned weights (reference 04 §17.3, §17.4).

docs/weights-container.md describes the contract between this container and the program in it.
"""

from __future__ import annotations

from collections.abc import Mapping

from omec.api.storage_uri import OciUri, StorageUriError, parse_storage_uri
from omec.compile.inputs import Object
from omec.compile.webhook.agent import agent_container, check_identity, has_container, require
from omec.compile.webhook.model_init import NAME as MODEL_INIT
from omec.compile.webhook.pods import InjectionError, annotations_of, variable
from omec.compile.webhook.settings import AgentSettings
from omec.compile.weights import CLAIM_MOUNT_PATH
from omec.compile.weights_pod import FEW_SHOT_ROOT, SCRATCH
from omec.compile.weights_tuned import ADAPTER_ANNOTATION, FORMAT_ANNOTATION, MERGED_ANNOTATION, is_few_shot

NAME = "fine-tuned-adapter"
DOWNLOADS = "/mnt/finetuned/download"

_INJECTOR = "FineTunedAdapterInjector"
_TENSORRT = "tensorrtllm"
_MERGED_SUFFIX = "-merged-weight"


def inject_adapter(template: Object, settings: AgentSettings, weights: Mapping[str, str]) -> None:
    """Add the container to a pod that serves fine-tuned weights; ``weights`` are their storage URIs by name.

    Raises :class:`InjectionError`.
    """
    annotations = annotations_of(template)
    name = annotations.get(ADAPTER_ANNOTATION)
    if not name or has_container(template, "initContainers", NAME):
        return
    require(settings, _INJECTOR, ("image", "compartmentId", "authType"), ADAPTER_ANNOTATION)
    check_identity(template, settings, ADAPTER_ANNOTATION)
    source = _source(name, weights)
    suffix = _MERGED_SUFFIX if annotations.get(MERGED_ANNOTATION) == "true" else ""
    target = FEW_SHOT_ROOT if is_few_shot(annotations) else CLAIM_MOUNT_PATH
    container = agent_container(
        template,
        settings,
        name=NAME,
        command=NAME,
        variables=[
            variable("OME_AGENT_AUTH_TYPE", settings["authType"]),
            variable("OME_AGENT_COMPARTMENT_ID", settings["compartmentId"]),
            variable("OME_AGENT_REGION", settings["region"]),
            variable("OME_AGENT_UNZIPPED_FINE_TUNED_WEIGHT_DIRECTORY", target),
            variable("OME_AGENT_ZIPPED_FINE_TUNED_WEIGHT_DIRECTORY", DOWNLOADS),
            variable("OME_AGENT_MODEL_BUCKET_NAME", source.bucket),
            variable("OME_AGENT_MODEL_NAMESPACE", source.namespace),
            variable("OME_AGENT_MODEL_OBJECT_NAME", f"{source.prefix}{suffix}"),
        ],
        mounts=[{"name": SCRATCH, "mountPath": DOWNLOADS}, _target_mount(annotations, target)],
        annotation=ADAPTER_ANNOTATION,
    )
    template["spec"]["initContainers"] = [*(template["spec"].get("initContainers") or ()), container]


def order_init_containers(template: Object) -> None:
    """Let ``model-init`` run before ``fine-tuned-adapter``, wherever it was put."""
    containers = list(template["spec"].get("initContainers") or ())
    places = {container["name"]: index for index, container in enumerate(containers)}
    if MODEL_INIT in places and NAME in places and places[MODEL_INIT] > places[NAME]:
        containers.insert(places[NAME], containers.pop(places[MODEL_INIT]))
        template["spec"]["initContainers"] = containers


def _source(name: str, weights: Mapping[str, str]) -> OciUri:
    if name not in weights:
        raise InjectionError(f"No FineTunedWeight with the name: {name}", ADAPTER_ANNOTATION)
    expected = "Expected: oci://n/{namespace}/b/{bucket}/o/{object_path}"
    try:
        uri = parse_storage_uri(weights[name])
    except StorageUriError as error:
        raise InjectionError(f"invalid OCI storage URI format. {expected}", ADAPTER_ANNOTATION) from error
    if not isinstance(uri, OciUri):
        raise InjectionError(f"invalid OCI storage URI format. {expected}", ADAPTER_ANNOTATION)
    return uri


def _target_mount(annotations: Mapping[str, str], target: str) -> Object:
    mount = {"name": SCRATCH, "mountPath": target}
    if annotations.get(FORMAT_ANNOTATION) == _TENSORRT:
        return {**mount, "subPath": "tensorrt_llm"}
    return {**mount, "subPath": "finetuned"} if is_few_shot(annotations) else mount
