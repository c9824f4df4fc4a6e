"""What OME's webhook answers to a BenchmarkJob (reference 16 §1.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from omec.api.storage_uri import StorageUriError, parse_storage_uri
from omec.compile.benchmark.gofloat import float_problem
from omec.finding import FieldPath

Data = Mapping[str, Any]

_IMAGE = re.compile(r"^I\([0-9]+,[0-9]+(?:,[0-9]+)?\)\Z")
_SCENARIOS = {
    # The anchors belong to the first and the last alternative only, and the pattern is searched for: OME's own.
    "text-to-text": re.compile(
        r"^N\([0-9]+,[0-9]+\)/\([0-9]+,[0-9]+\)|U\([0-9]+,[0-9]+\)(?:/\([0-9]+,[0-9]+\))?|D\([0-9]+,[0-9]+\)\Z"
    ),
    "text-to-embeddings": re.compile(r"^E\([0-9]+,[0-9]+\)\Z"),
    "image-to-text": _IMAGE,
    "image-to-embeddings": _IMAGE,
}
_REFUSED_DEFAULT = {"text-to-embeddings": "E(64)"}
"""The first scenario that genai-bench runs without being told any, where OME's pattern for the task refuses it."""


class Denial(msgspec.Struct, frozen=True):
    """The webhook's message, and the field of the BenchmarkJob that it is about."""

    message: str
    field: FieldPath


def denial_of(spec: Data) -> Denial | None:
    """Why the webhook denies a job with this ``spec``, ``None`` where it allows it."""
    return next(denials(spec), None)


def denials(spec: Data) -> Iterator[Denial]:
    """Everything that the webhook would deny, in the order in which it looks; it answers with the first alone."""
    yield from _endpoint(spec.get("endpoint") or {})
    yield from _scenarios(spec.get("task") or "", spec.get("trafficScenarios") or [])
    yield from _parameters(spec.get("additionalRequestParams") or {})
    yield from storage_denials(spec.get("outputLocation") or {})


def storage_denials(storage: Data) -> Iterator[Denial]:
    uri = storage.get("storageUri")
    if uri is None:
        yield Denial("invalid storage: storageUri cannot be empty", ("spec", "outputLocation"))
        return
    try:
        parse_storage_uri(uri)
    except StorageUriError as error:
        message = f"invalid storage: error parsing storage URI: {error}"
        yield Denial(message, ("spec", "outputLocation", "storageUri"))


def _endpoint(endpoint: Data) -> Iterator[Denial]:
    field: FieldPath = ("spec", "endpoint")
    given = [name for name in ("endpoint", "inferenceService") if endpoint.get(name) is not None]
    if not given:
        yield Denial("invalid endpoint: endpoint or InferenceService must be specified", field)
    if len(given) > 1:
        message = "invalid endpoint: endpoint and InferenceService cannot be specified together"
        yield Denial(message, (*field, "endpoint"))


def _scenarios(task: str, scenarios: list[str]) -> Iterator[Denial]:
    field: FieldPath = ("spec", "trafficScenarios")
    if not scenarios and task in _REFUSED_DEFAULT:
        yield Denial(_bad_scenario(task, _REFUSED_DEFAULT[task]), field)
    for index, scenario in enumerate(scenarios):
        if task not in _SCENARIOS:
            yield Denial(_scenario(scenario, f"no validation pattern defined for task: {task}"), (*field, index))
        elif not _SCENARIOS[task].search(scenario):
            yield Denial(_bad_scenario(task, scenario), (*field, index))


def _bad_scenario(task: str, scenario: str) -> str:
    return _scenario(scenario, f"invalid scenario format for task '{task}': {scenario}")


def _scenario(scenario: str, problem: str) -> str:
    return f"invalid traffic scenarios: failed to validate scenario '{scenario}': {problem}"


def _parameters(parameters: Mapping[str, str]) -> Iterator[Denial]:
    """OME goes through a Go map, so of two bad parameters either may come first; omec takes them by name."""
    field: FieldPath = ("spec", "additionalRequestParams")
    prefix = "invalid additional request parameters"
    if parameters.get("ignore_eos", "true") not in ("true", "false"):
        yield Denial(f"{prefix}: ignore_eos must be 'true' or 'false'", (*field, "ignore_eos"))
    problem = float_problem(parameters["temperature"]) if "temperature" in parameters else None
    if problem is not None:
        yield Denial(f"{prefix}: invalid temperature: {problem}", (*field, "temperature"))
