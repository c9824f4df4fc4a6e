"""All InferenceServices of a repository compiled, and the objects that stand beside them in the output."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omec.catalog import Catalog, Resource
from omec.compile.copied import copied_resources
from omec.compile.inputs import Object
from omec.compile.layout import OutputObject, clashes, folder_of, lay_out, output_order
from omec.compile.operator_source import operator_config
from omec.compile.output import OutputPlan
from omec.compile.repository import CompiledService, ServiceCompiler
from omec.compile.validate import Validator
from omec.finding import Finding, ObjectRef, Severity
from omec.repo.config import Config
from omec.repo.document import Document
from omec.resolve.decide import Decider
from omec.resolve.inherit_findings import inherit_findings
from omec.resolve.selection_findings import service_findings
from omec.resolve.unknown_findings import grouped


@dataclass(frozen=True, slots=True)
class Compilation:
    """The outcome: every service with its objects, the copied objects, and all findings.

    ``outputs`` holds what may be written: the objects of the services without an error, and the copies.
    ``kept_folders`` and ``kept_sources`` are the output folders and the manifests whose earlier output must stay,
    because an error hides what would be written now.
    """

    services: tuple[CompiledService, ...]
    outputs: tuple[OutputObject, ...]
    findings: tuple[Finding, ...]
    kept_folders: frozenset[str] = frozenset()
    kept_sources: Container[str] = frozenset()
    only: Resource | None = None

    @property
    def failed(self) -> bool:
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def objects(self) -> tuple[Object, ...]:
        """The objects in output order."""
        return tuple(item.body for item in output_order(self.outputs))

    def to_dict(self) -> dict[str, Any]:
        return {"objects": list(self.objects), "findings": [finding.to_dict() for finding in self.findings]}

    def output_plan(self, out: Path) -> OutputPlan:
        """What writing to the folder ``out`` would change.

        The folders of services without objects of their own stay as they are, and so does every file whose manifest
        could not be read.
        """
        return OutputPlan.build(
            out,
            lay_out(self.outputs, lambda resource: resource.document.source),
            keep=self.kept_folders,
            only=None if self.only is None else {folder_of(self.only)},
            kept_sources=self.kept_sources,
        )


def compile_repository(
    structure: Sequence[Finding],
    catalog: Catalog,
    others: Sequence[Document],
    sources: Mapping[str, str],
    decider: Decider,
    config: Config,
    *,
    only: Resource | None = None,
    progress: Callable[[str], None],
) -> Compilation:
    """Decide and render every service of the catalog (``only`` one of them); ``structure`` are the findings so far.

    ``sources`` gives the path of each file from the configuration's folder by the path that findings show; ``progress``
    is told what is being done.
    """
    operator, operator_findings = operator_config(others, config)
    findings = [*structure, *inherit_findings(catalog, decider.chains), *operator_findings]
    broken = {finding.object: finding for finding in findings if _is_error(finding) and finding.object}
    compiler = ServiceCompiler(
        catalog, operator, Validator(config.kubernetes_version), broken, metadata=config.metadata
    )
    services = []
    for number, service in enumerate(chosen := _chosen(catalog, only), start=1):
        progress(f"rendering {number}/{len(chosen)} {service.namespace}/{service.name}")
        decision = decider.service(service)
        problems = service_findings(decision, decider, allow_unpinned=config.allow_unpinned)
        services.append(compiler.compile(decision, problems))
    copied = copied_resources(
        catalog if only is None else (),
        others if only is None else (),
        platform=config.platform,
        include=config.include,
        default_namespace=config.default_namespace,
    )
    outputs = [*_rendered(services), *(item for item in copied.objects if item.owner.ref not in broken)]
    collisions = clashes(outputs)
    clashing = {finding.object for finding in collisions}
    found = {*findings, *(f for compiled in services for f in compiled.findings), *copied.findings, *collisions}
    if only is not None:
        involved = services[0].involved
        found = {finding for finding in found if finding.object is None or finding.object in involved}
    return Compilation(
        services=tuple(services),
        outputs=tuple(item for item in outputs if item.owner.ref not in clashing),
        findings=tuple(sorted(grouped(found), key=lambda finding: finding.sort_key)),
        kept_folders=frozenset(map(folder_of, _hidden(catalog, services, clashing))),
        kept_sources=_sources_with_errors(structure, found, sources),
        only=only,
    )


def _chosen(catalog: Catalog, only: Resource | None) -> list[Resource]:
    if only is not None:
        return [only]
    return [service for service in catalog.of_kind("InferenceService") if not service.context]


def _hidden(
    catalog: Catalog, services: Iterable[CompiledService], clashing: Collection[ObjectRef | None]
) -> Iterator[Resource]:
    """The services whose objects are not known now: refused, in conflict with another, or defined more than once."""
    for compiled in services:
        if compiled.failed or compiled.service.ref in clashing:
            yield compiled.service
    for copies in catalog.ambiguous.values():
        yield from (copy for copy in copies if copy.kind == "InferenceService")


def _rendered(services: Sequence[CompiledService]) -> list[OutputObject]:
    return [
        OutputObject(
            body,
            compiled.service,
            compiled.decision.selected.ref if compiled.decision.selected else None,
            compiled.chain,
        )
        for compiled in services
        for body in compiled.objects
    ]


def _is_error(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR


def _sources_with_errors(
    structure: Iterable[Finding], findings: Iterable[Finding], sources: Mapping[str, str]
) -> Container[str]:
    """The manifests that an error is in; all of them where a folder could not be read, because it may hold any."""
    if any(
        _is_error(finding) and finding.object is None and finding.position.path not in sources for finding in structure
    ):
        return _Everything()
    return {
        sources[finding.position.path]
        for finding in findings
        if _is_error(finding) and finding.position.path in sources
    }


class _Everything(Container[str]):
    """The set of all texts."""

    def __contains__(self, _: object) -> bool:
        return True
