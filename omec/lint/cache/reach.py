"""How far an edit reaches: the files whose objects may be judged otherwise for it, and those that this takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from omec.finding import ObjectRef
from omec.lint.cache.edit import NotLocalError
from omec.lint.cache.mentions import Texts, is_usual, words_of
from omec.lint.cache.record import COMMON_KINDS, Record
from omec.repo.document import Document

LARGEST_SHARE = 0.05
"""Of all files, how many an edit may reach: judging more of them twice takes as long as judging all once."""

FEW = 32
"""So many files always may be reached."""


class Reach:
    """Follows names, and choices that name nothing, from file to file; ``texts`` are all files as they are.

    Raises :class:`NotLocalError` where much of the repository is reached.
    """

    def __init__(self, record: Record, texts: Texts) -> None:
        self._texts = texts
        self._most = max(FEW, int(len(record.files) * LARGEST_SHARE))
        self._hiding = [file.path for file in record.files if file.hides]
        self._objects: dict[str, list[ObjectRef]] = {}
        self._places: dict[ObjectRef, set[str]] = {}
        self._by_name: dict[str, set[str]] = {}
        for file in record.files:
            refs = [document.ref for document in file.documents if document.ref is not None]
            self._objects[file.path] = refs
            for ref in refs:
                self._places.setdefault(ref, set()).add(file.path)
                if ref.kind in COMMON_KINDS:
                    self._by_name.setdefault(ref.name, set()).add(file.path)
        self._services: dict[ObjectRef, list[ObjectRef]] = {}
        self._runtimes: dict[ObjectRef, list[ObjectRef]] = {}
        for service, runtime in record.automatic:
            self._services.setdefault(runtime, []).append(service)
            self._runtimes.setdefault(service, []).append(runtime)

    def places(self, name: str) -> set[str]:
        """The files that define runtimes, models and services of that name."""
        return self._by_name.get(name, set())

    def affected(self, changed: Iterable[str]) -> set[str]:
        """``changed``, and the files that name their objects, or that choose them; and so on."""
        return self._closed({*changed, *self._hiding}, self._users)

    def needed(self, affected: Iterable[str], documents_of: Callable[[str], Sequence[Document]]) -> set[str]:
        """``affected``, and the files whose objects these name or choose; and so on."""
        return self._closed({*affected}, lambda path: self._used(path, documents_of(path)))

    def _closed(self, start: set[str], neighbours: Callable[[str], Iterator[str]]) -> set[str]:
        found, pending = set(start), sorted(start)
        while pending:
            if len(found) > self._most:
                raise NotLocalError("the edit reaches much of the repository")
            new = {*neighbours(pending.pop())} - found
            found |= new
            pending += sorted(new)
        return found

    def _users(self, path: str) -> Iterator[str]:
        for ref in self._objects[path]:
            if not is_usual(ref.name):
                raise NotLocalError("a name may be written in many ways")
            yield from self._texts.naming(ref.name)
            for service in self._services.get(ref, ()):
                yield from self._places[service]

    def _used(self, path: str, documents: Sequence[Document]) -> Iterator[str]:
        for document in documents:
            for word in words_of(document.value):
                yield from self._by_name.get(word, ())
        for ref in self._objects[path]:
            for runtime in self._runtimes.get(ref, ()):
                yield from self._places[runtime]
