"""The secrets in the manifests of a repository."""

from __future__ import annotations

from collections.abc import Sequence

from omec.api.secrets import Secret, may_hold_secret, secrets_in
from omec.repo.document import Document
from omec.repo.read import Reading

Found = tuple[tuple[Document, Secret], ...]
"""Secrets, each with the document that it stands in."""


def secrets_of(reading: Reading) -> Found:
    """Every secret in plain text; files without any sign of one are passed over."""
    suspected = {path for path, text in reading.texts.items() if may_hold_secret(text)}
    return tuple(
        (document, secret)
        for document in reading.documents
        if document.path in suspected or document.path not in reading.texts
        for secret in secrets_in(document.value)
    )


def values_of(found: Found, context: Sequence[Document]) -> set[str]:
    """The values of the secrets ``found``, and of those in the documents ``context``."""
    others = {secret.value for document in context for secret in secrets_in(document.value)}
    return others | {secret.value for _, secret in found}
