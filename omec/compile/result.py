"""All InferenceServices of a repository compiled, and the objects that stand beside them in the output."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from omec.catalog import Catalog, Resource
from omec.compile.certainty import Certainty, Everything, sources_with_errors
from omec.compile.cluster import Cluster, cluster_of
from omec.compile.copied import Copied, copied_resources
from omec.compile.inputs import Object
from omec.compile.layout import OutputObject, clashes, folder_of, lay_out, output_order
from omec.compile.manifest_findings import manifest_findings
from omec.compile.native.surroundings import Surroundings
from omec.compile.operator_source import OperatorSettings, operator_settings
from omec.compile.output import OutputPlan
from omec.compile.output_part import OutputPart
from omec.compile.outputs import each_once, referenced_outputs, service_outputs, shared_outputs, shared_owners
from omec.compile.quotas_and_benchmarks import NOTHING, Compiled, compile_benchmarks, compile_quotas, quota_findings
from omec.compile.replica_findings import replica_findings
from omec.compile.repository import CompiledService, ServiceCompiler
from omec.compile.validate import Validator
from omec.compile.webhook_findings import webhook_findings
from omec.finding import Finding, ObjectRef, Severity
from omec.repo.config import Config
from omec.repo.document import Document
from omec.repo.lost import Lost
from omec.repo.note import Note
from omec.resolve.decide import Decider, Decision
from omec.resolve.inherit_findings import inherit_findings
from omec.resolve.selection_findings import service_findings
from omec.resolve.unknown_findings import grouped


class Compilation(msgspec.Struct, frozen=True):
    """The outcome: every service with its objects, the copied objects, and all findings.

    ``outputs`` holds what may be written: the objects of the services without an error, and the copies. ``notes`` say
    which files were skipped.
    ``kept_folders`` and ``kept_sources`` are the output folders and the manifests whose earlier output must stay,
    because an error hides what would be written now. ``kustomization`` asks for a file that lists the objects;
    ``provenance`` are the indexes of where their fields come from, by output folder.
    """

    services: tuple[CompiledService, ...]
    outputs: tuple[OutputObject, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    kept_folders: frozenset[str] = frozenset()
    kept_sources: Container[str] = frozenset()
    only: Resource | None = None
    kustomization: bool = False
    provenance: Mapping[str, bytes] = msgspec.field(default_factory=dict)

    @property
    def parts(self) -> tuple[tuple[str, Compilation], ...]:
        """This compilation as the only one, without the name of an environment."""
        return (("", self),)

    @property
    def failed(self) -> bool:
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def objects(self) -> tuple[Object, ...]:
        """The objects in output order."""
        return tuple(item.body for item in output_order(self.outputs))

    def to_dict(self) -> dict[str, Any]:
        return {"objects": list(self.objects), "findings": [finding.to_dict() for finding in self.findings]}

    def output_part(self, name: str = "") -> OutputPart:
        """What is to be below the folder ``name`` of the output.

        The folders of services without objects of their own stay as they are, and so does every file whose manifest
        could not be read.
        """
        return OutputPart(
            lay_out(self.outputs, lambda resource: resource.document.source),
            name,
            keep=self.kept_folders,
            only=None if self.only is None else {folder_of(self.only)},
            kept_sources=self.kept_sources,
            kustomization=self.kustomization,
            provenance=self.provenance,
        )

    def output_plan(self, out: Path) -> OutputPlan:
        """What writing to the folder ``out`` would change."""
        return OutputPlan.of_parts(out, [self.output_part()], prune=self.only is None)


class Evidence(msgspec.Struct, frozen=True):
    """What is known of a repository beside its objects.

    ``structure`` are the findings about its manifests so far, ``hidden`` those about manifests of other catalogs, which
    are not reported; ``lost`` is what could not be read. ``sources`` gives the path of each file from the
    configuration's folder by the path that findings show; ``others`` are the documents that are no ome.io objects.
    """

    structure: Sequence[Finding] = ()
    hidden: Sequence[Finding] = ()
    lost: Sequence[Lost] = ()
    sources: Mapping[str, str] = msgspec.field(default_factory=dict)
    others: Sequence[Document] = ()
    notes: Sequence[Note] = ()


def compile_repository(
    decider: Decider,
    config: Config,
    evidence: Evidence,
    *,
    only: Resource | None = None,
    progress: Callable[[str], None],
) -> Compilation:
    """Decide and render every service of the catalog (``only`` one of them); ``progress`` is told what is done."""
    catalog, others = decider.catalog, evidence.others
    operator = operator_settings(others, config)
    surroundings, validator = Surroundings(catalog, decider.chains), Validator(config.kubernetes_version)
    cluster = cluster_of(config, operator)
    findings = [*evidence.structure, *inherit_findings(catalog, decider.chains), *operator.findings]
    findings += _findings(surroundings, cluster, config, others, _faulty(findings))
    findings += replica_findings(surroundings, config, _faulty(findings))
    certainty = Certainty(filter(_is_error, [*findings, *evidence.hidden]), evidence.lost)
    compiler = ServiceCompiler(
        cluster, validator, certainty, surroundings, documents=others, schema_path=config.schema_path
    )
    services = []
    chosen = [only] if only is not None else _own(catalog, "InferenceService")
    for number, service in enumerate(chosen, start=1):
        progress(f"rendering {number}/{len(chosen)} {service.namespace}/{service.name}")
        decision = decider.service(service)
        services.append(compiler.compile(decision, _doubts(decision, decider, config, operator, certainty)))
    outputs = list(service_outputs(services))
    beside = NOTHING
    if only is None:
        beside = _beside(surroundings, others, config, services, findings, validator, certainty)
        outputs = each_once([*outputs, *beside.outputs])
    elif not services[0].broken:
        # Its copy stands in the folder that is written; what it shares with others it needs as well.
        outputs += (copy for copy in _copied(catalog, others, config).objects if copy.owner.ref == only.ref)
        outputs += shared_outputs(services, catalog)
    findings += (*beside.findings, *_shared_leaders(outputs), *compiler.unchecked(services))
    collisions = clashes(outputs)
    clashing = {finding.object for finding in collisions}
    found = _found([*findings, *collisions], services, only)
    return Compilation(
        services=tuple(services),
        outputs=tuple(item for item in outputs if item.owner.ref not in clashing),
        findings=tuple(sorted(grouped(found), key=lambda finding: finding.sort_key)),
        notes=tuple(map(str, evidence.notes)),
        kept_folders=frozenset(map(folder_of, _hidden(catalog, services, clashing))),
        kept_sources=_kept_sources(found, evidence, beside.kept) if certainty.is_complete else Everything(),
        only=only,
        kustomization=config.emit == "kustomization",
    )


def _doubts(
    decision: Decision, decider: Decider, config: Config, operator: OperatorSettings, certainty: Certainty
) -> list[Finding]:
    """What is wrong with ``decision``, and whether the operator's settings leave it open."""
    problems = service_findings(decision, decider, allow_unpinned=config.allow_unpinned)
    doubt = certainty.settings_doubt(decision, operator.findings, found=operator.in_repository)
    return [*problems, *([doubt] if doubt else [])]


def _found(findings: Iterable[Finding], services: Sequence[CompiledService], only: Resource | None) -> set[Finding]:
    """``findings`` and those of ``services``; where ``only`` one is compiled, what is said of the objects it uses."""
    found = {*findings, *(finding for compiled in services for finding in compiled.findings)}
    if only is None:
        return found
    involved = services[0].involved
    return {finding for finding in found if finding.object is None or finding.object in involved}


def _findings(
    surroundings: Surroundings,
    cluster: Cluster,
    config: Config,
    others: Sequence[Document],
    reported: Collection[ObjectRef | None],
) -> Iterator[Finding]:
    """What is wrong with manifests by themselves; the ``reported`` ones have an error already."""
    catalog = surroundings.catalog
    yield from manifest_findings(catalog, surroundings.chains, reported)
    yield from webhook_findings(catalog, cluster.environment.capabilities, reported)
    yield from quota_findings(catalog, others, config, reported)


def _beside(
    surroundings: Surroundings,
    others: Sequence[Document],
    config: Config,
    services: Sequence[CompiledService],
    findings: Iterable[Finding],
    validator: Validator,
    certainty: Certainty,
) -> Compiled:
    """What stands in the output beside the objects of services."""
    catalog = surroundings.catalog
    replicas = [*_own(catalog, "InferenceReplica"), *_ambiguous(catalog, "InferenceReplica")]
    # Copies that nobody asked for: what replicas refer to.
    needed = referenced_outputs(replicas if config.platform == "ome" else (), surroundings)
    copies = _copied(catalog, others, config)
    quotas = compile_quotas(catalog, others, config, findings)
    jobs = compile_benchmarks(catalog, others, config, services, validator, certainty.broken)
    copied = (item for item in (*copies.objects, *needed) if item.owner.ref not in certainty.broken)
    failed = [compiled.service for compiled in services if compiled.failed]
    hidden = (*failed, *_ambiguous(catalog, "InferenceService"))
    policies = (policy for service in hidden for policy in shared_owners(service, catalog))
    return Compiled(
        (*quotas.outputs, *jobs.outputs, *shared_outputs(services, catalog), *copied),
        (*copies.findings, *quotas.findings, *jobs.findings),
        (*quotas.kept, *jobs.kept, *policies),
    )


def _copied(catalog: Catalog, others: Sequence[Document], config: Config) -> Copied:
    return copied_resources(
        catalog,
        others,
        platform=config.platform,
        include=config.include,
        default_namespace=config.default_namespace,
    )


def _kept_sources(found: Iterable[Finding], evidence: Evidence, kept: Iterable[Resource]) -> set[str]:
    """The manifests whose earlier output must stay."""
    return {*sources_with_errors(found, evidence.sources), *(resource.document.source for resource in kept)}


def _shared_leaders(outputs: Sequence[OutputObject]) -> list[Finding]:
    if all(output.body["kind"] != "LeaderWorkerSet" for output in outputs):
        return []
    from omec.compile.native.shared_leaders import shared_leaders  # noqa: PLC0415 - few services have sets

    return shared_leaders(outputs)


def _faulty(findings: Iterable[Finding]) -> set[ObjectRef | None]:
    """The objects that have an error."""
    return {finding.object for finding in findings if _is_error(finding)}


def _own(catalog: Catalog, kind: str) -> list[Resource]:
    """The objects of ``kind`` that are the repository's, not of another catalog."""
    return [resource for resource in catalog.of_kind(kind) if not resource.context]


def _hidden(
    catalog: Catalog, services: Iterable[CompiledService], clashing: Collection[ObjectRef | None]
) -> Iterator[Resource]:
    """The services whose objects are not known now: refused, in conflict with another, or defined more than once."""
    for compiled in services:
        if compiled.failed or compiled.service.ref in clashing:
            yield compiled.service
    yield from _ambiguous(catalog, "InferenceService")


def _ambiguous(catalog: Catalog, kind: str) -> list[Resource]:
    """The definitions of ``kind`` of which none counts, because there are several of one identity."""
    return [copy for copies in catalog.ambiguous.values() for copy in copies if copy.kind == kind]


def _is_error(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR
