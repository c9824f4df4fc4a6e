"""``hf-uri-shape``: a Hugging Face URI that names no repository."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME363",
    "hf-uri-shape",
    Severity.WARNING,
    "An hf:// URI is not the id of a repository: an owner, a slash and a name",
    why=(
        "The agent asks the hub for exactly what stands there. A whole address, a trailing slash, a further folder or "
        "an empty revision is no repository, so the download fails on every node."
    ),
    fix="Write `hf://owner/name`, with `@revision` where one is meant.",
    source="OME docs: concepts/models/base-models",
    bad='storage: {storageUri: "hf://https://huggingface.co/Qwen/Qwen3-8B", path: /mnt/data/models/qwen3-8b}\n',
    good='storage: {storageUri: "hf://Qwen/Qwen3-8B", path: /mnt/data/models/qwen3-8b}\n',
    fixable=True,
)

_PART = r"[A-Za-z0-9_][A-Za-z0-9._-]*"
_REPOSITORY = re.compile(rf"{_PART}/{_PART}(?:@.+)?")
_WITHOUT_OWNER = re.compile(rf"{_PART}(?:@.+)?")
_OLDEST = re.compile(
    r"(?:albert|bert|camembert|ctrl|distil|gpt2|openai-gpt|roberta|t5|transfo|xlm|xlnet)[a-z0-9-]*(?:@.+)?"
)
"""Repositories that are older than owners: the hub redirects their names."""
_ADDRESS = re.compile(rf"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/({_PART}/{_PART})(?:/.*)?")


def check(context: Context) -> Iterator[Fault]:
    for stored in context.stored_models:
        if stored.scheme != "hf" or not stored.rest or _REPOSITORY.fullmatch(stored.rest):
            continue
        if _WITHOUT_OWNER.fullmatch(stored.rest):
            if not _OLDEST.fullmatch(stored.rest):
                message = f'"{stored.rest}" is not the id of a repository: it names no owner'
                yield Fault(stored.model, ("spec", "storage", "storageUri"), message)
            continue
        address = _ADDRESS.fullmatch(stored.rest)
        meant = address[1] if address else stored.rest.strip("/@ ")
        help_ = f"write hf://{meant}" if _REPOSITORY.fullmatch(meant) else ""
        message = f'"{stored.rest}" is not the id of a repository'
        yield Fault(stored.model, ("spec", "storage", "storageUri"), message, help_)
