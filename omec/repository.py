"""A repository, and what the commands and the Python API ask it.

Everything is worked out when it is first asked for, and once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from omec.catalog import Catalog, Resource
from omec.catalog.build import Indexed, build_catalog
from omec.errors import OmecError
from omec.finding import Finding, ObjectRef
from omec.lint.result import LintResult
from omec.repo.config import Config
from omec.repo.document import Document
from omec.repo.objects import object_ref
from omec.repo.read import Reading

if TYPE_CHECKING:
    from omec.compile.provenance.answer import Answer
    from omec.compile.provenance.asker import Asker
    from omec.compile.result import Compilation
    from omec.lint.judge import Judgement
    from omec.repo.secrets import Found
    from omec.repo.settings_lint import LintConfig
    from omec.resolve.decide import Decider
    from omec.resolve.effective import Effective
    from omec.resolve.explain import Explanation
    from omec.resolve.inherit import ChainResolver
    from omec.resolve.known_facts import KnownFacts
    from omec.resolve.tree import Tree


class Repo:
    """A repository of ome.io manifests, as read once; :mod:`omec.session` opens one."""

    def __init__(
        self,
        reading: Reading,
        context: Sequence[Document],
        config: Config,
        source_roots: Sequence[Path] = (),
        known: KnownFacts | None = None,
    ) -> None:
        self.known = known
        self.reading = reading
        self._context = tuple(context)
        self.source_roots = tuple(source_roots)
        self.config = config
        self._indexed: Indexed = build_catalog(
            reading.documents, context=context, default_namespace=config.default_namespace
        )

    @cached_property
    def catalog(self) -> Catalog:
        """The objects; models with the facts that omec.lock or a directory knows, runtimes with what presets say."""
        from omec.resolve.preset import with_presets  # noqa: PLC0415

        return with_presets(self._indexed.catalog if self.known is None else self.known.fill(self._indexed.catalog))

    @cached_property
    def secrets(self) -> Found:
        """What stands in the manifests in plain text and should not be shown."""
        from omec.repo.secrets import secrets_of  # noqa: PLC0415

        return secrets_of(self.reading, self._suspects)

    @cached_property
    def _suspects(self) -> frozenset[str]:
        from omec.repo.secrets import suspects  # noqa: PLC0415

        return suspects(self.reading)

    def private_files(self) -> frozenset[str]:
        """The files whose contents nothing may keep, because of secrets or what may be one, be it in a comment."""
        from omec.repo.secrets import private_files  # noqa: PLC0415

        return private_files(self.reading, self._suspects, self.secrets) | self.files_with_secrets()

    def hidden(self) -> set[str]:
        """The values of the secrets, those of other catalogs included."""
        from omec.repo.secrets import values_of  # noqa: PLC0415

        return values_of(self.secrets, self._context)

    def files_with_secrets(self) -> set[str]:
        """The files that these stand in, those of other catalogs included."""
        from omec.repo.secrets import paths_of  # noqa: PLC0415

        return paths_of(self.secrets, self._context)

    @property
    def others(self) -> tuple[Document, ...]:
        """The documents that are no ome.io objects."""
        return self._indexed.others

    @cached_property
    def chains(self) -> ChainResolver:
        from omec.resolve.inherit import ChainResolver  # noqa: PLC0415

        return ChainResolver.of(self.catalog, self.config)

    @cached_property
    def decider(self) -> Decider:
        from omec.resolve.decide import Decider  # noqa: PLC0415

        return Decider(self.catalog, self.chains, self.config.ome_version)

    def explain(
        self, *, model: str | None = None, isvc: str | None = None, namespace: str | None = None
    ) -> Explanation:
        """Which runtimes serve a model (as seen from ``namespace``), or the InferenceService ``NS/NAME``, and why.

        Raises :class:`OmecError` when there is no such object, or neither or both are named.
        """
        from omec.resolve.explain import explain_model, explain_service  # noqa: PLC0415

        if (model is None) == (isvc is None):
            raise OmecError("exactly one of model and isvc is required", code="OME002")
        if isvc is not None:
            return explain_service(self.decider, self._service(isvc))
        assert model is not None
        if "://" in model:
            from omec.resolve.explain import explain  # noqa: PLC0415
            from omec.resolve.known_facts import model_at  # noqa: PLC0415

            return explain(self.decider, self.decider.model_resource(model_at(model), namespace or ""))
        from omec.resolve.named import namespace_of_model  # noqa: PLC0415

        place = namespace_of_model(self.catalog, model, namespace, self.config.default_namespace)
        return explain_model(self.decider, model, place)

    def explain_all(self) -> Iterator[Explanation]:
        """Every model (from its own namespace; a ClusterBaseModel from no namespace), then every InferenceService."""
        from omec.resolve.explain import explain_all  # noqa: PLC0415

        return explain_all(self.decider)

    def effective(
        self, *, runtime: str | None = None, isvc: str | None = None, namespace: str | None = None
    ) -> Effective:
        """A runtime merged with its parents: one by name, or the one that the InferenceService ``NS/NAME`` gets.

        Raises :class:`OmecError` when there is no such object.
        """
        from omec.resolve import effective as answers  # noqa: PLC0415

        if (runtime is None) == (isvc is None):
            raise OmecError("exactly one of runtime and isvc is required", code="OME002")
        if runtime is not None:
            return answers.effective(self.chains, answers.find_runtime(self.catalog, runtime, namespace))
        assert isvc is not None
        return answers.effective_of_service(self.chains, self.decider.service(self._service(isvc)))

    def tree(self, runtime: str, namespace: str | None = None) -> Tree:
        """What ``runtime`` inherits from, what inherits from it, and the InferenceServices that each serves."""
        from omec.resolve.effective import find_runtime  # noqa: PLC0415
        from omec.resolve.tree import tree  # noqa: PLC0415

        found = find_runtime(self.catalog, runtime, namespace)
        users: dict[ObjectRef, list[Resource]] = {}
        for decision in self.decider.services():
            used = decision.named.resource if decision.named else decision.selected
            if used is not None and decision.service is not None:
                users.setdefault(used.ref, []).append(decision.service)
        return tree(self.chains, found, lambda resource: users.get(resource.ref, []))

    def lint(
        self, settings: LintConfig | None = None, observe: Callable[[Judgement], None] = lambda _: None
    ) -> LintResult:
        """Everything that is wrong with the manifests, as ``settings`` (default: the configuration's) want it.

        ``observe`` is shown what was found before these apply.
        """
        from omec.lint.run import lint_findings  # noqa: PLC0415

        self.config.require_environment()
        findings = lint_findings(
            self._structure,
            self.catalog,
            self.others,
            self.decider,
            self.config if settings is None else replace(self.config, lint=settings),
            self.reading,
            lambda document: self._ref_of(document) or object_ref(document.value),
            lambda: self.secrets,
            observe,
        )
        read = self.reading
        return LintResult(findings, tuple(map(str, read.notes)), read.files, read.sources, read.texts)

    def compile(self, *, only: str | None = None, progress: Callable[[str], None] | None = None) -> Compilation:
        """Render the InferenceServices (``only`` the one called ``NS/NAME``); nothing is written.

        A service with an error has no objects; the findings say why. ``progress`` is told what is being done.
        """
        compilation = self._compiled(only=only, progress=progress)
        if not self.config.provenance:
            return compilation
        from omec.compile.provenance.asker import Asker  # noqa: PLC0415
        from omec.compile.provenance.index import provenance_indexes  # noqa: PLC0415

        asker = Asker(self.decider, self.config, self.others, compilation)
        return replace(compilation, provenance=provenance_indexes(asker, progress or (lambda _: None)))

    def _compiled(self, *, only: str | None = None, progress: Callable[[str], None] | None = None) -> Compilation:
        from omec.compile.result import Evidence, compile_repository  # noqa: PLC0415

        self.config.require_environment()
        evidence = Evidence(
            structure=self._structure,
            hidden=self._judged(self._context),
            lost=self.reading.lost,
            sources={**self.reading.sources, **self.reading.origins},
            others=self.others,
            notes=self.reading.notes,
        )
        return compile_repository(
            self.decider,
            self.config,
            evidence,
            only=None if only is None else self._service(only),
            progress=progress or (lambda _: None),
        )

    def why(self, object: str, field: str = "", *, namespace: str | None = None) -> Answer:  # noqa: A002 - its name
        """What set ``field`` of a rendered object, and what that overrode; of a mapping or list, every leaf below it.

        ``object`` is the file that :meth:`compile` wrote for it, or its name: ``KIND[.group]/NS/NAME``, ``KIND/NAME``,
        ``NS/NAME``. ``field`` is a path as Kubernetes writes it (``spec.ports[0].name``), as JSONPath, or ``""`` for
        all of the object. Raises :class:`OmecError` where there is no such object or field.
        """
        from omec.compile.provenance.why import why  # noqa: PLC0415

        return why(self.asker, object, field, namespace)

    @cached_property
    def asker(self) -> Asker:
        """Where the fields of rendered objects come from; see :meth:`why`."""
        from omec.compile.provenance.asker import Asker  # noqa: PLC0415

        return Asker(self.decider, self.config, self.others, self._compiled())

    @cached_property
    def _structure(self) -> tuple[Finding, ...]:
        """What is wrong with files, identities and the structure of objects."""
        from omec.lint.structure import identified  # noqa: PLC0415

        return (
            *(identified(finding, self.config.default_namespace) for finding in self.reading.findings),
            *self._indexed.findings,
            *self._judged(self.reading.documents),
        )

    def _judged(self, documents: Sequence[Document]) -> list[Finding]:
        """What is wrong with the structure of the objects in ``documents``."""
        from omec.lint.structure import structure_findings  # noqa: PLC0415

        return structure_findings(documents, self._ref_of, self.config.ome_version)

    def _ref_of(self, document: Document) -> ObjectRef | None:
        """The identity that the catalog knows the document under (with ``default-namespace`` filled in)."""
        resource = self._resources.get(id(document))
        return None if resource is None else resource.ref

    @cached_property
    def _resources(self) -> dict[int, Resource]:
        copies = (copy for same in self.catalog.ambiguous.values() for copy in same)
        return {id(resource.document): resource for resource in (*self.catalog, *copies)}

    def _service(self, name: str) -> Resource:
        from omec.resolve.named import named_service  # noqa: PLC0415

        return named_service(self.catalog, name)
