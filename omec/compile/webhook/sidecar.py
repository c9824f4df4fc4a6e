"""``serving-sidecar``, the container that fetches weights while a pod serves (reference 04 §16.3)."""

from __future__ import annotations

from omec.compile.inputs import Object
from omec.compile.webhook.adapter import DOWNLOADS
from omec.compile.webhook.agent import agent_container, check_identity, has_container, require
from omec.compile.webhook.pods import InjectionError, annotations_of, variable
from omec.compile.webhook.settings import AgentSettings
from omec.compile.weights_pod import SCRATCH, joined
from omec.compile.weights_tuned import STRATEGY_ANNOTATION

NAME = "serving-sidecar"
ANNOTATION = "ome.io/inject-serving-sidecar"

_INJECTOR = "ServingSidecarInjector"
_ROOT = "/opt/ml"
_INFO_FILE = "OME_AGENT_FINE_TUNED_WEIGHT_INFO_FILE_PATH"


def inject_sidecar(template: Object, settings: AgentSettings) -> None:
    """Add the container to a pod that asks for it; raises :class:`InjectionError`."""
    annotations = annotations_of(template)
    if annotations.get(ANNOTATION) != "true" or has_container(template, "containers", NAME):
        return
    require(settings, _INJECTOR, ("image", "compartmentId", "authType"), ANNOTATION)
    check_identity(template, settings, ANNOTATION)
    if STRATEGY_ANNOTATION not in annotations:
        message = "failed to get the fine-tuned weight FT strategy for the serving sidecar"
        raise InjectionError(message, ANNOTATION)
    target = joined(_ROOT, annotations[STRATEGY_ANNOTATION])
    container = agent_container(
        template,
        settings,
        name=NAME,
        command="serving-agent",
        variables=[
            variable("OME_AGENT_AUTH_TYPE", settings["authType"]),
            variable("OME_AGENT_COMPARTMENT_ID", settings["compartmentId"]),
            variable("OME_AGENT_REGION", settings["region"]),
            variable(_INFO_FILE, _INFO_FILE),  # OME gives the variable its own name for a value
            variable("OME_AGENT_UNZIPPED_FINE_TUNED_WEIGHT_DIRECTORY", target),
            variable("OME_AGENT_ZIPPED_FINE_TUNED_WEIGHT_DIRECTORY", DOWNLOADS),
        ],
        mounts=[
            {"name": SCRATCH, "mountPath": DOWNLOADS, "subPath": "download"},
            {"name": SCRATCH, "mountPath": target, "subPath": "finetuned"},
        ],
        annotation=ANNOTATION,
    )
    template["spec"]["containers"].append(container)
