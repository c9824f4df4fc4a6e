"""The inputs of the oracle's cases: inline objects and references to the corpus, as a catalog.

The READMEs beside the oracle files define the references and what happens to duplicates.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

from omec.api.kinds import KINDS
from omec.catalog import Catalog, Resource
from omec.catalog.build import ome_kind
from omec.repo.document import Document
from omec.repo.read import read

Body = dict[str, Any]

CORPUS = Path("corpus") / "ome-v0.1.5"
NOT_OBJECTS = frozenset({"Kustomization", "Namespace"})

_corpus_resources: dict[int, Resource] = {}
"""The resources of corpus bodies by ``id``: the cache of :func:`_documents` keeps those bodies alive."""


def load_objects(
    refs: list[Body],
    data: Path,
    *,
    keep: Literal["first", "last"] = "first",
    default_namespace: str = "default",
) -> list[Body]:
    """The objects that ``refs`` stand for, one per identity.

    ``data`` is the folder of the external test data. Of objects with one kind, namespace and name the ``first`` is kept
    (SELECTION.md) or the ``last`` (RENDER.md). A namespaced object without a namespace gets ``default_namespace``.
    Objects of the corpus are shared between calls: never modify a result.
    """
    unique: dict[tuple[str, str | None, str], Body] = {}
    for body in _expand(refs, data):
        if body["kind"] in NOT_OBJECTS:
            continue
        placed = _placed(body, default_namespace)
        identity = (placed["kind"], placed["metadata"].get("namespace"), placed["metadata"]["name"])
        if keep == "last" or identity not in unique:
            unique[identity] = placed
    return list(unique.values())


def catalog_of(objects: Iterable[Body]) -> Catalog:
    """A catalog of ``objects``; nothing of it has a place in a file."""
    return Catalog(_resource(body) for body in objects)


def _expand(refs: list[Body], data: Path) -> Iterator[Body]:
    corpus = data / CORPUS
    for ref in refs:
        if ref.get("corpusRuntimes") == "all":
            yield from _folder(corpus / "config" / "runtimes")
        elif "corpusDir" in ref:
            yield from _folder(corpus / ref["corpusDir"])
        elif "corpus" in ref:
            bodies = _documents(corpus / ref["corpus"])
            yield from (_merged(body, ref["merge"]) for body in bodies) if "merge" in ref else bodies
        else:
            yield ref


@cache
def _folder(folder: Path) -> tuple[Body, ...]:
    """The ``ome.io`` objects below ``folder``, files in byte order of their relative path."""
    files = sorted(folder.rglob("*.yaml"), key=lambda file: file.relative_to(folder).as_posix().encode())
    return tuple(body for file in files for body in _documents(file))


@cache
def _documents(file: Path) -> tuple[Body, ...]:
    resources = [_new_resource(document.value) for document in read([file]).documents if ome_kind(document.value)]
    _corpus_resources.update((id(resource.body), resource) for resource in resources)
    return tuple(resource.body for resource in resources)


def _merged(base: Any, overlay: Any) -> Any:
    if not isinstance(base, dict) or not isinstance(overlay, dict):
        return copy.deepcopy(overlay)
    merged = dict(base)
    for key, value in overlay.items():
        merged[key] = _merged(base.get(key), value)
    return merged


def _placed(body: Body, default_namespace: str) -> Body:
    kind = KINDS.get(body["kind"])
    if kind is None or not kind.namespaced or body["metadata"].get("namespace"):
        return body
    return {**body, "metadata": {**body["metadata"], "namespace": default_namespace}}


def _resource(body: Body) -> Resource:
    return _corpus_resources.get(id(body)) or _new_resource(body)


def _new_resource(body: Body) -> Resource:
    kind = KINDS.get(body["kind"])
    namespace = None if kind is not None and not kind.namespaced else body["metadata"].get("namespace")
    return Resource(body["kind"], namespace, body["metadata"]["name"], Document("oracle.yaml", 0, body))
