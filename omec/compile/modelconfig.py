"""The ConfigMap that tells about the model of a service (reference 04 §15.4).

Nothing that omec renders reads it, so it is made on request only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.api.gojson import dumps
from omec.compile.inputs import Model, Object, Service
from omec.compile.metadata import INFERENCE_SERVICE_LABEL

_NAME_LENGTH = 20
_STORAGE = {
    "storageUri": "storageUri",
    "path": "path",
    "schemaPath": "schemaPath",
    "parameters": "parameters",
    "storageKey": "key",
}
"""What the ConfigMap says about files, and the fields of ``spec.storage`` that it has it from."""


def model_config(service: Service, model: Model, weights: Mapping[str, Any] | None = None) -> Object:
    """The ConfigMap of ``service`` about ``model``, and about the first fine-tuned weights, whose spec is ``weights``.

    Services of a namespace whose names end alike share one name, as with OME.
    """
    entry: Object = {"modelName": model.name, "modelSpec": _model_spec(model.spec)}
    if weights is not None:
        entry["fineTunedWeightSpec"] = _present({**_storage(weights), "modelType": weights.get("modelType")})
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": f"modelconfig-{service.name[-_NAME_LENGTH:]}",
            "namespace": service.namespace,
            "labels": {INFERENCE_SERVICE_LABEL: service.name},
        },
        "data": {"models.json": dumps([entry])},
    }


def _model_spec(spec: Mapping[str, Any]) -> Object:
    file_format, framework = spec.get("modelFormat") or {}, spec.get("modelFramework") or {}
    fields = {
        **_storage(spec),
        "modelFormatName": file_format.get("name") or "",
        "modelFormatVersion": file_format.get("version"),
        "modelType": spec.get("modelType"),
        "modelFrameworkName": framework.get("name"),
        "modelFrameworkVersion": framework.get("version"),
    }
    return _present(fields)


def _storage(spec: Mapping[str, Any]) -> Object:
    storage = spec.get("storage") or {}
    fields = {name: storage.get(field) for name, field in _STORAGE.items()}
    if fields["parameters"]:
        fields["parameters"] = dict(sorted(fields["parameters"].items()))
    return fields


def _present(fields: Mapping[str, Any]) -> Object:
    return {name: value for name, value in fields.items() if value is not None}
