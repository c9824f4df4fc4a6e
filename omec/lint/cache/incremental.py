"""Linting a repository of which a few files have changed since a run that is on record.

The objects of the changed files are judged with everything that has to do with them, twice: as they were and as they
are. What the first of these runs says must be what the record says, which shows that it sees all that it needs; what
the second says takes its place. About all other files, the record is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from omec.api.kinds import RUNTIME_KINDS
from omec.catalog import Resource
from omec.catalog.build import duplicates, missing
from omec.finding import Finding
from omec.lint.cache.edit import NotLocalError, View, edits
from omec.lint.cache.joins import COUNTING, JOINS, reads_runtimes, stands_alone
from omec.lint.cache.mentions import Texts
from omec.lint.cache.moved import Moves, moved
from omec.lint.cache.reach import Reach
from omec.lint.cache.record import COMMON_KINDS, Record
from omec.lint.cache.recorded import RecordedCandidates, RecordedCatalog, recorded_objects
from omec.lint.cache.snapshot import Content
from omec.lint.cache.uses import used_by, uses_of
from omec.lint.control import Control
from omec.lint.control_rules import RULE_FAILED
from omec.lint.judge import Elsewhere, Judgement, judge
from omec.lint.structure import identified, structure_findings
from omec.repo.config import Config
from omec.repo.document import Document
from omec.repo.read import Reading
from omec.repo.walk import SourceFile
from omec.resolve.decide import Decider
from omec.resolve.inherit import ChainResolver

MOST_ROUNDS = 3
"""How often it is tried with more objects where an edit is noticed by others than those that name what has changed."""


class Relint:
    """The run on ``record`` once more, over ``files`` as they are; ``texts`` are the contents that they had.

    Everything raises :class:`NotLocalError` where the record does not help.
    """

    def __init__(
        self,
        record: Record,
        texts: bytes,
        files: Sequence[tuple[SourceFile, Content]],
        config: Config,
        control: Control,
    ) -> None:
        self._record = record
        self._known = [*record.findings]
        self._config = config
        self._control = control
        self._files = {file.path: (file, content) for file, content in files}
        self._views: dict[str, View] = {}
        self._choice: tuple[tuple[Resource, ...], RecordedCandidates] | None = None
        self._edits = edits(record, texts, files, config.default_namespace)
        self.suppressing = sorted({*self._edits, *(file.path for file in record.files if file.suppresses)})
        self._catalog, self._others = recorded_objects(record.files, lambda path: self.reading(path).documents)

    def reading(self, path: str) -> Reading:
        """The file as it is."""
        return self._view(path).reading

    def _view(self, path: str) -> View:
        if path in self._edits:
            return self._edits[path].after
        if path not in self._views:
            self._views[path] = View.of(*self._files[path], self._config.default_namespace)
        return self._views[path]

    def findings(self) -> list[Finding]:
        """All findings, before settings apply and those of several services are joined."""
        self._require_no_reader_of_runtimes()
        contents = [(path, content) for path, (_, content) in self._files.items() if isinstance(content, bytes)]
        reach = Reach(self._record, Texts(contents))
        affected, before, after = self._both(reach)
        if _counted(self._known, affected) != _counted(before.raw, affected):
            raise NotLocalError("the record does not say what is said of the files as they were")
        new = [finding for finding in after.raw if _is_new(finding, affected)]
        return [*self._moved(affected), *new]

    def _require_no_reader_of_runtimes(self) -> None:
        edited = (resource for edit in self._edits.values() for resource in edit.after.placed.resources)
        classes = self._catalog.of_kind("AcceleratorClass")
        if any(resource.kind in RUNTIME_KINDS for resource in edited) and any(map(reads_runtimes, classes)):
            raise NotLocalError("accelerator classes are compared with what runtimes ask for")

    def _documents_of(self, path: str) -> list[Document]:
        edit = self._edits.get(path)
        earlier = () if edit is None else edit.before.reading.documents
        return [*earlier, *self.reading(path).documents]

    def _judged(self, files: Sequence[View], affected: set[str]) -> Judgement:
        """What is said of ``files`` with the rest of the repository around them."""
        documents = [
            document
            for file in files
            for document in file.reading.documents
            if document.path in affected or str(document.value.get("kind")) in COMMON_KINDS
        ]
        own = {id(document) for document in documents}
        config, namespace = self._config, self._config.default_namespace
        resources = [each for file in files for each in file.placed.resources if id(each.document) in own]
        catalog = self._catalog.with_own(resources)
        refs = {id(resource.document): resource.ref for resource in resources}
        structure = [
            *(identified(finding, namespace) for file in files for finding in file.reading.findings),
            *(finding for file in files for finding in missing(file.placed)),
            *duplicates(catalog),
            *structure_findings(documents, lambda document: refs.get(id(document)), config.ome_version),
        ]
        read = {(document.path, document.index): document for file in files for document in file.placed.others}
        others = [read.get((document.path, document.index), document) for document in self._others]
        chains = ChainResolver.of(catalog, config)
        decider = Decider(catalog, chains, config.ome_version, self._candidates(catalog))
        known = frozenset(refs.values())
        elsewhere = Elsewhere(frozenset(self._record.faulty) - known, frozenset(self._record.failed) - known)
        secrets = [secret for file in files for secret in file.secrets]
        return judge(structure, catalog, others, decider, config, self._control, lambda: tuple(secrets), elsewhere)

    def _candidates(self, catalog: RecordedCatalog) -> RecordedCandidates:
        """The candidates in ``catalog``; the same for every catalog with the same runtimes."""
        runtimes = tuple(runtime for kind in RUNTIME_KINDS for runtime in catalog.of_kind(kind) if not runtime.context)
        if self._choice is None or self._choice[0] != runtimes:
            self._choice = runtimes, RecordedCandidates(catalog)
        return self._choice[1]

    def _both(self, reach: Reach) -> tuple[set[str], Judgement, Judgement]:
        """The files that the edits affect, and what is said of these as they were and as they are."""
        noticing = {*self._edits}
        for _ in range(MOST_ROUNDS):
            affected = reach.affected(noticing)
            needed = reach.needed(affected, self._documents_of)
            unchanged = [self._view(path) for path in sorted(needed - self._edits.keys())]
            before = self._judged([*unchanged, *(edit.before for edit in self._edits.values())], affected)
            after = self._judged([*unchanged, *(edit.after for edit in self._edits.values())], affected)
            more = self._noticing(before, after, reach) - affected
            if not more:
                return affected, before, after
            noticing |= more
        raise NotLocalError("the edit is noticed elsewhere")

    def _noticing(self, before: Judgement, after: Judgement, reach: Reach) -> set[str]:
        """The files of objects that the services use otherwise, and those of which something else is said."""
        for judgement in (before, after):
            if any(finding.rule is RULE_FAILED for finding in _all(judgement)):
                raise NotLocalError("a check failed")
            if any(resource.context for resource in used_by(judgement.context)):
                raise NotLocalError("a service uses an object that it does not name")
        faulty = before.context.faulty ^ after.context.faulty
        views = (view for edit in self._edits.values() for view in (edit.before, edit.after))
        for resource in (each for view in views for each in view.placed.resources):
            if resource.ref in faulty and not stands_alone(resource, reach.places):
                raise NotLocalError("an object that is compared with others has an error, or has it no more")
        if faulty and any(finding.rule.code == COUNTING for finding in (*self._known, *_all(before), *_all(after))):
            raise NotLocalError("a service counts that did not, or counts no more")
        used = uses_of(before.context) ^ uses_of(after.context)
        said, says = (Counter(_all(judgement)) for judgement in (before, after))
        other = {finding.position.path for finding in (*(said - says), *(says - said))}
        return {*other, *(path for use in used for path in reach.places(use.name))}

    def _moved(self, affected: set[str]) -> list[Finding]:
        """What the record says that is still so, with places in changed files where they are now."""
        moves = {
            path: Moves(edit.before.reading.documents, edit.after.reading.documents)
            for path, edit in self._edits.items()
        }
        found = []
        for finding in self._known:
            if finding.position.path in affected and finding.rule.code not in JOINS:
                continue
            if any(path in text for path in moves for text in (finding.message, finding.help)):
                raise NotLocalError("a finding tells a place in its text")
            now = moved(finding, moves)
            if now is None:
                raise NotLocalError("a place is no more")
            found.append(now)
        return found


def _all(judgement: Judgement) -> Iterable[Finding]:
    return (*judgement.known, *judgement.rendered, *judgement.ruled)


def _is_new(finding: Finding, affected: set[str]) -> bool:
    return finding.position.path in affected and finding.rule.code not in JOINS


def _counted(findings: Iterable[Finding], affected: set[str]) -> Mapping[Finding, int]:
    return Counter(finding for finding in findings if _is_new(finding, affected))
