"""The model that a command is asked about: one of the source, one on the hub or in a registry, or a directory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from omec.errors import OmecError
from omec.facts.attention import Attention

if TYPE_CHECKING:
    from omec.catalog import Resource
    from omec.repository import Repo
    from omec.resolve.filled_model import Knowledge
    from omec.resolve.known_facts import KnownFacts


class Subject(msgspec.Struct, frozen=True):
    """A model, and what is known about it."""

    name: str
    model: Resource
    knowledge: Knowledge | None

    @property
    def spec(self) -> dict[str, Any]:
        """The spec as it becomes in the cluster, as far as it is known."""
        return self.model.spec

    @property
    def weights(self) -> dict[str, int]:
        return dict(self.knowledge.locked.weights) if self.knowledge else {}

    @property
    def attention(self) -> Attention | None:
        return self.knowledge.locked.attention if self.knowledge else None


def is_elsewhere(text: str) -> bool:
    """Whether ``text`` names a place: a URI, or a directory or file with a slash in its path (``./llama``)."""
    return "://" in text or (("/" in text or text in (".", "..")) and Path(text).exists())


def subject(text: str, repo: Repo | None, known: KnownFacts, *, namespace: str | None = None) -> Subject:
    """What ``text`` names: a URI, a directory, or a model of ``repo``; raises :class:`OmecError` otherwise."""
    if is_elsewhere(text):
        from omec.resolve.known_facts import model_at  # noqa: PLC0415

        model = model_at(text)
        return Subject(text, model, model.knowledge)
    from omec.resolve.facts_lock import find_models  # noqa: PLC0415

    found = find_models(repo.catalog, [text]) if repo is not None else []
    chosen = [model for model in found if namespace is None or model.namespace in (namespace, None)]
    if len(chosen) != 1:
        raise OmecError(
            f"{text} names {len(chosen)} models: {', '.join(str(model.ref) for model in found)}",
            hint="name it as BaseModel/NAMESPACE/NAME or ClusterBaseModel/NAME",
            code="OME041",
        )
    manifest = chosen[0]
    return Subject(str(manifest.ref), known.filled(manifest), known.about(manifest))
