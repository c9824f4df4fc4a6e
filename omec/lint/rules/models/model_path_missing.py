"""``model-path-missing``: a model whose files have nowhere to go on the node."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME366",
    "model-path-missing",
    Severity.ERROR,
    "A model whose files lie on the nodes has no storage.path",
    why="The model agent has no directory to write to and fails, and pods would have none to mount.",
    fix="Set `storage.path` to a directory below the agent's models folder.",
    source="reference 07 §17, path-missing",
    bad='storage: {storageUri: "hf://Qwen/Qwen3-8B"}\n',
    good='storage: {storageUri: "hf://Qwen/Qwen3-8B", path: /mnt/data/models/qwen3-8b}\n',
)

_SCHEMES = frozenset({"hf", "oci", "local", "vendor"})


def check(context: Context) -> Iterator[Fault]:
    """A ``stage://`` model without a path is refused by the webhook, which is another rule."""
    for stored in context.stored_models:
        if stored.scheme in _SCHEMES and not stored.path:
            message = f"{stored.scheme}:// needs a storage.path, and {stored.model.name} has none"
            yield Fault(stored.model, ("spec", "storage"), message, key=True)
