"""The secrets in the manifests of a repository."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from omec.api.secrets import Secret, may_hold_secret, secrets_in
from omec.repo.document import Document
from omec.repo.walk import MAX_FILE_BYTES, SourceFile

if TYPE_CHECKING:
    from omec.repo.read import Reading

_TOGETHER = 50

Found = tuple[tuple[Document, Secret], ...]
"""Secrets, each with the document that it stands in."""


def suspects(reading: Reading) -> frozenset[str]:
    """The files with any sign of a secret, be it in a comment."""
    return frozenset(_suspected(reading.texts))


def secrets_of(reading: Reading, suspected: frozenset[str]) -> Found:
    """Every secret in plain text; but for the ``suspected`` files, see :func:`suspects`, texts are passed over."""
    return tuple(
        (document, secret)
        for document in reading.documents
        if document.path in suspected or document.path not in reading.texts
        for secret in secrets_in(document.value)
    )


def _suspected(texts: Mapping[str, str]) -> Iterator[str]:
    """The paths of the texts that are worth a closer look; many small ones together are looked at faster than each."""
    items = list(texts.items())
    for start in range(0, len(items), _TOGETHER):
        some = items[start : start + _TOGETHER]
        if may_hold_secret("\n".join(text for _, text in some)):
            yield from (path for path, text in some if may_hold_secret(text))


def private_files(reading: Reading, suspected: frozenset[str], found: Found) -> frozenset[str]:
    """The ``suspected`` files but for those of which every word is known to be none of a secret.

    These have no secret among the ``found`` ones, no sign of one in a comment, and nothing that is not in a document.
    """
    known = {document.path for document in reading.documents}
    known -= {document.path for document, _ in found} | {finding.position.path for finding in reading.findings}
    return frozenset(path for path in suspected if path not in known or _is_in_comments(reading.texts[path]))


def _is_in_comments(text: str) -> bool:
    """Whether a sign of a secret stands behind a ``#``, which begins every comment, and other things, too."""
    return may_hold_secret("\n".join(line.partition("#")[2] for line in text.splitlines()))


def paths_of(found: Found, context: Sequence[Document]) -> set[str]:
    """The files of the secrets ``found``, and of those in the documents ``context``."""
    others = {document.path for document in context if next(secrets_in(document.value), None) is not None}
    return others | {document.path for document, _ in found}


def values_in(files: Iterable[SourceFile]) -> set[str]:
    """The values of the secrets in ``files``, which can be read."""
    from omec.repo.encoding import decode  # noqa: PLC0415
    from omec.repo.objects import read_text  # noqa: PLC0415 - other callers have documents

    contents = (read_text(file, decode(file.read(MAX_FILE_BYTES))) for file in files)
    return {
        secret.value for content in contents for document in content.documents for secret in secrets_in(document.value)
    }


def values_of(found: Found, context: Sequence[Document]) -> set[str]:
    """The values of the secrets ``found``, and of those in the documents ``context``."""
    others = {secret.value for document in context for secret in secrets_in(document.value)}
    return others | {secret.value for _, secret in found}
