"""What the renderer needs to know about one InferenceService.

The renderer looks nothing up: reading, inheritance and selection are decided before, and everything here is plain data
as the API server stores it. So the same inputs always give the same objects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from omec.compile.environment import Environment
from omec.compile.native.target import Target
from omec.compile.operator import CHART_DEFAULTS, OperatorConfig

if TYPE_CHECKING:
    from omec.compile.webhook.settings import WebhookSettings
    from omec.compile.weights_overlays import Overlay
    from omec.compile.weights_tuned import FineTuning

Object = dict[str, Any]
"""A Kubernetes object, or a part of one."""


class Service(msgspec.Struct, frozen=True):
    """The InferenceService: its identity, metadata and ``spec`` (schema defaults filled in)."""

    name: str
    namespace: str
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    spec: Mapping[str, Any]

    @classmethod
    def of(cls, stored: Mapping[str, Any], namespace: str) -> Service:
        metadata = stored["metadata"]
        return cls(
            name=metadata["name"],
            namespace=namespace,
            labels=metadata.get("labels") or {},
            annotations=metadata.get("annotations") or {},
            spec=stored.get("spec") or {},
        )


class Model(msgspec.Struct, frozen=True):
    """The BaseModel or ClusterBaseModel that is served; ``namespace`` is ``None`` for a ClusterBaseModel."""

    name: str
    namespace: str | None
    annotations: Mapping[str, str]
    spec: Mapping[str, Any]

    @classmethod
    def of(cls, stored: Mapping[str, Any], namespace: str | None) -> Model:
        metadata = stored["metadata"]
        return cls(
            name=metadata["name"],
            namespace=namespace,
            annotations=metadata.get("annotations") or {},
            spec=stored.get("spec") or {},
        )


class Runtime(msgspec.Struct, frozen=True):
    """The runtime that the service gets.

    ``spec`` is the effective one (with its inheritance chain) for a runtime that the service names, the runtime's own
    for one that OME selects. ``accelerator_entry`` is the index in ``supportedModelFormats`` of the entry whose
    ``acceleratorConfig`` counts, ``None`` when no entry scores above 0.
    """

    name: str
    spec: Mapping[str, Any]
    accelerator_entry: int | None = None


class ServiceInputs(msgspec.Struct, frozen=True):
    """Everything that decides the objects of one InferenceService.

    ``tuning`` are the fine-tuned weights on top of the model, ``overlays`` the models beside it; ``fine_tuned`` and
    ``accelerator_classes`` hold the specs of the existing FineTunedWeights and AcceleratorClasses by name. ``webhook``
    are the settings of OME's pod webhook, ``None`` for pods as OME's controllers write them. ``target`` and
    ``environment`` are the cluster that the objects are for. With ``metadata`` the objects carry omec's own marks (see
    :mod:`omec.compile.marks`); without it they are exactly OME's. ``model_config`` adds the ConfigMap about the model.
    """

    service: Service
    runtime: Runtime
    model: Model | None = None
    tuning: FineTuning | None = None
    overlays: Sequence[Overlay] = ()
    fine_tuned: Mapping[str, Mapping[str, Any]] = msgspec.field(default_factory=dict)
    operator: OperatorConfig = CHART_DEFAULTS
    webhook: WebhookSettings | None = None
    accelerator_classes: Mapping[str, Mapping[str, Any]] = msgspec.field(default_factory=dict)
    metadata: bool = True
    model_config: bool = False
    target: Target = msgspec.field(default_factory=Target)
    environment: Environment = msgspec.field(default_factory=Environment)
