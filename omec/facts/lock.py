"""``omec.lock``: the facts that the manifests leave to the weights, committed beside the sources.

YAML with one block a model, sorted by key, so that branches which add different models merge. A key is
``ClusterBaseModel/NAME`` or ``BaseModel/NAMESPACE/NAME``.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from omec.errors import OmecError
from omec.facts.display import shown
from omec.facts.locked import InvalidBlockError, LockedModel
from omec.facts.rules import LOCK_CONFLICT, LOCK_INVALID, LOCK_UNREADABLE
from omec.finding import FieldPath, ObjectRef, Position, Rule, field_text

LOCK_NAME = "omec.lock"
VERSION = 1

_HEADER = "# Facts of models, read from their files by `omec facts update`. Commit this file; do not edit it.\n"
_VERSION, _MODELS = "version", "models"

_CONFLICT_MARK = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: |$)", re.MULTILINE)
_KEY = re.compile(r"ClusterBaseModel/[^/]+|BaseModel/[^/]+/[^/]+")


class Lock(msgspec.Struct, frozen=True):
    """The blocks of a lock file by key (see :func:`key_of`); ``path`` is the file as users are shown it."""

    models: Mapping[str, LockedModel] = msgspec.field(default_factory=dict)
    path: str = LOCK_NAME

    def get(self, ref: ObjectRef) -> LockedModel | None:
        return self.models.get(key_of(ref))

    def with_models(self, models: Mapping[str, LockedModel], *, without: Iterable[str] = ()) -> Lock:
        """A copy in which ``models`` are new and the keys ``without`` are gone."""
        gone = frozenset(without)
        kept = {key: model for key, model in self.models.items() if key not in gone}
        return Lock({**kept, **models}, self.path)


def key_of(ref: ObjectRef) -> str:
    """The key of a model's block."""
    return "/".join(part for part in (ref.kind, ref.namespace, ref.name) if part)


def ref_of(key: str) -> ObjectRef:
    """The model that a block is about."""
    kind, *namespace, name = key.split("/")
    return ObjectRef(kind, namespace[0] if namespace else None, name)


def render_lock(lock: Lock) -> str:
    """The text of the file: the same for the same facts, however they were collected."""
    from omec.repo.yaml import dump  # noqa: PLC0415 - most runs only read

    models = {key: model.to_dict() for key, model in sorted(lock.models.items())}
    return f"{_HEADER}{_VERSION}: {VERSION}\n{dump({_MODELS: models})}"


def parse_lock(text: str, path: str = LOCK_NAME) -> Lock:
    """The lock in ``text``; raises :class:`OmecError` with the place of whatever this omec cannot vouch for."""
    if mark := _CONFLICT_MARK.search(text):
        line = text.count("\n", 0, mark.start()) + 1
        raise _error(LOCK_CONFLICT, f"{path}:{line}: the file holds the marks of an unfinished merge")
    document = _load(text, path)
    if document is None:
        return Lock(path=path)
    place = _Places(text, path)
    if not isinstance(document, dict):
        raise _error(LOCK_INVALID, f"{path}: the file holds no mapping")
    if document.get(_VERSION) != VERSION:
        raise _error(
            LOCK_INVALID,
            f"{place.of((_VERSION,))}: the file has version {document.get(_VERSION)!r}, and this omec reads {VERSION}",
            hint="install the omec that wrote the file, or delete it and run omec facts update",
        )
    for key in document:
        if key not in (_VERSION, _MODELS):
            raise _unknown_key(place, (key,), (_VERSION, _MODELS))
    models = document.get(_MODELS)
    if models is not None and not isinstance(models, dict):
        raise _error(LOCK_INVALID, f"{place.of((_MODELS,))}: models is no mapping")
    return Lock({key: _model(key, block, place) for key, block in (models or {}).items()}, path)


def _model(key: str, block: Any, place: _Places) -> LockedModel:
    path: FieldPath = (_MODELS, key)
    if not _KEY.fullmatch(key):
        raise _error(
            LOCK_INVALID,
            f"{place.of(path)}: {shown(key)} is the key of no model",
            hint="a key is ClusterBaseModel/NAME or BaseModel/NAMESPACE/NAME; delete the block",
        )
    try:
        return LockedModel.from_dict(block)
    except InvalidBlockError as error:
        if error.known:
            raise _unknown_key(place, path + error.path, error.known) from None
        what = field_text(error.path) or "the block"
        raise _error(
            LOCK_INVALID,
            f"{place.of(path + error.path)}: {what} of {key} {error.problem}",
            hint=f"delete the block and run omec facts update {key}",
        ) from None


def _load(text: str, path: str) -> Any:
    from omec.repo.yaml import parse  # noqa: PLC0415 - a repository without a lock needs none of it
    from omec.repo.yaml.problem import LineIndex, ProblemError  # noqa: PLC0415

    try:
        parsed = parse(text)
        problems = parsed.problems
    except ProblemError as error:
        problems = (error.problem,)
    if problems:
        problem = problems[0]
        rule = LOCK_CONFLICT if problem.rule.slug == "yaml-duplicate-key" else LOCK_UNREADABLE
        raise _error(rule, f"{LineIndex(text).position(path, problem.span)}: {problem.message}")
    return parsed.value


class _Places:
    """Finds keys in the text of a lock; works only when it is asked."""

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path

    def of(self, path: FieldPath) -> Position:
        from omec.repo.yaml.document import locate  # noqa: PLC0415
        from omec.repo.yaml.problem import LineIndex  # noqa: PLC0415

        return LineIndex(self._text).position(self._path, locate(self._text).find(path, key=True))


def _unknown_key(place: _Places, path: FieldPath, known: tuple[str, ...]) -> OmecError:
    key = str(path[-1])
    close = difflib.get_close_matches(key, known, n=1)
    return _error(
        LOCK_INVALID,
        f"{place.of(path)}: {shown(key)} is a key that this omec does not know",
        hint=f"did you mean {close[0]}?" if close else LOCK_INVALID.remedy,
    )


def _error(rule: Rule, message: str, hint: str = "") -> OmecError:
    return OmecError(message, hint=hint or rule.remedy, code=rule.code)
