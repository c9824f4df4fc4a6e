"""AcceleratorQuotas and BenchmarkJobs of a repository: what is said about them, and what is written for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from omec.catalog import Catalog, Resource
from omec.compile.capabilities import Capabilities
from omec.compile.layout import OutputObject
from omec.compile.repository import CompiledService
from omec.compile.validate import Validator
from omec.finding import Finding, ObjectRef, Severity
from omec.repo.config import Config
from omec.repo.document import Document

if TYPE_CHECKING:
    from omec.resolve.quota.repository import RepositoryQuotas


class Compiled(msgspec.Struct, frozen=True):
    """What is written, what is wrong, and the resources whose earlier output must stay because of an error."""

    outputs: tuple[OutputObject, ...] = ()
    findings: tuple[Finding, ...] = ()
    kept: tuple[Resource, ...] = ()


NOTHING = Compiled()


def quota_findings(
    catalog: Catalog, others: Sequence[Document], config: Config, reported: Collection[ObjectRef | None]
) -> list[Finding]:
    """What is wrong with the quota tree, and with services that wait in its queues.

    ``reported`` are objects with an error of their own.
    """
    if not catalog.of_kind("AcceleratorQuota"):
        return []
    from omec.compile.kueue.written import (  # noqa: PLC0415 - few repositories have quotas
        flavor_names,
        local_queues,
        written_objects,
    )
    from omec.resolve.quota import findings  # noqa: PLC0415
    from omec.resolve.quota.workloads import workload_findings  # noqa: PLC0415

    written = written_objects(others)
    quotas = _quotas(catalog, others, config)
    known = {ref for ref in reported if ref is not None}
    return [
        *findings.quota_findings(quotas, flavors=flavor_names(written), reported=known),
        *workload_findings(catalog, quotas, local_queues(written)),
    ]


def compile_quotas(
    catalog: Catalog, others: Sequence[Document], config: Config, findings: Iterable[Finding]
) -> Compiled:
    """The Kueue objects of the quota tree; ``findings`` are all about the repository so far."""
    if not catalog.of_kind("AcceleratorQuota"):
        return NOTHING
    from omec.compile.kueue import quotas as kueue  # noqa: PLC0415 - few repositories have quotas
    from omec.compile.kueue.written import written_objects  # noqa: PLC0415

    compiled = kueue.compile_quotas(
        _quotas(catalog, others, config),
        written_objects(others),
        platform=config.platform,
        kueue=Capabilities.of(config.capabilities).kueue,
        broken=any(_is_error(item) and item.object and item.object.kind == "AcceleratorQuota" for item in findings),
        metadata=config.metadata,
    )
    return Compiled(compiled.outputs, compiled.findings, compiled.kept)


def compile_benchmarks(
    catalog: Catalog,
    others: Sequence[Document],
    config: Config,
    services: Iterable[CompiledService],
    validator: Validator,
    broken: Collection[ObjectRef],
) -> Compiled:
    """The BenchmarkJobs beside the compiled ``services``; those that are ``broken`` are not among them."""
    if not catalog.of_kind("BenchmarkJob"):
        return NOTHING
    from omec.compile.benchmark.inputs import (  # noqa: PLC0415 - few repositories have benchmarks
        BenchmarkInputs,
        repository_objects,
    )
    from omec.compile.benchmark.jobs import compile_benchmarks as compile_jobs  # noqa: PLC0415
    from omec.compile.benchmark.source import benchmark_config  # noqa: PLC0415

    pods, findings = benchmark_config(others, config.benchmark)
    inputs = BenchmarkInputs(
        catalog,
        {compiled.service.ref: compiled.objects for compiled in services if compiled.objects},
        validator,
        pods,
        claims=repository_objects(others, "PersistentVolumeClaim", config.default_namespace),
        jobs=repository_objects(others, "Job", config.default_namespace),
    )
    compiled = compile_jobs(inputs, platform=config.platform, broken=broken, metadata=config.metadata)
    return Compiled(compiled.outputs, (*findings, *compiled.findings), compiled.kept)


def benchmark_findings(
    catalog: Catalog, others: Sequence[Document], config: Config, reported: Collection[ObjectRef | None]
) -> list[Finding]:
    """What is wrong with BenchmarkJobs, those ``reported`` for an error of their own left out."""
    jobs = [job for job in catalog.of_kind("BenchmarkJob") if not job.context and job.ref not in reported]
    if not jobs:
        return []
    from omec.compile.benchmark import checks  # noqa: PLC0415 - few repositories have benchmarks
    from omec.compile.benchmark.inputs import repository_objects  # noqa: PLC0415
    from omec.compile.benchmark.jobs import neighbour_findings, target_findings  # noqa: PLC0415

    claims, existing = (
        repository_objects(others, kind, config.default_namespace) for kind in ("PersistentVolumeClaim", "Job")
    )
    findings: list[Finding] = []
    for job in jobs:
        own = checks.benchmark_findings(job)
        findings += own
        if not any(map(_is_error, own)):
            findings += target_findings(catalog, job, config.platform)
            findings += neighbour_findings(claims, existing, job, config.platform)
    return findings


def _quotas(catalog: Catalog, others: Sequence[Document], config: Config) -> RepositoryQuotas:
    from omec.compile.kueue.settings import settings_of  # noqa: PLC0415 - few repositories have quotas
    from omec.resolve.quota.repository import RepositoryQuotas  # noqa: PLC0415

    settings = settings_of(config)
    if config.nodes is None:
        return RepositoryQuotas.of(catalog, settings)
    from omec.compile.kueue.written import measured_flavors, written_objects  # noqa: PLC0415 - few list their nodes
    from omec.resolve.quota.inventory import inventory_marks  # noqa: PLC0415

    flavors = measured_flavors(written_objects(others))
    marks = inventory_marks(config.nodes, flavors, settings.accelerator_resources)
    return RepositoryQuotas.of(catalog, settings, marks=marks, measured={flavor.name for flavor in flavors})


def _is_error(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR
