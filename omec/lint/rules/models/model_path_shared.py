"""``model-path-shared``: two models whose files end up in one directory."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.models.storage import Stored

RULE = Rule(
    "OME368",
    "model-path-shared",
    Severity.WARNING,
    "Two models with different files have one storage.path, or one lies inside of the other",
    why=(
        "The agent writes both to the same directory of a node, and deletes the directory with the first of the "
        "models. Pods then load whatever was written last, or a mixture."
    ),
    fix="Give each model a directory of its own.",
    source="OME docs: concepts/models/base-models",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: qwen3-8b}
spec: {storage: {storageUri: "hf://Qwen/Qwen3-8B", path: /mnt/data/models/qwen}}
---
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: qwen3-4b}
spec: {storage: {storageUri: "hf://Qwen/Qwen3-4B", path: /mnt/data/models/qwen/4b}}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: qwen3-8b}
spec: {storage: {storageUri: "hf://Qwen/Qwen3-8B", path: /mnt/data/models/qwen3-8b}}
---
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: qwen3-4b}
spec: {storage: {storageUri: "hf://Qwen/Qwen3-4B", path: /mnt/data/models/qwen3-4b}}
""",
)

_NOT_WRITTEN = frozenset({"pvc", "local", "vendor", "s3", "az", "gs", "github"})
"""Nothing is downloaded for these: several may well read one directory."""


def check(context: Context) -> Iterator[Fault]:
    owners: dict[str, Stored] = {}
    for stored in context.stored_models:
        if stored.scheme not in _NOT_WRITTEN and stored.path.startswith("/"):
            owners.setdefault(posixpath.normpath(stored.path), stored)
    for stored in context.stored_models:
        if stored.scheme in _NOT_WRITTEN or not stored.path.startswith("/"):
            continue
        path = posixpath.normpath(stored.path)
        for folder in (path, *_above(path)):
            owner = owners.get(folder)
            if owner is not None and owner.model is not stored.model and owner.uri != stored.uri:
                yield _fault(stored, owner, inside=folder != path)
                break


def _above(path: str) -> Iterator[str]:
    while path != "/":
        path = posixpath.dirname(path)
        yield path


def _fault(stored: Stored, owner: Stored, *, inside: bool) -> Fault:
    relation = "lies inside of that" if inside else "is that"
    message = f"the path {stored.path} of {stored.uri} {relation} of {owner.model.name}, which holds {owner.uri}"
    where = owner.model.locate(("spec", "storage", "path"))
    related = (Related(where, f"the path of {owner.model.ref}"),)
    return Fault(stored.model, ("spec", "storage", "path"), message, related=related)
