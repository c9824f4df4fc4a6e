"""All BenchmarkJobs of a repository, compiled."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from omec.catalog import Catalog, Resource
from omec.compile.benchmark import rules
from omec.compile.benchmark.checks import benchmark_findings, claim_of, finding_about
from omec.compile.benchmark.inputs import BenchmarkInputs, Identity
from omec.compile.benchmark.job import missing_claim
from omec.compile.benchmark.platforms import PlatformObject, kubernetes_job, ome_benchmark
from omec.compile.benchmark.target import BenchmarkError, find_service
from omec.compile.layout import OutputObject
from omec.compile.marks import mark
from omec.finding import FieldPath, Finding, ObjectRef, Related, Severity
from omec.repo.document import Document

KIND = "BenchmarkJob"
_NAME: FieldPath = ("metadata", "name")


class CompiledBenchmarks(msgspec.Struct, frozen=True):
    """The objects of the jobs, what is wrong, and the jobs whose earlier output must stay because of an error."""

    outputs: tuple[OutputObject, ...] = ()
    findings: tuple[Finding, ...] = ()
    kept: tuple[Resource, ...] = ()


def compile_benchmarks(
    inputs: BenchmarkInputs, *, platform: str, broken: Collection[ObjectRef] = (), metadata: bool = True
) -> CompiledBenchmarks:
    """Every BenchmarkJob of the repository for ``platform``.

    ``broken`` are objects with an error in their manifest: they are not compiled. With ``metadata`` rendered Jobs carry
    omec's own mark.
    """
    outputs: list[OutputObject] = []
    findings: list[Finding] = []
    kept: list[Resource] = []
    for job in inputs.catalog.of_kind(KIND):
        if job.context:
            continue
        compiled = PlatformObject(None) if job.ref in broken else _compiled(inputs, job, platform)
        findings += compiled.findings
        if compiled.body is None or _has_error(compiled.findings):
            kept.append(job)
            continue
        if metadata and platform == "kubernetes":
            mark(compiled.body)
        outputs.append(OutputObject(compiled.body, job))
    return CompiledBenchmarks(tuple(outputs), tuple(findings), tuple(kept))


def _compiled(inputs: BenchmarkInputs, job: Resource, platform: str) -> PlatformObject:
    missing = target_findings(inputs.catalog, job, platform) if platform == "ome" else ()
    findings = (*benchmark_findings(job), *missing, *neighbour_findings(inputs.claims, inputs.jobs, job, platform))
    if _has_error(findings):
        return PlatformObject(None, findings)
    try:
        compiled = (kubernetes_job if platform == "kubernetes" else ome_benchmark)(inputs, job)
    except BenchmarkError as error:
        rule = rules.BENCHMARK_CONFIG if error.field == _NAME else rules.BENCHMARK_TARGET
        return PlatformObject(None, (*findings, finding_about(job, rule, error.message, error.field)))
    return PlatformObject(compiled.body, (*findings, *compiled.findings))


def target_findings(catalog: Catalog, job: Resource, platform: str) -> Iterator[Finding]:
    """Whether there is the service that a job measures; on platform ``ome`` the cluster may have it all the same."""
    reference = job.spec["endpoint"].get("inferenceService")
    if reference is None or _is_ambiguous(catalog, reference):
        return
    try:
        find_service(catalog, reference)
    except BenchmarkError as error:
        help_text = "correct the name, unless the cluster has an InferenceService that is not in the repository"
        found = finding_about(job, rules.BENCHMARK_TARGET, error.message, error.field, help_text)
        yield replace(found, severity_override=Severity.WARNING if platform == "ome" else None)


def _is_ambiguous(catalog: Catalog, reference: Mapping[str, Any]) -> bool:
    """Whether the repository has two definitions of the service, which is told at them."""
    return ObjectRef("InferenceService", reference.get("namespace"), str(reference.get("name"))) in catalog.ambiguous


def neighbour_findings(
    claims: Collection[Identity], jobs: Mapping[Identity, Document], job: Resource, platform: str
) -> Iterator[Finding]:
    """What is wrong with a job because of the PersistentVolumeClaims and Jobs of its namespace."""
    namespace = job.namespace or ""
    claim = claim_of(job)
    known = {name for owner, name in claims if owner == namespace}
    problem = None if claim is None else missing_claim(claim, known)
    if problem is not None:
        yield finding_about(job, rules.BENCHMARK_CLAIM, problem, ("spec", "outputLocation", "storageUri"))
    existing = jobs.get((namespace, job.name))
    if existing is not None:
        what = "OME makes none for the benchmark" if platform == "ome" else "the benchmark's own would replace it"
        message = f"the repository has a Job {namespace}/{job.name}, so {what}"
        related = (Related(existing.locate(_NAME), "this Job"),)
        yield finding_about(job, rules.BENCHMARK_JOB_EXISTS, message, _NAME, "", related)


def _has_error(findings: Collection[Finding]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)
