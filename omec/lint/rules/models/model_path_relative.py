"""``path-not-absolute``: a path on the node that is none, or that climbs out of its folder."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME367",
    "path-not-absolute",
    Severity.ERROR,
    "The storage.path of a model is relative, or climbs out of its folder",
    why="It is a directory on every node: a hostPath of the pods, which Kubernetes refuses in that form.",
    fix="Write an absolute path without `..`.",
    source="reference 07 §17, path-not-absolute and path-dotdot",
    bad='storage: {storageUri: "hf://Qwen/Qwen3-8B", path: models/qwen3-8b}\n',
    good='storage: {storageUri: "hf://Qwen/Qwen3-8B", path: /mnt/data/models/qwen3-8b}\n',
)


def check(context: Context) -> Iterator[Fault]:
    """What the webhook says about ``stage://`` is another rule; on a volume claim the path counts for nothing."""
    for stored in context.stored_models:
        if not stored.path or stored.scheme in ("stage", "pvc"):
            continue
        if not stored.path.startswith("/") or ".." in stored.path.split("/"):
            what = "has a segment .." if stored.path.startswith("/") else "is not absolute"
            yield Fault(stored.model, ("spec", "storage", "path"), f'the path "{stored.path}" {what}')
