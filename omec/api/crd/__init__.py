"""The CustomResourceDefinitions of ``ome.io/v1beta1`` as OME 1.3 has them, made from the models of the API.

They are structural and complete: a field that the models do not know is dropped by the API server, or refused under
strict validation. Nothing is open but the free-form fields and the status of InferenceServices (reference 06 §1.2).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic.json_schema import models_json_schema

from omec.api.crd.presentation import COLUMNS, SCALES, SHORT_NAMES
from omec.api.crd.structural import StructuralSchemas
from omec.api.kinds import GROUP, KINDS, Kind
from omec.api.models import MODELS
from omec.api.models.status import STATUSES
from omec.api.shapes.kinds import OBJECTS

Definition = dict[str, Any]

VERSION = "v1beta1"
_OPEN_STATUS = "InferenceService"


def custom_resource_definition(kind: str) -> Definition:
    """The CustomResourceDefinition of ``kind``, ready to be applied (server-side: the larger ones are too big for the
    annotation that a client-side apply leaves); raises ``KeyError`` for a kind that is not of ome.io.
    """
    facts = KINDS[kind]
    version = {
        "additionalPrinterColumns": [dict(column) for column in COLUMNS[kind]],
        "name": VERSION,
        "schema": {"openAPIV3Schema": _root_schema(kind)},
        "served": True,
        "storage": True,
        "subresources": ({"scale": dict(SCALES[kind])} if kind in SCALES else {}) | {"status": {}},
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{facts.plural}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "names": _names(facts),
            "scope": "Namespaced" if facts.namespaced else "Cluster",
            "versions": [version],
        },
    }


def _names(kind: Kind) -> Definition:
    names: Definition = {
        "kind": kind.name,
        "listKind": f"{kind.name}List",
        "plural": kind.plural,
        "singular": kind.name.lower(),
    }
    if kind.name in SHORT_NAMES:
        names["shortNames"] = list(SHORT_NAMES[kind.name])
    return names


def _root_schema(kind: str) -> Definition:
    schemas = _schemas()
    root = schemas.of(kind, OBJECTS.get(kind))
    status = schemas.of(STATUSES[kind].__name__, None)
    if kind == _OPEN_STATUS:
        status["x-kubernetes-preserve-unknown-fields"] = True
    root["properties"] |= {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"type": "object"},
        "status": status,
    }
    del root["required"]
    return root


@cache
def _schemas() -> StructuralSchemas:
    models = dict.fromkeys((*MODELS.values(), *STATUSES.values()))
    _, generated = models_json_schema([(model, "validation") for model in models])
    return StructuralSchemas(generated["$defs"])
