"""``hf-revision-unpinned``: a model that changes when its owner pushes."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME364",
    "hf-revision-unpinned",
    Severity.INFO,
    "An hf:// URI names no revision",
    why="It follows the branch main: nodes that download at different times may hold different files.",
    fix="Append `@` and a commit.",
    source="OME docs: concepts/models/base-models",
    bad='storage: {storageUri: "hf://Qwen/Qwen3-8B", path: /mnt/data/models/qwen3-8b}\n',
    good='storage: {storageUri: "hf://Qwen/Qwen3-8B@b968826", path: /mnt/data/models/qwen3-8b}\n',
    default=False,
)


def check(context: Context) -> Iterator[Fault]:
    for stored in context.stored_models:
        if stored.scheme == "hf" and "@" not in stored.rest:
            message = f"{stored.rest} follows the branch main"
            yield Fault(stored.model, ("spec", "storage", "storageUri"), message)
