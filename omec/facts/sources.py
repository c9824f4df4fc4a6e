"""From a storage URI to facts, wherever the model lives."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path

import msgspec

from omec.api.storage_uri import (
    HuggingFaceUri,
    LocalUri,
    ModelPackUri,
    PvcUri,
    StorageUri,
    StorageUriError,
    VendorUri,
    parse_storage_uri,
)
from omec.facts.directory import Directory
from omec.facts.display import shown
from omec.facts.errors import FactsError
from omec.facts.facts import Facts
from omec.facts.fingerprint import Fingerprint
from omec.facts.locked import LockedModel
from omec.facts.models_root import find_directory
from omec.facts.reader import read_tree
from omec.facts.remote.hub import Hub
from omec.facts.remote.modelpack import Artifact
from omec.facts.tree import ModelTree


class ModelSource(msgspec.Struct, frozen=True):
    """Where a manifest says that a model lives: its storage URI, its path on the nodes, its own namespace."""

    uri: str
    path: str = ""
    namespace: str = ""


class Reading(msgspec.Struct, frozen=True):
    """Facts that were read just now, and the digest of what was read."""

    facts: Facts
    digest: str


class Opened(msgspec.Struct, frozen=True):
    """A place with a model.

    ``revision`` is the state of its files (a commit, the digest of a manifest; empty where nothing names it). ``place``
    is the place for people. ``read`` does the work.
    """

    place: str
    revision: str
    read: Callable[[], Reading]

    def locked(self, uri: str) -> tuple[LockedModel, Facts]:
        """The block for the lock file, and the facts with their warnings."""
        reading = self.read()
        return LockedModel.of(uri, reading.facts, revision=self.revision, digest=reading.digest), reading.facts


class Sources:
    """Opens models; one for a whole run, because the hub's client is made once.

    ``models_root`` is a directory with models, ``executor`` where the requests for one model's files run in parallel.
    """

    def __init__(self, models_root: Path | None = None, executor: Executor | None = None) -> None:
        self._models_root = models_root
        self._executor = executor
        self._made_hub: Hub | None = None
        self._guard = threading.Lock()

    @property
    def _hub(self) -> Hub:
        """The hub's client: one for all threads, because they have to wait for it together."""
        with self._guard:
            if self._made_hub is None:
                self._made_hub = Hub(self._executor)
            return self._made_hub

    def stop(self) -> None:
        """Give up what is under way."""
        if self._made_hub is not None:
            self._made_hub.stop()

    def open(self, source: ModelSource) -> Opened:
        """The place of a model; raises :class:`omec.errors.OmecError` where it cannot be reached."""
        uri = _parsed(source.uri)
        if isinstance(uri, HuggingFaceUri) and not (self._hub.offline and self.directory(source)):
            commit, tree = self._hub.open(uri)
            return _opened(tree, f"hf://{uri.model_id}@{commit}", commit)
        if isinstance(uri, ModelPackUri):
            return _open_artifact(Artifact(uri))
        directory = self.directory(source)
        if directory is None:
            raise _unreachable(uri, source.uri, self._models_root)
        return open_directory(directory)

    def directory(self, source: ModelSource) -> Path | None:
        """The directory below ``models_root`` that holds the model, if there is one."""
        if self._models_root is None:
            return None
        try:
            uri = parse_storage_uri(source.uri)
        except StorageUriError:
            return None
        return find_directory(self._models_root, uri, source.path, source.namespace)


def open_directory(directory: Path) -> Opened:
    """A directory with a model, or the one file in it that describes the model, whatever that is called."""
    if directory.is_file():
        return _opened(Directory(directory.parent), str(directory), "", directory.name)
    return _opened(Directory(directory), str(directory), "")


def _opened(tree: ModelTree, place: str, revision: str, file: str | None = None) -> Opened:
    def read() -> Reading:
        seen = Fingerprint(tree)
        facts = read_tree(seen, file)
        return Reading(facts, seen.digest)

    return Opened(place, revision, read)


def _open_artifact(artifact: Artifact) -> Opened:
    tree = artifact.tree()
    if tree is not None:
        return _opened(tree, artifact.label, artifact.digest)
    return Opened(artifact.label, artifact.digest, lambda: Reading(artifact.facts(), artifact.digest))


def _parsed(uri: str) -> StorageUri:
    try:
        return parse_storage_uri(uri)
    except StorageUriError as error:
        raise FactsError(str(error), hint="correct spec.storage.storageUri of the model") from None


def _unreachable(uri: StorageUri, text: str, models_root: Path | None) -> FactsError:
    """Why nothing can be read of a model that is on no hub and in no registry."""
    if isinstance(uri, VendorUri):
        return FactsError(f"OME reads nothing of {shown(text)}", hint="write the facts into the model's manifest")
    if models_root is not None:
        hint = "copy the model there, or write the facts into its manifest"
        return FactsError(f"there is no directory for {shown(text)} below {models_root}", hint=hint)
    what = (
        "is on the nodes"
        if isinstance(uri, LocalUri)
        else "is on a claim"
        if isinstance(uri, PvcUri)
        else "is far away"
    )
    return FactsError(
        f"{shown(text)} {what}, where omec cannot read it",
        hint="name a directory that holds a copy with --models-root, or write the facts into the model's manifest",
    )
