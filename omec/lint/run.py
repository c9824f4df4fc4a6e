"""All findings of a repository, as its configuration wants them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from omec.catalog import Catalog
from omec.finding import Finding
from omec.lint.control import controlled
from omec.repo.config import Config
from omec.resolve.decide import Decider
from omec.resolve.inherit import ChainResolver
from omec.resolve.inherit_findings import inherit_findings
from omec.resolve.selection_findings import selection_findings


def lint_findings(
    structure: Sequence[Finding], catalog: Catalog, chains: ChainResolver, decider: Decider, config: Config
) -> tuple[Finding, ...]:
    """Everything that is wrong with the manifests, in the order of positions; ``structure`` are the findings so far."""
    found: Iterable[Finding] = (
        *structure,
        *inherit_findings(catalog, chains),
        *selection_findings(decider, allow_unpinned=config.allow_unpinned),
    )
    return tuple(sorted(controlled(found, config.lint), key=lambda finding: finding.sort_key))
