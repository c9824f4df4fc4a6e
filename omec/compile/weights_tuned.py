"""Fine-tuned weights that a service puts on top of its model (reference 04 §17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from omec.compile.inputs import Model, Service
from omec.compile.problems import Origin, Place, Problem, RenderError, Step
from omec.compile.weights_rules import TUNING_REFUSED

ADAPTER_ANNOTATION = "ome.io/inject-fine-tuned-adapter"
STRATEGY_ANNOTATION = "ome.io/fine-tuned-weight-ft-strategy"
MERGED_ANNOTATION = "ome.io/fine-tuned-serving-with-merged-weights"
VENDOR_ANNOTATION = "ome.io/base-model-vendor"
FORMAT_ANNOTATION = "ome.io/base-model-format"

SERVING_LABEL = "fine-tuned-serving"
STRATEGY_LABEL = "fine-tuned-weight-ft-strategy"
MERGED_LABEL = "fine-tuned-serving-with-merged-weights"

FIELD: tuple[Step, ...] = ("spec", "model", "fineTunedWeights")

_GO_TYPES = {bool: "bool", int: "float64", float: "float64", list: "[]interface {}", dict: "map[string]interface {}"}
_JSON_TYPES = {bool: "bool", int: "number", float: "number", str: "string", list: "array"}


class FineTuning(msgspec.Struct, frozen=True):
    """The FineTunedWeight ``name`` on top of a model; ``merged`` weights come in place of the model's files.

    ``vendor`` is the model's: it decides how the server is told.
    """

    name: str
    strategy: str
    merged: bool
    vendor: str | None = None

    @property
    def few_shot(self) -> bool:
        """Whether these are Cohere's T-Few weights, which stand beside the model (see :func:`is_few_shot`)."""
        return self.vendor == "cohere" and self.strategy == "tfew" and not self.merged

    @property
    def annotations(self) -> dict[str, str]:
        """What engine and decoder carry beside the annotations of the model."""
        annotations = {ADAPTER_ANNOTATION: self.name, STRATEGY_ANNOTATION: self.strategy}
        return annotations | ({MERGED_ANNOTATION: "true"} if self.merged else {})

    @property
    def labels(self) -> dict[str, str]:
        """What engine and decoder carry; a router serves no weights (see :data:`NOT_TUNED`)."""
        return {
            SERVING_LABEL: "true",
            STRATEGY_LABEL: self.strategy,
            MERGED_LABEL: "true" if self.merged else "false",
        }


NOT_TUNED = {SERVING_LABEL: "false"}
"""The labels of a component without fine-tuned weights."""


def fine_tuning(service: Service, model: Model | None, weights: Mapping[str, Mapping[str, Any]]) -> FineTuning | None:
    """The fine-tuned weights of ``service`` on top of ``model``, ``None`` for none.

    ``weights`` are the specs of all FineTunedWeights by name.

    Neither ``disabled`` of a weight nor the model that it was made from counts. Raises :class:`RenderError` with OME's
    text.
    """
    names = (service.spec.get("model") or {}).get("fineTunedWeights") or []
    if not names or model is None:
        return None
    name = names[0]
    spec = weights.get(name)
    if spec is None:
        # OME fails over its ConfigMap of models, before it looks for the weights themselves.
        raise _refusal(
            f"failed to get fine tuned weight spec {name} (listed in ModelRef.FineTunedWeights): "
            f'finetunedweights.ome.io "{name}" not found',
            0,
        )
    if len(names) > 1:
        raise _refusal("stacked fine-tuned serving is not supported yet", 1)
    merged = _is_merged(spec)
    return FineTuning(name, _strategy(name, spec), merged, model.spec.get("vendor"))


def is_few_shot(annotations: Mapping[str, str]) -> bool:
    """Whether pods with these annotations serve Cohere's T-Few weights, which stand beside the model."""
    return (
        annotations.get(VENDOR_ANNOTATION) == "cohere"
        and annotations.get(STRATEGY_ANNOTATION) == "tfew"
        and annotations.get(MERGED_ANNOTATION) != "true"
    )


def _is_merged(spec: Mapping[str, Any]) -> bool:
    configuration = spec.get("configuration")
    if configuration is None:
        raise _refusal("unexpected end of JSON input", 0)
    return _object(configuration).get("merged_weights") is True


def _strategy(name: str, spec: Mapping[str, Any]) -> str:
    parameters = spec.get("hyperParameters")
    strategy = None if parameters is None else _object(parameters).get("strategy")
    if strategy is None:
        raise _refusal(f'hyper-parameter "strategy" not set on FineTunedWeight {name}', 0)
    if not isinstance(strategy, str):
        kind = _GO_TYPES[type(strategy)]
        raise _refusal(f'hyper-parameter "strategy" on FineTunedWeight {name} must be a string, got {kind}', 0)
    return strategy


def _object(value: Any) -> Mapping[str, Any]:
    """``value``, which OME decodes into a map; raises :class:`RenderError` with the text of Go's decoder."""
    if not isinstance(value, dict):
        kind = _JSON_TYPES[type(value)]
        raise _refusal(f"json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}", 0)
    return value


def _refusal(message: str, index: int) -> RenderError:
    return RenderError(Problem(TUNING_REFUSED, message, Place(Origin.SERVICE, (*FIELD, index)), TUNING_REFUSED.remedy))
