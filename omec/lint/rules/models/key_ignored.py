"""``key-ignored``: a Secret that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME371",
    "key-ignored",
    Severity.WARNING,
    "A model names a Secret in storage.key, and its scheme has no use for one",
    why="OME's agent reads the key for hf:// alone. Access to other stores is set up elsewhere.",
    fix="Remove `key`; for `oci://` set `parameters.auth`.",
    source="reference 07 §17, key-ignored",
    bad='storage: {storageUri: "pvc://models/qwen3-8b", key: hf-token}\n',
    good='storage: {storageUri: "pvc://models/qwen3-8b"}\n',
    fixable=True,
)


def check(context: Context) -> Iterator[Fault]:
    for stored in context.stored_models:
        if stored.storage.get("key") and stored.scheme not in ("hf", "modelpack"):
            message = f"{stored.scheme}:// has no use for the Secret in storage.key"
            yield Fault(stored.model, ("spec", "storage", "key"), message, key=True)
