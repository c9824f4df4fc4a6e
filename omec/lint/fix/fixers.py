"""How each rule's findings are mended, where that is possible.

A fixer gets the field that a finding is about and gives the edits that mend it, none where it cannot tell. Most
findings say in their help what to write; so that fix and advice never differ, the fixers read it there. A fix is *safe*
where the manifest then says what its author has plainly meant: a value spelt as OME spells it, a field dropped that
nothing reads. What guesses (a misspelt name) or changes what runs is unsafe.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from omec.api.kinds import API_VERSION
from omec.finding import FieldPath, Finding, Position
from omec.repo.document import Document
from omec.repo.edit import Drop, Edit, Put, Rename


class Target(NamedTuple):
    """The field that a finding is about, in the document that its position is in.

    ``source`` gives the text of the file at a position.
    """

    document: Document
    path: FieldPath
    finding: Finding
    source: Callable[[Position], str]

    @property
    def value(self) -> Any:
        """What stands there, ``None`` where the field is not written."""
        value: Any = self.document.value
        for step in self.path:
            try:
                value = value[step]
            except (LookupError, TypeError):
                return None
        return value


class Fixer(NamedTuple):
    """What mends a rule's findings. ``safe`` fixes need no ``--unsafe-fixes``."""

    edits: Callable[[Target], Iterator[Edit]]
    safe: Callable[[Target], bool] = lambda _: True


_DID_YOU_MEAN = re.compile(r"did you mean (\S+?)\?")
_WRITE = re.compile(r"^write (?:it with Gi, such as )?(\S+)$")
_PLAIN = re.compile(r"[\w.+-]+")
_SET_KIND = re.compile(r"set (spec\.\w+\.kind): (\w+)")


def _guess(target: Target) -> str | None:
    found = _DID_YOU_MEAN.search(target.finding.help)
    return found[1] if found else None


def _spelt_otherwise(target: Target) -> bool:
    """Whether the guess has the letters that are written, and differs in case or punctuation only."""
    guess, written = _guess(target), target.value
    return guess is not None and isinstance(written, str) and _letters(guess) == _letters(written)


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _put_guess(target: Target) -> Iterator[Edit]:
    """The value that the finding asks about (``did you mean HPA?``)."""
    guess = _guess(target)
    if guess is not None and isinstance(target.value, str):
        yield Put(target.path, guess)


def _rename_to_guess(target: Target) -> Iterator[Edit]:
    guess = _guess(target)
    if guess is not None and target.value is not None:
        yield Rename(target.path, guess.rpartition(".")[2] if "/" not in guess else guess)


def _never(_: Target) -> bool:
    return False


def _put_written(target: Target) -> Iterator[Edit]:
    """What the help says to write (``write 4B``)."""
    found = _WRITE.match(target.finding.help)
    if found and isinstance(target.value, str):
        yield Put(target.path, found[1])


def _swap_bounds(target: Target) -> Iterator[Edit]:
    parent = target.path[:-1]
    bounds = target._replace(path=parent).value
    if isinstance(bounds, dict) and {"min", "max"} <= bounds.keys():
        yield Put((*parent, "min"), bounds["max"])
        yield Put((*parent, "max"), bounds["min"])


def _name_kind(target: Target) -> Iterator[Edit]:
    found = _SET_KIND.search(target.finding.help)
    if found:
        yield Put(tuple(found[1].split(".")), found[2])


def _quote(target: Target) -> Iterator[Edit]:
    """A number or a truth value as the text that is written: ``1.10`` and ``on``, not ``1.1`` and ``true``."""
    if isinstance(target.value, bool | int | float) and target.finding.help.startswith("quote it"):
        written = target.source(target.document.locate(target.path))
        if _PLAIN.fullmatch(written):
            yield Put(target.path, written)


def _lower(target: Target) -> Iterator[Edit]:
    if isinstance(target.value, str) and target.value.strip().lower() in ("true", "false"):
        yield Put(target.path, target.value.strip().lower())


def _drop(target: Target) -> Iterator[Edit]:
    if target.value is not None:
        yield Drop(target.path)


def _put(*path: str, value: Any) -> Callable[[Target], Iterator[Edit]]:
    """A fixer that sets the field at ``path``, wherever in the object the finding is."""

    def edits(_: Target) -> Iterator[Edit]:
        yield Put(path, value)

    return edits


def _in_memory(target: Target) -> Iterator[Edit]:
    if isinstance(target.value, dict):
        yield Put((*target.path, "medium"), "Memory")


def _request_as_limit(target: Target) -> Iterator[Edit]:
    *above, part, name = target.path
    limit = target._replace(path=(*above, "limits", name)).value
    if part == "requests" and limit is not None:
        yield Put(target.path, limit)


FIXERS: dict[str, Fixer] = {
    "OME120": Fixer(_rename_to_guess, safe=_never),
    "OME122": Fixer(_quote),
    "OME124": Fixer(_put_guess, safe=_spelt_otherwise),
    "OME140": Fixer(_put("apiVersion", value=API_VERSION), safe=_never),
    "OME141": Fixer(_put_guess, safe=_spelt_otherwise),
    "OME145": Fixer(_drop),
    "OME163": Fixer(_lower),
    "OME164": Fixer(_rename_to_guess, safe=_never),
    "OME206": Fixer(_put("spec", "disabled", value=True)),
    "OME210": Fixer(_put("spec", "disabled", value=False), safe=_never),
    "OME254": Fixer(_name_kind),
    "OME331": Fixer(_put_written),
    "OME332": Fixer(_swap_bounds),
    "OME339": Fixer(_drop),
    "OME346": Fixer(_drop),
    "OME350": Fixer(_put_guess, safe=_spelt_otherwise),
    "OME363": Fixer(_put_written, safe=_never),
    "OME371": Fixer(_drop),
    "OME410": Fixer(_request_as_limit),
    "OME411": Fixer(_request_as_limit, safe=_never),
    "OME431": Fixer(_in_memory),
    "OME509": Fixer(_put_guess, safe=_spelt_otherwise),
    "OME621": Fixer(_put_written, safe=_never),
    "OME625": Fixer(_drop),
    "OME626": Fixer(_drop),
    "OME710": Fixer(_drop),
    "OME971": Fixer(_drop),
}
"""The fixers by the code of the rule; each of these rules says ``fixable``."""
