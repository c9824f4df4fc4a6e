"""One BenchmarkJob as the object of each platform (reference 16 §8).

On platform ``ome`` it stays a BenchmarkJob, but the InferenceService that it names becomes a URL: what omec compiled is
no InferenceService in the cluster. On platform ``kubernetes`` it becomes the Job that OME would make.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from omec.catalog import Resource
from omec.compile.benchmark import rules
from omec.compile.benchmark.checks import finding_about
from omec.compile.benchmark.config import CHART_DEFAULTS
from omec.compile.benchmark.inputs import BenchmarkInputs
from omec.compile.benchmark.job import ome_job, standalone_job
from omec.compile.benchmark.place import place_in_benchmark
from omec.compile.benchmark.pod import Object
from omec.compile.benchmark.target import BenchmarkError, find_service, target_of_service
from omec.compile.repository_rules import REFUSED_OBJECT
from omec.finding import FieldPath, Finding, Related

_SERVICE: FieldPath = ("spec", "endpoint", "inferenceService", "name")
_UNKNOWN_IMAGE = "genai-bench"
"""Stands in for the image that only the cluster's ConfigMap knows, where a Job is made to be looked at."""


class PlatformObject(msgspec.Struct, frozen=True):
    """The object of a job, ``None`` where there can be none, and what is wrong with it."""

    body: Object | None
    findings: tuple[Finding, ...] = ()


def kubernetes_job(inputs: BenchmarkInputs, job: Resource) -> PlatformObject:
    """The Job that runs the benchmark; raises :class:`BenchmarkError` where OME would make none."""
    reference = job.spec["endpoint"].get("inferenceService")
    if reference is not None:
        service = find_service(inputs.catalog, reference)
        if service.context:
            message = f"{service.ref} is of another catalog and is not compiled here, so nothing says where it answers"
            raise BenchmarkError(message, _SERVICE)
        if service.ref not in inputs.services:
            return PlatformObject(None)  # the service failed, and its own findings say why
    body = standalone_job(ome_job(job, inputs.catalog, inputs.config_for(job), inputs.served))
    return PlatformObject(body, tuple(_refusals(inputs, job, body)))


def ome_benchmark(inputs: BenchmarkInputs, job: Resource) -> PlatformObject:
    """The BenchmarkJob to apply; raises :class:`BenchmarkError` where its service cannot be measured."""
    body = _copied(job)
    reference = job.spec["endpoint"].get("inferenceService")
    if reference is None:
        return PlatformObject(body, tuple(_checked(inputs, job, job)))
    try:
        service = find_service(inputs.catalog, reference)
    except BenchmarkError:
        return PlatformObject(body)  # the cluster may have it all the same
    if service.context:
        return PlatformObject(body)
    if service.ref not in inputs.services:
        return PlatformObject(None)  # the service failed, and its own findings say why
    target = target_of_service(inputs.catalog, service, inputs.served(service))
    endpoint = {"url": target.base, "apiFormat": target.backend, "modelName": target.model_name}
    body["spec"] = {**body["spec"], "endpoint": {"endpoint": endpoint}}
    changed = Resource(job.kind, job.namespace, job.name, job.document.with_value(body))
    return PlatformObject(body, (_measured_by_url(job, service, target.base), *_checked(inputs, changed, job)))


def _copied(job: Resource) -> Object:
    """The manifest with the namespace that it is in, without its status."""
    body = {key: value for key, value in job.body.items() if key != "status"}
    return {**body, "metadata": {**job.body["metadata"], "namespace": job.namespace}}


def _measured_by_url(job: Resource, service: Resource, url: str) -> Finding:
    message = f"{service.ref} is compiled to plain workloads, so {job.ref} measures {url}; OME gives genai-bench no"
    related = (Related(service.locate(("metadata", "name")), "the service"),)
    return finding_about(
        job, rules.BENCHMARK_URL, f"{message} tokenizer for a URL, and genai-bench ends at once", _SERVICE, "", related
    )


def _checked(inputs: BenchmarkInputs, measured: Resource, job: Resource) -> Iterator[Finding]:
    """What the API server would say about the Job that OME makes of ``measured``, at the fields of ``job``."""
    config = inputs.config_for(measured) or CHART_DEFAULTS
    if not config.image:
        config = replace(config, image=_UNKNOWN_IMAGE)
    yield from _refusals(inputs, job, standalone_job(ome_job(measured, inputs.catalog, config, inputs.served)))


def _refusals(inputs: BenchmarkInputs, job: Resource, body: Object) -> Iterator[Finding]:
    for error in inputs.validator.errors(body):
        if error.path[-1:] == ("image",):
            yield _without_image(job)
            continue
        field = place_in_benchmark(error.path, body, job.spec)
        message = f"the API server would refuse the Job of {job.ref}: {error.message}"
        found = finding_about(job, REFUSED_OBJECT, message, field, "correct the field of the BenchmarkJob")
        yield replace(found, severity_override=error.severity)


def _without_image(job: Resource) -> Finding:
    message = f"no configuration names the image that {job.ref} runs"
    return finding_about(job, rules.BENCHMARK_CONFIG, message, ("metadata", "name"))
