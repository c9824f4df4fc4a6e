"""The models of a repository beside its lock: which of them it should know, and whether it does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from omec.api.storage_uri import storage_type
from omec.catalog import Catalog, Resource
from omec.errors import OmecError
from omec.facts.lock import Lock, key_of, ref_of
from omec.facts.rules import LOCK_ORPHAN, LOCK_STALE, NOT_LOCKED
from omec.facts.sources import Sources, open_directory
from omec.facts.update import Job
from omec.finding import FieldPath, Finding, Position, Severity
from omec.resolve.filled_model import manifest_of
from omec.resolve.known_facts import MODEL_KINDS, needs_facts, source_of
from omec.resolve.open_facts import OPTIONAL, in_order, open_facts

_FETCHED = ("HUGGINGFACE", "MODELPACK")
"""The schemes that omec reads over the network."""

_URI: FieldPath = ("spec", "storage", "storageUri")


def models_of(catalog: Catalog) -> list[Resource]:
    """Every model as its manifest has it, by kind, namespace and name."""
    return [manifest_of(model) for kind in MODEL_KINDS for model in catalog.of_kind(kind)]


def find_models(catalog: Catalog, names: Iterable[str]) -> list[Resource]:
    """The models called ``names``: ``NAME``, ``NAMESPACE/NAME``, or the key of a lock (``BaseModel/NAMESPACE/NAME``).

    Raises :class:`OmecError` for a name that no model has.
    """
    models = models_of(catalog)
    chosen: dict[str, Resource] = {}
    for name in names:
        found = [model for model in models if name in _names(model)]
        if not found:
            raise _no_such_model(name, models)
        chosen.update({key_of(model.ref): model for model in found})
    return [chosen[key] for key in sorted(chosen)]


def jobs_for(models: Iterable[Resource]) -> list[Job]:
    """What it takes to bring the blocks of ``models`` up to date, by key."""
    return sorted((Job(key_of(model.ref), source_of(model)) for model in models), key=lambda job: job.key)


def to_lock(catalog: Catalog, sources: Sources) -> list[Resource]:
    """The models that a lock should know: their manifests leave facts open, and omec can read them.

    Those on nodes, claims and in object storage only where there is a directory for them.
    """
    return [
        model
        for model in models_of(catalog)
        if needs_facts(model)
        and (storage_type(source_of(model).uri) in _FETCHED or sources.directory(source_of(model)) is not None)
    ]


def check(catalog: Catalog, lock: Lock, others: Sequence[Lock], sources: Sources) -> list[Finding]:
    """What is missing from ``lock``, stale or left over, ordered by place.

    ``others`` are the locks of other catalogs, which may know the models of those.
    """
    findings: list[Finding] = []
    models = models_of(catalog)
    for model in models:
        if needs_facts(model):
            findings += _check_model(model, lock, others, sources)
    known = {key_of(model.ref) for model in models} | {key_of(ref) for ref in catalog.ambiguous}
    findings += [_orphan(key, lock) for key in lock.models if key not in known]
    return sorted(findings, key=lambda finding: finding.sort_key)


def _check_model(model: Resource, lock: Lock, others: Sequence[Lock], sources: Sources) -> list[Finding]:
    source = source_of(model)
    locked = lock.get(model.ref)
    if locked is None:
        if any((other := each.get(model.ref)) is not None and other.uri == source.uri for each in others):
            return []
        return [] if model.context else [_missing(model, sources)]
    if locked.uri != source.uri:
        return [_stale(model, f"{lock.path} has the facts of {locked.uri}, and the manifest names {source.uri}")]
    directory = sources.directory(source) if not locked.revision else None
    if directory is None:
        return []
    try:
        now, _ = open_directory(directory).locked(source.uri)
    except OmecError as error:
        return [
            _stale(model, f"the files in {directory}, which {lock.path} was made from, tell no facts: {error.message}")
        ]
    return (
        []
        if now == locked
        else [_stale(model, f"the files in {directory} are not those that {lock.path} was made from")]
    )


def _missing(model: Resource, sources: Sources) -> Finding:
    """A model without a block: an error where omec could read it, else a warning that says what to do instead."""
    source = source_of(model)
    readable = storage_type(source.uri) in _FETCHED or sources.directory(source) is not None
    fields = ", ".join(in_order(open_facts(model).fields - OPTIONAL))
    if readable:
        remedy = f"run omec facts update {key_of(model.ref)} and commit the lock"
    else:
        remedy = "write them into the manifest, or name a copy with omec facts update --models-root"
    return Finding(
        NOT_LOCKED,
        f"{model.ref} leaves {fields} to its files, and nothing has read them",
        model.locate(_URI),
        object=model.ref,
        field="spec.storage.storageUri",
        help=remedy,
        severity_override=None if readable else Severity.WARNING,
    )


def _stale(model: Resource, message: str) -> Finding:
    return Finding(
        LOCK_STALE,
        message,
        model.locate(_URI),
        object=model.ref,
        field="spec.storage.storageUri",
        help=f"run omec facts update {key_of(model.ref)} and commit the lock",
    )


def _orphan(key: str, lock: Lock) -> Finding:
    return Finding(
        LOCK_ORPHAN,
        f"no manifest defines {key}",
        Position(lock.path),
        object=ref_of(key),
        help="delete the block, or run omec facts update --prune",
    )


def _names(model: Resource) -> tuple[str, ...]:
    return model.name, f"{model.namespace}/{model.name}", f"{model.kind}/{model.name}", key_of(model.ref)


def _no_such_model(name: str, models: list[Resource]) -> OmecError:
    import difflib  # noqa: PLC0415

    close = difflib.get_close_matches(name, [model.name for model in models], n=1)
    return OmecError(
        f"no model is called {name}",
        hint=f"did you mean {close[0]}?" if close else "name a BaseModel or ClusterBaseModel of the source",
        code="OME041",
    )
