"""The model that a command is asked about: one of the source, one on the hub or in a registry, or a directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omec.errors import OmecError
from omec.facts.attention import Attention
from omec.facts.facts import Facts

if TYPE_CHECKING:
    from omec.catalog import Resource
    from omec.resolve.filled_model import Knowledge
    from omec.resolve.known_facts import KnownFacts
    from omec.session import Repo


@dataclass(frozen=True, slots=True)
class Subject:
    """A model and what is known about it; ``facts`` only where its files were read for this answer."""

    name: str
    model: Resource
    knowledge: Knowledge | None
    facts: Facts | None = None

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
    """Whether ``text`` names a place, not a model of the source."""
    return "://" in text or Path(text).is_dir()


def subject(text: str, repo: Repo | None, known: KnownFacts, *, namespace: str | None = None) -> Subject:
    """What ``text`` names: a URI, a directory, or a model of ``repo``; raises :class:`OmecError` otherwise."""
    if is_elsewhere(text):
        return _read(text)
    from omec.resolve.facts_lock import find_models  # noqa: PLC0415

    found = find_models(repo.catalog, [text]) if repo is not None else []
    chosen = [model for model in found if namespace is None or model.namespace in (namespace, None)]
    if len(chosen) != 1:
        raise OmecError(
            f"{text} names {len(chosen)} models: {', '.join(str(model.ref) for model in found)}",
            hint="name it as BaseModel/NAMESPACE/NAME or ClusterBaseModel/NAME",
            code="OME041",
        )
    model = chosen[0]
    return Subject(str(model.ref), known.filled(model), known.about(model))


def _read(text: str) -> Subject:
    """A model that stands nowhere in the source."""
    from omec.facts.sources import ModelSource, Sources, open_directory  # noqa: PLC0415
    from omec.resolve.filled_model import Knowledge  # noqa: PLC0415
    from omec.resolve.known_facts import model_of  # noqa: PLC0415

    opened = Sources().open(ModelSource(text)) if "://" in text else open_directory(Path(text))
    locked, facts = opened.locked(text)
    knowledge = Knowledge(locked, opened.place)
    return Subject(text, model_of(text, knowledge), knowledge, facts)
