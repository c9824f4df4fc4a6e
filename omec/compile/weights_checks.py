"""What is wrong about the weights of a service before anything is rendered (reference 04 §17, §18, §22)."""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile.inputs import Model, Service
from omec.compile.problems import Origin, Place, Problem
from omec.compile.weights import CLAIM_MOUNT_PATH, Weights
from omec.compile.weights_rules import MOUNT_CLASH, WEIGHTS_WITHOUT_MODEL
from omec.compile.weights_tuned import FIELD, FineTuning


def check_weights(
    service: Service, model: Model | None, files: Weights | None, tuning: FineTuning | None
) -> Iterator[Problem]:
    """What concerns the model, its ``files`` and the fine-tuned weights of ``service`` together."""
    given = service.spec.get("model") or {}
    if model is None and not given.get("name"):
        for field in ("fineTunedWeights", "overlays"):
            if given.get(field):
                message = f"spec.model.{field} is set without spec.model.name, so nothing comes of it"
                place = Place(Origin.SERVICE, ("spec", "model", field))
                yield Problem(WEIGHTS_WITHOUT_MODEL, message, place, WEIGHTS_WITHOUT_MODEL.remedy)
    if tuning is None or tuning.merged or tuning.few_shot or files is None:
        return
    if files.mount is not None and files.mount["mountPath"] == CLAIM_MOUNT_PATH:
        message = f"the files of the model and the weights {tuning.name} both have to be mounted at {CLAIM_MOUNT_PATH}"
        yield Problem(MOUNT_CLASH, message, Place(Origin.SERVICE, (*FIELD, 0)), MOUNT_CLASH.remedy)
