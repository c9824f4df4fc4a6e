"""``sharded-unservable``: a model in a form that no service can use."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, spec_of

RULE = Rule(
    "OME362",
    "sharded-unservable",
    Severity.WARNING,
    "A model is distributed in shards, which OME 1.3 cannot serve",
    why="OME 1.3 downloads the shards and has no provider to load them: every service that names the model is refused.",
    fix="Remove `distribution`.",
    source="reference 07 §17, sharded-unservable",
    bad='distribution: Sharded\nstorage: {storageUri: "hf://Qwen/Qwen3-8B", path: /mnt/data/models/qwen3-8b}\n',
    good='storage: {storageUri: "hf://Qwen/Qwen3-8B", path: /mnt/data/models/qwen3-8b}\n',
)


def check(context: Context) -> Iterator[Fault]:
    for model in context.models:
        if spec_of(model).get("distribution") == "Sharded":
            message = f"no service can use {model.name}: OME 1.3 serves no model that is distributed in shards"
            yield Fault(model, ("spec", "distribution"), message)
