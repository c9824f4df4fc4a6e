"""``path-local-mismatch``: a local model that pods look for in another directory."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME369",
    "path-local-mismatch",
    Severity.WARNING,
    "The directory in a local:// URI is not the storage.path of the model",
    why="The agent checks and reads the directory of the URI; pods mount storage.path, where nothing puts any files.",
    fix="Write the same directory in both places.",
    source="reference 07 §17, path-local-mismatch",
    bad='storage: {storageUri: "local:///mnt/data/models/qwen", path: /mnt/data/models/qwen3}\n',
    good='storage: {storageUri: "local:///mnt/data/models/qwen", path: /mnt/data/models/qwen}\n',
)


def check(context: Context) -> Iterator[Fault]:
    for stored in context.stored_models:
        if stored.scheme == "local" and stored.path and _plain(stored.rest) != _plain(stored.path):
            message = f"the URI says {stored.rest}, and pods mount {stored.path}"
            yield Fault(stored.model, ("spec", "storage", "path"), message)


def _plain(path: str) -> str:
    return posixpath.normpath("/" + path.lstrip("/"))
