"""What decides about a repository's BenchmarkJobs beside their manifests."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from omec.catalog import Catalog, Resource
from omec.compile.benchmark.config import CHART_DEFAULTS, PodConfig
from omec.compile.benchmark.rendered_service import Object, served_service
from omec.compile.benchmark.target import ServedService
from omec.compile.validate import Validator
from omec.finding import ObjectRef
from omec.repo.document import Document

Identity = tuple[str, str]
"""Namespace and name."""


class BenchmarkInputs(msgspec.Struct, frozen=True):
    """``services`` are the objects of the compiled InferenceServices; one that failed is not among them.

    ``config`` is ``None`` where nothing gives one. ``claims`` and ``jobs`` are the PersistentVolumeClaims and the Jobs
    of the repository.
    """

    catalog: Catalog
    services: Mapping[ObjectRef, Sequence[Object]]
    validator: Validator
    config: PodConfig | None = None
    claims: Collection[Identity] = ()
    jobs: Mapping[Identity, Document] = msgspec.field(default_factory=dict)

    def served(self, service: Resource) -> ServedService:
        """What a compiled service says about itself."""
        return served_service(service.name, service.namespace or "", self.services.get(service.ref, ()))

    def config_for(self, job: Resource) -> PodConfig | None:
        """The configuration for ``job``: the chart's resources do for one that brings its own image."""
        own_image = (job.spec.get("podOverride") or {}).get("image")
        return CHART_DEFAULTS if self.config is None and own_image else self.config


def repository_objects(
    documents: Iterable[Document], kind: str, default_namespace: str | None = None
) -> dict[Identity, Document]:
    """The documents of a built-in, namespaced ``kind`` by identity."""
    found: dict[Identity, Document] = {}
    for document in documents:
        metadata = document.value.get("metadata")
        if document.value.get("kind") != kind or not isinstance(metadata, dict):
            continue
        name, namespace = metadata.get("name"), metadata.get("namespace") or default_namespace
        if isinstance(name, str) and isinstance(namespace, str):
            found[namespace, name] = document
    return found
