"""One document: its value and its problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from omec.finding import FieldPath
from omec.repo.yaml.checks import BOM, BOM_STAND_IN, suspicious
from omec.repo.yaml.problem import Problem, ProblemError, Span
from omec.repo.yaml.reader import read_value

if TYPE_CHECKING:
    from omec.repo.yaml.outline import Outline


class Parsed(NamedTuple):
    """The value of a document and what is odd about it; with a fatal problem the value is incomplete."""

    value: Any
    problems: tuple[Problem, ...] = ()


def load(text: str) -> Any:
    """The value of the one document in ``text``, as kubectl reads it; ``None`` for an empty one.

    Raises :class:`ProblemError` where kubectl refuses the document.
    """
    parsed = parse(text.removeprefix(BOM))
    for problem in parsed.problems:
        if problem.fatal:
            raise ProblemError(problem)
    return parsed.value


def parse(text: str) -> Parsed:
    """The value and the problems of one chunk; raises :class:`ProblemError` where the text is no YAML at all."""
    source = without_marks(text)
    try:
        value, unusual = read_value(source)
    except yaml.YAMLError as error:
        raise _syntax_error(error, source) from error
    except ValueError:
        value, unusual = None, True
    if unusual or suspicious(source):
        made = _outline(source)
        value = made.root.value if made.root else None
        return Parsed(_with_marks(value) if source is not text else value, tuple(made.problems))
    return Parsed(_with_marks(value) if source is not text else value)


def locate(text: str) -> Outline:
    """The outline of a chunk that :func:`parse` has read."""
    return _outline(without_marks(text))


def seek(text: str, path: FieldPath, *, key: bool) -> Span | None:
    """What the outline of a chunk says of one place, where that is quickly told; the chunk has no problems."""
    from omec.repo.yaml import seek as quick  # noqa: PLC0415  (few runs need it)

    return quick.seek(without_marks(text), path, key=key)


def _outline(source: str) -> Outline:
    from omec.repo.yaml.outline import outline  # noqa: PLC0415  (few runs need it)

    try:
        return outline(source)
    except yaml.YAMLError as error:
        raise _syntax_error(error, source) from error


def _syntax_error(error: yaml.YAMLError, source: str) -> ProblemError:
    from omec.repo.yaml.syntax import explain  # noqa: PLC0415  (few runs need it)

    return ProblemError(explain(error, source))


def without_marks(text: str) -> str:
    """``text`` with byte order marks replaced by a stand-in: libyaml refuses them, kubectl takes them for text."""
    if text.isascii() or BOM not in text or BOM_STAND_IN in text:
        return text
    return text.replace(BOM, BOM_STAND_IN)


def _with_marks(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(BOM_STAND_IN, BOM)
    if isinstance(value, list):
        return [_with_marks(item) for item in value]
    if isinstance(value, dict):
        return {_with_marks(key): _with_marks(item) for key, item in value.items()}
    return value
