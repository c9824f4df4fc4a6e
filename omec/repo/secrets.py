"""The secrets in the manifests of a repository."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.secrets import Secret, may_hold_secret, secrets_in
from omec.repo.document import Document
from omec.repo.read import Reading


def secrets_of(reading: Reading) -> Iterator[tuple[Document, Secret]]:
    """Every secret in plain text, with the document that it stands in.

    Files without any sign of one are passed over.
    """
    suspected = {path for path, text in reading.texts.items() if may_hold_secret(text)}
    for document in reading.documents:
        if document.path in suspected or document.path not in reading.texts:
            yield from ((document, secret) for secret in secrets_in(document.value))
