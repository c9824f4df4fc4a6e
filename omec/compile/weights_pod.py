"""All that the pods of one component see of weights: the model's files, fine-tuned weights and overlays.

The order of volumes, mounts and variables is OME's (reference 04 §8.2, §8.3, §10.1).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING

import msgspec

from omec.compile.inputs import Object
from omec.compile.weights import CLAIM_MOUNT_PATH, Weights
from omec.compile.weights_tuned import (
    ADAPTER_ANNOTATION,
    FORMAT_ANNOTATION,
    MERGED_ANNOTATION,
    FineTuning,
    is_few_shot,
)

if TYPE_CHECKING:
    from omec.compile.weights_overlays import Overlay

MODEL_PATH = "MODEL_PATH"
MODEL_INIT_ANNOTATION = "ome.io/inject-model-init"
SCRATCH = "model-empty-dir"
"""The volume in memory that init containers leave weights in."""
FEW_SHOT_ROOT = "/opt/ml/tfew"

_SERVED_MODEL_NAME = "SERVED_MODEL_NAME"
_SERVED_MODEL_ROOT = "/data"
_FEW_SHOT_PATH = "TFEW_PATH"


class How(Enum):
    """What becomes of an item whose name is there already."""

    APPEND = "append"
    UNLESS_PRESENT = "unless present"
    REPLACE = "replace"


Addition = tuple[Object, How]

_SET_BY_REPLACING = ("mountPath", "subPath", "readOnly")


class Variable(msgspec.Struct, frozen=True):
    """A variable for the runner; without ``overrides`` one that it has already stays."""

    name: str
    value: str
    overrides: bool = False


class PodWeights(msgspec.Struct, frozen=True):
    """What is added to a pod and its runner; a router gets the volumes alone.

    ``anywhere`` tells pods that need no node with the model's files: they take their node selector from the component
    alone, neither from the runtime's top level nor from a class. ``model_volume`` says that the first volume is the
    model's.
    """

    volumes: tuple[Addition, ...] = ()
    mounts: tuple[Addition, ...] = ()
    variables: tuple[Variable, ...] = ()
    anywhere: bool = False
    model_volume: bool = False

    def with_volumes(self, listed: Sequence[Object]) -> list[Object]:
        return _added(listed, self.volumes)

    def with_mounts(self, listed: Sequence[Object]) -> list[Object]:
        return _added(listed, self.mounts)


def pod_weights(
    files: Weights | None,
    tuning: FineTuning | None,
    overlays: Sequence[Overlay],
    annotations: Mapping[str, str],
) -> PodWeights:
    """What a component with these ``annotations`` (all of them, the generated ones too) sees of weights.

    ``files`` are those of the model; ``tuning`` is ``None`` for a router.
    """
    hidden = annotations.get(MODEL_INIT_ANNOTATION) == "true" or annotations.get(MERGED_ANNOTATION) == "true"
    return PodWeights(
        volumes=tuple(_volumes(files, overlays, annotations)),
        mounts=tuple(_mounts(None if hidden else files, tuning, overlays, annotations)),
        variables=tuple(_variables(None if hidden else files, tuning, overlays, annotations)),
        anywhere=tuning is not None and tuning.merged,
        model_volume=files is not None and files.volume is not None,
    )


def _volumes(files: Weights | None, overlays: Sequence[Overlay], annotations: Mapping[str, str]) -> Iterator[Addition]:
    if files is not None and files.volume is not None:
        yield files.volume, How.APPEND
    for overlay in overlays:
        if overlay.volume is not None:
            yield overlay.volume, How.UNLESS_PRESENT
    if annotations.get(MODEL_INIT_ANNOTATION) == "true" or annotations.get(ADAPTER_ANNOTATION):
        yield {"name": SCRATCH, "emptyDir": {"medium": "Memory"}}, How.UNLESS_PRESENT


def _mounts(
    files: Weights | None,
    tuning: FineTuning | None,
    overlays: Sequence[Overlay],
    annotations: Mapping[str, str],
) -> Iterator[Addition]:
    if files is not None and files.mount is not None:
        yield files.mount, How.APPEND
    for overlay in overlays:
        if overlay.mount is not None:
            yield overlay.mount, How.APPEND
    if tuning is None:
        return
    if not is_few_shot(annotations):
        yield {"name": SCRATCH, "mountPath": CLAIM_MOUNT_PATH}, How.UNLESS_PRESENT
        return
    model_format = annotations.get(FORMAT_ANNOTATION, "")
    base = {"name": SCRATCH, "mountPath": joined(CLAIM_MOUNT_PATH, model_format), "subPath": "base"}
    yield base, How.REPLACE
    tuned = {"name": SCRATCH, "mountPath": joined(FEW_SHOT_ROOT, model_format), "subPath": "finetuned"}
    yield {**tuned, "readOnly": True}, How.APPEND


def _variables(
    files: Weights | None,
    tuning: FineTuning | None,
    overlays: Sequence[Overlay],
    annotations: Mapping[str, str],
) -> Iterator[Variable]:
    if tuning is not None:
        yield from _tuned_variables(tuning, annotations)
        return
    if files is not None and files.path:
        yield Variable(MODEL_PATH, files.path)
    for overlay in overlays:
        if overlay.variable is not None:
            yield Variable(*overlay.variable)


def _tuned_variables(tuning: FineTuning, annotations: Mapping[str, str]) -> Iterator[Variable]:
    """Those that the server of each vendor reads; any other has to be told in the runtime."""
    if tuning.vendor == "meta":
        yield Variable(_SERVED_MODEL_NAME, joined(_SERVED_MODEL_ROOT, tuning.name), overrides=True)
        yield Variable(MODEL_PATH, CLAIM_MOUNT_PATH)
    elif tuning.vendor == "cohere" and is_few_shot(annotations):
        yield Variable(_FEW_SHOT_PATH, f"{FEW_SHOT_ROOT}/fastertransformer/1")


def joined(*parts: str) -> str:
    """The path of ``parts`` as Go joins them: empty ones left out, ``..`` resolved, no slash at the end."""
    return posixpath.normpath("/".join(filter(None, parts)))


def _added(listed: Sequence[Object], additions: Sequence[Addition]) -> list[Object]:
    items = list(listed)
    for item, how in additions:
        place = next((i for i, other in enumerate(items) if other.get("name") == item["name"]), None)
        if how is How.APPEND or place is None:
            items.append(item)
        elif how is How.REPLACE:
            # What OME does not set stays, such as how mounts propagate.
            kept = {key: value for key, value in items[place].items() if key not in _SET_BY_REPLACING}
            items[place] = {**kept, **item}
    return items
