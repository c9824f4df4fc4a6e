"""The pod templates of an InferenceReplica, checked as strictly as the API server checks those of a Deployment.

The replica's own schema does not: a template with a fault is stored, and its pods are then refused one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from omec.compile.validate import SchemaError, Validator
from omec.finding import FieldPath, field_text


def template_errors(replica: Mapping[str, Any], validator: Validator) -> Iterator[SchemaError]:
    """What the API server would refuse in the pods of ``replica``, at the field of its template."""
    for index, runner in enumerate(replica["spec"].get("runners") or ()):
        yield from _errors(runner.get("template") or {}, ("spec", "runners", index, "template"), validator)


def set_template_errors(body: Mapping[str, Any], validator: Validator) -> Iterator[SchemaError]:
    """The same for the LeaderWorkerSet ``body``."""
    templates = body["spec"]["leaderWorkerTemplate"]
    for field in ("leaderTemplate", "workerTemplate"):
        yield from _errors(templates[field], ("spec", "leaderWorkerTemplate", field), validator)


def _errors(template: Mapping[str, Any], path: FieldPath, validator: Validator) -> Iterator[SchemaError]:
    # A template of its own kind is the smallest object that holds one; its name is never shown.
    checked = {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {"name": "template"}, "template": template}
    for error in validator.errors(checked):
        message = error.message.replace("template.", f"{field_text(path)}.", 1)
        yield replace(error, path=(*path, *error.path[1:]), message=message)
