"""All findings of a repository, as its configuration wants them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from omec.catalog import Catalog
from omec.compile.capabilities import Capabilities
from omec.compile.manifest_findings import manifest_findings
from omec.compile.quotas_and_benchmarks import benchmark_findings, quota_findings
from omec.compile.webhook_findings import webhook_findings
from omec.finding import Finding, Severity
from omec.lint.checks import rule_findings
from omec.lint.context import Context
from omec.lint.control import controlled
from omec.repo.config import Config
from omec.repo.document import Document
from omec.resolve.decide import Decider
from omec.resolve.inherit_findings import inherit_findings
from omec.resolve.selection_findings import selection_findings


def lint_findings(
    structure: Sequence[Finding],
    catalog: Catalog,
    others: Sequence[Document],
    decider: Decider,
    config: Config,
) -> tuple[Finding, ...]:
    """Everything that is wrong with the manifests, in the order of positions; ``structure`` are the findings so far."""
    faulty = {finding.object for finding in structure if finding.severity is Severity.ERROR}
    context = Context(catalog, decider, config, others, faulty)
    found: Iterable[Finding] = (
        *structure,
        *inherit_findings(catalog, decider.chains),
        *manifest_findings(catalog, decider.chains, faulty),
        *quota_findings(catalog, others, config, faulty),
        *benchmark_findings(catalog, faulty),
        *webhook_findings(catalog, Capabilities.of(config.capabilities), faulty),
        *selection_findings(decider, allow_unpinned=config.allow_unpinned),
        *rule_findings(context, config.lint),
    )
    return tuple(sorted(controlled(found, config.lint), key=lambda finding: finding.sort_key))
