"""The descriptions of types and fields that editors show: OME's from the models, Kubernetes' from its own schemas."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from omec.api.models import MODELS

FILE = Path(__file__).resolve().parents[2] / "data" / "ome" / "kubernetes-texts.json"
"""By type and field, the empty name standing for the type itself; written by ``schemas/build_editor.py``."""


class Texts:
    """The descriptions of one type of the schema document."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    @property
    def type(self) -> str:
        return self._texts.get("", "")

    def field(self, name: str) -> str:
        return self._texts.get(name, "")


@cache
def texts_of(name: str) -> Texts:
    """The descriptions of the type that the schema document calls ``name``; there are none of a scalar."""
    for texts in (_of_ome(), _of_kubernetes()):
        # An edited type of Kubernetes is called after the original: core.v1.Container.ServiceRunner.
        for known in (name, name.rpartition(".")[0]):
            if known in texts:
                return Texts(texts[known])
    return Texts({})


@cache
def _of_kubernetes() -> dict[str, dict[str, str]]:
    texts: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return texts


@cache
def _of_ome() -> dict[str, dict[str, str]]:
    _, generated = models_json_schema([(model, "validation") for model in MODELS.values()])
    return {name: _described(schema) for name, schema in generated["$defs"].items()}


def _described(schema: dict[str, Any]) -> dict[str, str]:
    fields = {name: field.get("description", "") for name, field in schema.get("properties", {}).items()}
    return {name: text.replace("``", "`") for name, text in {"": schema.get("description", ""), **fields}.items()}
