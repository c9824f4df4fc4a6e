"""The quota tree of a repository: its AcceleratorQuotas, and the nodes that the cluster adds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

import msgspec

from omec.catalog import Catalog, Resource
from omec.resolve.quota.amount import Amount
from omec.resolve.quota.judgement import Judgement, judge
from omec.resolve.quota.limits import capacity_violations
from omec.resolve.quota.node import ROOT, Pair, QuotaNode, Role
from omec.resolve.quota.settings import CHART_SETTINGS, QuotaSettings
from omec.resolve.quota.violation import Violation

KIND = "AcceleratorQuota"


class RepositoryQuotas(msgspec.Struct, frozen=True, dict=True):
    """The tree of a repository and the manifests behind it, by node name.

    Some nodes have no manifest: ``root``, which the quota manager creates where nobody has, and those that the settings
    say are in the cluster. ``over_capacity`` stands apart from ``judgement``: a configured inventory of nodes may be
    older than the cluster, so it freezes nothing.
    """

    judgement: Judgement
    resources: Mapping[str, Resource]
    settings: QuotaSettings
    over_capacity: tuple[Violation, ...] = ()

    @classmethod
    def of(
        cls,
        catalog: Catalog,
        settings: QuotaSettings = CHART_SETTINGS,
        *,
        marks: Mapping[Pair, Amount] | None = None,
        measured: Collection[str] | None = None,
    ) -> RepositoryQuotas:
        """The tree of the catalog's AcceleratorQuotas, those of ``[[sources]]`` included; it may be empty.

        ``marks`` are the amounts that an inventory of nodes declares, where there is one; ``measured`` are the flavors
        that it tells about, all of them unless given.
        """
        found = [*catalog.of_kind(KIND)]
        found += [copy for ref, copies in catalog.ambiguous.items() if ref.kind == KIND for copy in copies]
        resources: dict[str, Resource] = {}
        for resource in found:
            resources.setdefault(resource.name, resource)
        nodes = [QuotaNode.of(resource.stored) for resource in found]
        if nodes:
            nodes += _assumed(set(resources), settings)
        judgement = judge(nodes, max_depth=settings.max_depth)
        over = () if marks is None else tuple(capacity_violations(judgement.tree, marks, measured))
        return cls(judgement, resources, settings, over)

    @cached_property
    def own(self) -> dict[str, Resource]:
        """The manifests of the repository itself, without those of ``[[sources]]``."""
        return {name: resource for name, resource in self.resources.items() if not resource.context}

    def node(self, name: str) -> QuotaNode:
        return self.judgement.tree.nodes[name]


def _assumed(names: set[str], settings: QuotaSettings) -> list[QuotaNode]:
    nodes = [QuotaNode(ROOT, Role.COHORT)] if ROOT not in names else []
    known = sorted(set(settings.known_quotas) - names - {ROOT})
    return [*nodes, *(QuotaNode(name, Role.COHORT, parent=ROOT) for name in known)]
