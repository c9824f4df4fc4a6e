"""Whether a cluster takes an object, judged by more than omec's own checks of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from omec.api.defaults import admitted
from omec.compile.custom_schemas.own_kinds import own_errors
from omec.compile.inputs import Object
from omec.compile.native.admission import Write, refusal
from omec.compile.validate import Validator
from omec.finding import Severity
from tests.compile.crd_schemas import FILES, crd_errors


def faults(body: Object, version: str, testdata: Path) -> list[str]:
    """Why a cluster would refuse ``body``."""
    validator = _validator(version)
    if validator.covers(body):
        return [error.message for error in validator.errors(body) if error.severity is Severity.ERROR]
    if body["kind"] in FILES:
        found = crd_errors(body, testdata)
        return found + (replica_faults(body, validator) if body["kind"] == "InferenceReplica" else [])
    assert body["apiVersion"].startswith("ome.io/"), body
    return [error.message for error in own_errors(body)]


def replica_faults(body: Object, validator: Validator) -> list[str]:
    """What OME's webhook says about an InferenceReplica, and the API server about the templates of its runners."""
    answer = refusal(Write(admitted("InferenceReplica", body)))
    found = [] if answer is None else [str(answer)]
    for runner in body["spec"].get("runners", []):
        metadata = {"name": "runner", "namespace": "llm"}
        template = {"apiVersion": "v1", "kind": "PodTemplate", "metadata": metadata, "template": runner["template"]}
        found += [error.message for error in validator.errors(template) if error.severity is Severity.ERROR]
    return found


@cache
def _validator(version: str) -> Validator:
    return Validator(version)
