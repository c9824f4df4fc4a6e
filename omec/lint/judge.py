"""Everything that omec has to say about a repository: what each layer below finds, and the rules of lint alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from omec.catalog import Catalog
from omec.compile.cluster import cluster_of
from omec.compile.manifest_findings import manifest_findings
from omec.compile.native.surroundings import Surroundings
from omec.compile.operator_source import operator_settings
from omec.compile.quotas_and_benchmarks import benchmark_findings, quota_findings
from omec.compile.replica_findings import replica_findings
from omec.compile.webhook_findings import webhook_findings
from omec.finding import Finding, ObjectRef, Position, Severity
from omec.lint.checks import rule_findings
from omec.lint.context import Context
from omec.lint.control import Control
from omec.lint.control_rules import RULE_FAILED
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


class Elsewhere(NamedTuple):
    """What is known of objects that nothing is to be said about: which have an error by themselves (``faulty``), and
    which have any before services are rendered (``failed``).
    """

    faulty: frozenset[ObjectRef] = frozenset()
    failed: frozenset[ObjectRef] = frozenset()


NOTHING_ELSEWHERE = Elsewhere()


class Judgement(NamedTuple):
    """What is found by whom: ``known`` before services are rendered, ``rendered`` by that, ``ruled`` by rules of lint.

    The latter two may find one place again and again: for each service that uses a runtime, each child of a parent.
    """

    known: list[Finding]
    rendered: list[Finding]
    ruled: list[Finding]
    context: Context

    @property
    def raw(self) -> list[Finding]:
        """All findings, each place once a rule, in no order; those about open facts one by one."""
        rendered = once(self.rendered, set(map(_place, self.known)))
        return [*self.known, *rendered, *once(self.ruled, set())]

    @property
    def findings(self) -> list[Finding]:
        """All findings, each place once a rule, in no order."""
        return grouped(self.raw)


def judge(
    structure: Sequence[Finding],
    catalog: Catalog,
    others: Sequence[Document],
    decider: Decider,
    config: Config,
    control: Control,
    secrets: Callable[[], Found],
    elsewhere: Elsewhere = NOTHING_ELSEWHERE,
) -> Judgement:
    """What there is to say about a repository; of the rules of lint alone what those say that ``control`` enables.

    ``structure`` are the findings so far about the manifests, whose ``secrets`` are asked for if needed.
    A check that fails is a finding of its own.
    """
    structure = [finding for finding in structure if finding.rule.code not in ABOUT_OUTPUT]
    operator = operator_settings(others, config)
    faulty = with_errors(structure) | elsewhere.faulty
    context = Context(catalog, decider, config, others, faulty, cluster=cluster_of(config, operator), secrets=secrets)
    known = [*structure, *operator.findings]
    for name, check in _checks(context):
        known += guarded(name, check)
    rendered: list[Finding] = []
    # Nobody can say what the services would become while the operator's settings are not known.
    if not operator.findings:
        failed = with_errors(known) | elsewhere.failed
        rendered = guarded("rendering", lambda: _rendering_findings(context, failed))
    return Judgement(known, rendered, [*rule_findings(context, control)], context)


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


def _rendering_findings(context: Context, failed: Collection[ObjectRef | None]) -> Iterator[Finding]:
    """What rendering the services says, but for those that have ``failed``."""
    surroundings = Surroundings(context.catalog, context.chains)
    for rendering in render_services(context.decider.services(), context.cluster, surroundings, failed):
        context.renderings.append(rendering)
        yield from rendering.findings()


def with_errors(findings: Iterable[Finding]) -> set[ObjectRef | None]:
    """The objects that have an error."""
    return {finding.object for finding in findings if finding.severity is Severity.ERROR}


def once(findings: Iterable[Finding], seen: set[Place]) -> Iterator[Finding]:
    """The first finding of each rule at each place, but for what was ``seen`` already; ``seen`` grows."""
    for finding in findings:
        place = _place(finding)
        # Checks that fail have no place.
        if finding.rule is RULE_FAILED or place not in seen:
            seen.add(place)
            yield finding


Place = tuple[str, Position, str | None]


def _place(finding: Finding) -> Place:
    """Objects that no file holds have no lines, so the field counts as well."""
    return finding.rule.code, finding.position, finding.field
