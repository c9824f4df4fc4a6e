"""What lint rules look at: the repository, its inheritance chains and its decisions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from omec.api.kinds import MODEL_KINDS, RUNTIME_KINDS
from omec.catalog import Catalog, Resource
from omec.compile.cluster import Cluster
from omec.finding import FieldPath, ObjectRef, Related
from omec.lint.renderings import Rendering
from omec.repo.config import Config
from omec.repo.document import Document
from omec.resolve.decide import Decider


class Context:
    """A repository as rules see it: only objects that omec reports about, and none that is faulty by itself.

    A rule looks an object up in ``catalog``, which has those of other catalogs too. ``others`` are the documents that
    are no ome.io objects, ``faulty`` the objects that have an error by themselves, ``renderings`` the services as
    ``cluster`` would run them. What several rules need is worked out here, once, when the first of them asks.
    """

    def __init__(
        self,
        catalog: Catalog,
        decider: Decider,
        config: Config,
        others: Sequence[Document] = (),
        faulty: Collection[ObjectRef | None] = (),
        *,
        cluster: Cluster | None = None,
    ) -> None:
        self.catalog = catalog
        self.decider = decider
        self.chains = decider.chains
        self.config = config
        self.others = others
        self.cluster = cluster or Cluster()
        self.renderings: list[Rendering] = []
        self.faulty = frozenset(faulty)

    def of_kind(self, *kinds: str) -> tuple[Resource, ...]:
        """The objects of these kinds, kind by kind, each by namespace and name."""
        found = (resource for kind in kinds for resource in self.catalog.of_kind(kind))
        return tuple(resource for resource in found if not resource.context and resource.ref not in self.faulty)

    @cached_property
    def runtimes(self) -> tuple[Resource, ...]:
        """Every ServingRuntime and ClusterServingRuntime."""
        return self.of_kind(*RUNTIME_KINDS)

    @cached_property
    def models(self) -> tuple[Resource, ...]:
        """Every BaseModel and ClusterBaseModel."""
        return self.of_kind(*MODEL_KINDS)

    @cached_property
    def services(self) -> tuple[Resource, ...]:
        """Every InferenceService."""
        return self.of_kind("InferenceService")


@dataclass(frozen=True, slots=True)
class Fault:
    """One place that breaks a rule: ``field`` of ``resource`` (its key with ``key``), and what is wrong there.

    ``message`` is one sentence without a period; ``help`` says how to fix this very case (default: the rule's fix).
    """

    resource: Resource
    field: FieldPath
    message: str
    help: str = ""
    related: tuple[Related, ...] = ()
    key: bool = False
