"""All BenchmarkJobs of a repository, compiled."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from omec.catalog import Resource
from omec.compile.benchmark import rules
from omec.compile.benchmark.checks import benchmark_findings, claim_of, finding_about
from omec.compile.benchmark.inputs import BenchmarkInputs
from omec.compile.benchmark.job import missing_claim
from omec.compile.benchmark.platforms import PlatformObject, kubernetes_job, ome_benchmark
from omec.compile.benchmark.target import BenchmarkError
from omec.compile.layout import OutputObject
from omec.compile.marks import mark
from omec.finding import FieldPath, Finding, ObjectRef, Related, Severity

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
    findings = (*benchmark_findings(job), *_neighbours(inputs, job, platform))
    if _has_error(findings):
        return PlatformObject(None, findings)
    try:
        compiled = (kubernetes_job if platform == "kubernetes" else ome_benchmark)(inputs, job)
    except BenchmarkError as error:
        rule = rules.BENCHMARK_CONFIG if error.field == _NAME else rules.BENCHMARK_TARGET
        return PlatformObject(None, (*findings, finding_about(job, rule, error.message, error.field)))
    return PlatformObject(compiled.body, (*findings, *compiled.findings))


def _neighbours(inputs: BenchmarkInputs, job: Resource, platform: str) -> Iterator[Finding]:
    """What is wrong with a job because of other objects of its namespace."""
    namespace = job.namespace or ""
    claim = claim_of(job)
    known = {name for owner, name in inputs.claims if owner == namespace}
    problem = None if claim is None else missing_claim(claim, known)
    if problem is not None:
        yield finding_about(job, rules.BENCHMARK_CLAIM, problem, ("spec", "outputLocation", "storageUri"))
    existing = inputs.jobs.get((namespace, job.name))
    if existing is not None:
        what = "OME makes none for the benchmark" if platform == "ome" else "the benchmark's own would replace it"
        message = f"the repository has a Job {namespace}/{job.name}, so {what}"
        related = (Related(existing.locate(_NAME), "this Job"),)
        yield finding_about(job, rules.BENCHMARK_JOB_EXISTS, message, _NAME, "", related)


def _has_error(findings: Collection[Finding]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)
