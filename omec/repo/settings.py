"""Checks of single settings: from what TOML or a caller gives to what :class:`omec.repo.config.Config` holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from omec.errors import OmecError
from omec.finding import FieldPath, Rule, field_text
from omec.repo.config_rules import CONFIG_UNKNOWN_KEY, CONFIG_VALUE

EMIT = ("objects", "kustomization")
FAIL_ON = ("error", "warning", "info", "never")
OME_VERSIONS = ("1.3", "1.2")
PLATFORMS = ("ome", "kubernetes")

_DNS_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


class Place(msgspec.Struct, frozen=True):
    """A key of the configuration and how a message says where it stands (``omec.toml:3:1: platform``)."""

    path: FieldPath
    where: Callable[[FieldPath], str]

    def child(self, step: str | int) -> Place:
        return Place((*self.path, step), self.where)

    def error(self, problem: str, hint: str = "", rule: Rule = CONFIG_VALUE) -> OmecError:
        name = field_text(self.path) or "the configuration"
        return OmecError(f"{self.where(self.path)}{name} {problem}", hint=hint, code=rule.code)

    def unknown(self, key: str, known: Iterable[str]) -> OmecError:
        """The error for ``key`` of the table at this place, with the known key that was probably meant."""
        return OmecError(
            f"{self.where((*self.path, key))}unknown key {key!r}{self._table()}",
            hint=suggestion(key, known),
            code=CONFIG_UNKNOWN_KEY.code,
        )

    def _table(self) -> str:
        return f" in [{field_text(self.path)}]" if self.path else ""


Check = Callable[[Any, Place], Any]


def suggestion(text: str, known: Iterable[str]) -> str:
    """``did you mean 'x'?``, or the list of what there is to choose from when nothing is close."""
    import difflib  # noqa: PLC0415 - needed for errors only

    choices = list(known)
    by_lower = {choice.lower(): choice for choice in choices}
    close = difflib.get_close_matches(text.lower().replace("_", "-"), by_lower, n=1)
    return f"did you mean {by_lower[close[0]]!r}?" if close else f"known: {', '.join(choices)}"


def text(value: Any, place: Place) -> str:
    if isinstance(value, str) and "\0" in value:
        raise place.error("holds a NUL character", hint="delete it; no path and no name can hold one")
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, str):
        raise place.error("is empty", hint="remove the key, or give it a value")
    hint = "write it in quotes" if isinstance(value, int | float) and not isinstance(value, bool) else ""
    raise place.error(f"must be a text, not {type_name(value)}", hint=hint)


def flag(value: Any, place: Place) -> bool:
    if isinstance(value, bool):
        return value
    raise place.error(f"must be true or false, not {type_name(value)}")


def texts(value: Any, place: Place) -> tuple[str, ...]:
    """A list of texts without repetitions."""
    if not isinstance(value, list | tuple):
        raise place.error(f"must be a list of texts, not {type_name(value)}")
    return tuple(dict.fromkeys(text(item, place.child(index)) for index, item in enumerate(value)))


def text_or_texts(value: Any, place: Place) -> tuple[str, ...]:
    """One text, or a list of at least one."""
    if isinstance(value, str):
        return (text(value, place),)
    if not isinstance(value, list | tuple):
        raise place.error(f"must be a text or a list of texts, not {type_name(value)}")
    if not value:
        raise place.error("is an empty list", hint="remove the key, or name a path")
    return texts(value, place)


def one_of(*choices: str) -> Check:
    def check(value: Any, place: Place) -> str:
        chosen = text(value, place)
        if chosen not in choices:
            raise place.error(f"is {chosen!r}", hint=f"it must be one of {', '.join(choices)}")
        return chosen

    return check


def namespace(value: Any, place: Place) -> str:
    name = text(value, place)
    if not _DNS_LABEL.fullmatch(name):
        raise place.error(
            f"is {name!r}, which no namespace can be called", hint="use at most 63 of a-z, 0-9 and '-' (DNS label)"
        )
    return name


def table(value: Any, place: Place) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise place.error(f"must be a table, not {type_name(value)}")
    for key in value:
        if not isinstance(key, str):
            raise place.error(f"has the key {key!r}, which is not a text")
    return value


def type_name(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    return "nothing" if value is None else f"a {type(value).__name__}"
