"""The Secrets with tokens that the models of a repository name."""

from __future__ import annotations

from collections.abc import Iterable

from omec.catalog import Resource

_WITH_SECRETS = ("hf://", "modelpack://")


def token_secrets(models: Iterable[Resource], namespace: str) -> dict[str, tuple[str, ...]]:
    """Names of Secrets by namespace; that of a ClusterBaseModel is in the agent's ``namespace`` (reference 07 §6.1).

    Only models of the hub and of registries have one: with every other scheme the key is ignored.
    """
    found: dict[str, set[str]] = {}
    for model in models:
        storage = model.spec.get("storage")
        if not isinstance(storage, dict) or not str(storage.get("storageUri", "")).startswith(_WITH_SECRETS):
            continue
        name = storage.get("key")
        if isinstance(name, str) and name:
            found.setdefault(model.namespace or namespace, set()).add(name)
    return {where: tuple(sorted(names)) for where, names in found.items()}
