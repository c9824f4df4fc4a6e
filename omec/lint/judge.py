"""Everything that omec has to say about a repository: what each layer below finds, and the rules of lint alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from omec.catalog import Catalog
from omec.compile.cluster import cluster_of
from omec.compile.manifest_findings import manifest_findings
from omec.compile.native.surroundings import Surroundings
from omec.compile.operator_source import operator_settings
from omec.compile.quotas_and_benchmarks import benchmark_findings, quota_findings
from omec.compile.replica_findings import replica_findings
from omec.compile.webhook_findings import webhook_findings
from omec.finding import Finding, ObjectRef, Severity
from omec.lint.checks import rule_findings
from omec.lint.context import Context
from omec.lint.control import Control
from omec.lint.guard import Check, guarded
from omec.lint.renderings import ABOUT_OUTPUT, render_services
from omec.repo.config import Config
from omec.repo.document import Document
from omec.resolve.decide import Decider
from omec.resolve.inherit_findings import inherit_findings
from omec.resolve.selection_findings import selection_findings
from omec.resolve.unknown_findings import grouped

if TYPE_CHECKING:
    from omec.repo.secrets import Found


def every_finding(
    structure: Sequence[Finding],
    catalog: Catalog,
    others: Sequence[Document],
    decider: Decider,
    config: Config,
    control: Control,
    secrets: Callable[[], Found],
) -> list[Finding]:
    """All findings, in no order; of the rules of lint alone those that ``control`` enables.

    ``structure`` are the findings so far about the manifests, whose ``secrets`` are asked for if needed.
    A check that fails is a finding of its own.
    """
    structure = [finding for finding in structure if finding.rule.code not in ABOUT_OUTPUT]
    operator = operator_settings(others, config)
    faulty = _with_errors(structure)
    context = Context(catalog, decider, config, others, faulty, cluster=cluster_of(config, operator), secrets=secrets)
    found = [*structure, *operator.findings]
    for name, check in _checks(context):
        found += guarded(name, check)
    # Nobody can say what the services would become while the operator's settings are not known.
    if not operator.findings:
        found += guarded("rendering", lambda: _rendering_findings(context, found))
    return [*grouped(found), *rule_findings(context, control)]


def _checks(context: Context) -> Iterator[tuple[str, Check]]:
    """What the layers below have to say about objects and what becomes of them."""
    catalog, chains, config, faulty = context.catalog, context.chains, context.config, context.faulty
    capabilities = context.cluster.environment.capabilities
    yield "inheritance", lambda: inherit_findings(catalog, chains)
    yield "manifests", lambda: manifest_findings(catalog, chains, faulty)
    yield "quotas", lambda: quota_findings(catalog, context.others, config, faulty)
    yield "benchmarks", lambda: benchmark_findings(catalog, context.others, config, faulty)
    yield "webhooks", lambda: webhook_findings(catalog, capabilities, faulty)
    yield "replicas", lambda: replica_findings(Surroundings(catalog, chains), config, faulty)
    yield "selection", lambda: selection_findings(context.decider, allow_unpinned=config.allow_unpinned)


def _rendering_findings(context: Context, known: Sequence[Finding]) -> Iterator[Finding]:
    """What rendering the services says, but for what is ``known``, and each only once: services share runtimes."""
    surroundings = Surroundings(context.catalog, context.chains)
    failed = _with_errors(known)
    seen = {(finding.rule.code, finding.position, finding.field) for finding in known}
    for rendering in render_services(context.decider.services(), context.cluster, surroundings, failed):
        context.renderings.append(rendering)
        for finding in rendering.findings():
            if (place := (finding.rule.code, finding.position, finding.field)) not in seen:
                seen.add(place)
                yield finding


def _with_errors(findings: Iterable[Finding]) -> set[ObjectRef | None]:
    """The objects that have an error."""
    return {finding.object for finding in findings if finding.severity is Severity.ERROR}
