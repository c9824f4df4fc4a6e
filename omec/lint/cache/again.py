"""From a run to its record, and from the record to the next run."""

from __future__ import annotations

from omec.catalog import Resource
from omec.catalog.build import place
from omec.finding import ObjectRef
from omec.lint.cache import record as records
from omec.lint.cache.edit import NotLocalError
from omec.lint.cache.incremental import Relint
from omec.lint.cache.joins import READ_BY_ALL
from omec.lint.cache.key import digest_of
from omec.lint.cache.snapshot import Snapshot, Texts
from omec.lint.control import Control
from omec.lint.control_rules import RULE_FAILED
from omec.lint.judge import Judgement
from omec.lint.result import LintResult
from omec.lint.run import settled
from omec.repo.config import Config
from omec.repo.document import Document
from omec.repo.objects import object_ref
from omec.repo.read import Reading
from omec.resolve.unknown_findings import grouped


def recorded(
    judgement: Judgement, reading: Reading, snapshot: Snapshot, config: Config, with_secrets: frozenset[str]
) -> bytes | None:
    """The record of a run over ``snapshot``, ``None`` where the next run had better judge everything."""
    contents = [(file.path, content) for file, content in snapshot.with_contents if isinstance(content, bytes)]
    if len(contents) < len(snapshot.with_contents) or not _is_divisible(judgement, config):
        return None
    try:
        record = records.record_of(
            judgement,
            reading.documents,
            contents,
            found=digest_of(snapshot.found()),
            notes=tuple(map(str, reading.notes)),
            with_secrets=with_secrets,
        )
        return records.encoded(record, contents)
    except (ValueError, OverflowError):  # what JSON cannot hold
        return None


def _is_divisible(judgement: Judgement, config: Config) -> bool:
    """Whether objects are judged by those only that they name or that name them, as far as rules do not join more."""
    catalog = judgement.context.catalog
    if config.policy is not None and config.policy.limits:
        return False
    if any(finding.rule is RULE_FAILED for finding in (*judgement.known, *judgement.rendered, *judgement.ruled)):
        return False
    if any(catalog.of_kind(kind) for kind in READ_BY_ALL) or any(ref.kind in READ_BY_ALL for ref in catalog.ambiguous):
        return False
    # Objects that something else than their manifests fills in, and services that stand before those of others.
    return all(
        type(resource) is Resource
        and not (resource.kind == "InferenceService" and "replicaRefs" in (resource.body.get("spec") or ()))
        for resource in catalog
    )


def linted_again(data: bytes, snapshot: Snapshot, config: Config) -> tuple[LintResult, list[str]]:
    """What a run over ``snapshot`` finds, from the record ``data``; and the files that hold secrets.

    Raises :class:`NotLocalError` where everything has to be judged again.
    """
    known = records.decoded(data)
    if known is None or known[0].found != digest_of(snapshot.found()):
        raise NotLocalError("other files")
    record, texts = known
    control = Control(config.lint, snapshot.sources)
    relint = Relint(record, texts, snapshot.with_contents, config, control)
    found = grouped(relint.findings())
    readings = [relint.reading(path) for path in relint.suppressing]
    reading = Reading(
        documents=tuple(document for each in readings for document in each.documents),
        findings=(),
        notes=(),
        files=len(readings),
        sources=snapshot.sources,
        texts={path: text for each in readings for path, text in each.texts.items()},
    )
    refs = {id(each.document): each.ref for each in place(reading.documents, config.default_namespace).resources}

    def ref_of(document: Document) -> ObjectRef | None:
        return refs.get(id(document)) or object_ref(document.value)

    findings = settled(found, control, config, reading, ref_of)
    result = LintResult(findings, record.notes, len(record.files), snapshot.sources, Texts(snapshot.contents))
    return result, [file.path for file in record.files if file.digest]
