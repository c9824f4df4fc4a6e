"""What is wrong with a BenchmarkJob by its manifest alone (reference 16 §1 to §4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from omec.api.storage_uri import PvcUri, StorageUri, StorageUriError, parse_storage_uri
from omec.catalog import Resource
from omec.compile.benchmark import rules
from omec.compile.benchmark.admission import denial_of
from omec.compile.benchmark.storage import CREDENTIALS, PARAMETERS, UnsupportedStorageError
from omec.finding import FieldPath, Finding, Related, Rule, field_text

_EMBEDDINGS = "text-to-embeddings"
_TEXT = re.compile(r"D\(\d+,\d+\)|N\(\d+,\d+\)/\(\d+,\d+\)|U\(\d+,\d+\)(?:/\(\d+,\d+\))?", re.ASCII)
_IMAGE = re.compile(r"I\(\d+,\d+(?:,\d+)?\)", re.ASCII)
_KNOWN_SCENARIOS = {
    "text-to-text": _TEXT,
    "image-to-text": _IMAGE,
    "image-to-embeddings": _IMAGE,
    _EMBEDDINGS: re.compile(r"E\(\d+\)", re.ASCII),
}
"""What genai-bench itself accepts for a task (genai-bench docs: traffic scenarios)."""

_OUTPUT: FieldPath = ("spec", "outputLocation")


def benchmark_findings(job: Resource) -> list[Finding]:
    """The webhook's denial, and what OME accepts although it cannot work.

    A storage URI that does not parse is not repeated: the API structure reports it in the webhook's words.
    """
    storage = job.spec.get("outputLocation")
    return [
        *_denied(job),
        *_endpoint(job),
        *_scenarios(job),
        *_limits(job),
        *_without_effect(job),
        *_storage(job, storage if isinstance(storage, dict) else {}),
    ]


def finding_about(
    job: Resource, rule: Rule, message: str, field: FieldPath, help_text: str = "", related: tuple[Related, ...] = ()
) -> Finding:
    """A finding about ``job``, at the field or the nearest that is written."""
    return Finding(
        rule,
        message,
        job.locate(field),
        object=job.ref,
        field=field_text(field),
        help=help_text or rule.remedy,
        related=related,
    )


def output_uri(job: Resource) -> StorageUri | None:
    """Where the results go, ``None`` where the manifest does not tell."""
    storage = job.spec.get("outputLocation")
    uri = storage.get("storageUri") if isinstance(storage, dict) else None
    try:
        return parse_storage_uri(uri) if isinstance(uri, str) else None
    except StorageUriError:
        return None


def claim_of(job: Resource) -> PvcUri | None:
    """The claim that the results go to, where they go to one."""
    uri = output_uri(job)
    return uri if isinstance(uri, PvcUri) else None


def _denied(job: Resource) -> Iterator[Finding]:
    denial = denial_of(job.spec)
    if denial is not None and denial.field[:2] != _OUTPUT:
        yield finding_about(job, rules.BENCHMARK_DENIED, denial.message, denial.field)


def _endpoint(job: Resource) -> Iterator[Finding]:
    endpoint = job.spec.get("endpoint") or {}
    if endpoint.get("endpoint") is not None and endpoint.get("inferenceService") is None:
        message = f"{job.ref} measures a URL, so genai-bench gets no tokenizer and ends at once"
        yield finding_about(job, rules.BENCHMARK_URL, message, ("spec", "endpoint", "endpoint"))


def _scenarios(job: Resource) -> Iterator[Finding]:
    task = job.spec.get("task")
    known = _KNOWN_SCENARIOS.get(task) if isinstance(task, str) else None
    if known is None or denial_of(job.spec) is not None:
        return
    for index, scenario in enumerate(job.spec.get("trafficScenarios") or ()):
        if not known.fullmatch(scenario):
            message = f"genai-bench does not know the scenario '{scenario}' for task '{task}', although OME accepts it"
            help_text = "no scenario suits both; measure embeddings outside of OME" if task == _EMBEDDINGS else ""
            field = ("spec", "trafficScenarios", index)
            yield finding_about(job, rules.BENCHMARK_SCENARIO, message, field, help_text)


def _limits(job: Resource) -> Iterator[Finding]:
    places: list[FieldPath] = [("spec", "maxTimePerIteration"), ("spec", "maxRequestsPerIteration")]
    levels = job.spec.get("numConcurrency") or ()
    places += [("spec", "numConcurrency", index) for index in range(len(levels))]
    for place in places:
        value: Any = job.spec
        for step in place[1:]:
            value = value.get(step) if isinstance(value, Mapping) else value[step]
        if isinstance(value, int) and not isinstance(value, bool) and value <= 0:
            message = f"{field_text(place)} is {value}, so nothing is measured"
            yield finding_about(job, rules.BENCHMARK_LIMITS, message, place)


def _without_effect(job: Resource) -> Iterator[Finding]:
    for name in ("additionalRequestParams", "dataset"):
        if job.spec.get(name):
            message = f"spec.{name} has no effect: OME does not pass it to genai-bench"
            yield finding_about(job, rules.BENCHMARK_NO_EFFECT, message, ("spec", name))


def _storage(job: Resource, storage: Mapping[str, Any]) -> Iterator[Finding]:
    uri = output_uri(job)
    if uri is None:
        return
    if type(uri) not in PARAMETERS:
        field: FieldPath = (*_OUTPUT, "storageUri")
        yield finding_about(job, rules.BENCHMARK_OUTPUT, str(UnsupportedStorageError(uri)), field)
        return
    for name in ("path", "key", "nodeSelector", "nodeAffinity"):
        if storage.get(name):
            message = f"spec.outputLocation.{name} has no effect on a benchmark"
            yield finding_about(job, rules.BENCHMARK_NO_EFFECT, message, (*_OUTPUT, name))
    yield from _parameters(job, uri, storage.get("parameters") or {})


def _parameters(job: Resource, uri: StorageUri, parameters: Mapping[str, str]) -> Iterator[Finding]:
    for name in parameters:
        field: FieldPath = (*_OUTPUT, "parameters", name)
        if name not in PARAMETERS[type(uri)]:
            known = ", ".join(PARAMETERS[type(uri)])
            message = f"parameter {name} has no effect on results at a {uri.type} location"
            help_text = f"the parameters of this kind are {known}" if known else "this kind has no parameters"
            yield finding_about(job, rules.BENCHMARK_NO_EFFECT, message, field, help_text)
        elif name in CREDENTIALS and parameters[name]:
            # The value itself never appears in a message.
            message = f"parameter {name} is a credential in plain text"
            yield finding_about(job, rules.BENCHMARK_CREDENTIALS, message, field)
