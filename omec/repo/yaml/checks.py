"""What is odd about single keys, tags and scalars: each check returns a :class:`Problem`, or ``None``."""

from __future__ import annotations

import re
from typing import Any

from omec.repo import rules
from omec.repo.yaml.anchors import MAX_DEPTH, MAX_EXPANDED
from omec.repo.yaml.problem import Problem, Span
from omec.repo.yaml.scalars import KNOWN_TAGS

BOM = "\ufeff"
BOM_STAND_IN = "\uf6ef"
"""Stands for a byte order mark inside a text, which libyaml refuses and kubectl takes for an ordinary character."""

_INVISIBLE = {
    "\u00a0": "a no-break space",
    "\u00ad": "a soft hyphen",
    "\u200b": "a zero-width space",
    "\u202f": "a narrow no-break space",
    "\u2060": "a word joiner",
    "\u3000": "an ideographic space",
    BOM: "a byte order mark",
    BOM_STAND_IN: "a byte order mark",
}
_INVISIBLE_START = re.compile(rf"^[ -]*[{''.join(_INVISIBLE)}]", re.MULTILINE)
_TIGHT_COLON = re.compile(r"\{(?:[^{}\n]*,)?[ ]*[^\s\"'{}\[\],:]+:[^\s,{}\[\]]")
_CODE_TAG = re.compile(r"(?:tag:yaml\.org,2002:|!)(?:python|ruby|perl|js|javax?|com|org)[./:]")
_SLASH_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*(\\/)")
_CONTENT_LINE = re.compile(r"^[ \t]*(?!\.\.\.\s)([^\s#][^\r\n]*)", re.MULTILINE)


def suspicious(text: str) -> bool:
    """Whether ``text`` may hold something that the checks of this module report and the reader does not notice."""
    return (
        "\\/" in text
        or "\n..." in text
        or ("{" in text and _TIGHT_COLON.search(text) is not None)
        or (not text.isascii() and _INVISIBLE_START.search(text) is not None)
    )


def tag(tag: str, span: Span) -> Problem | None:
    if tag in KNOWN_TAGS:
        return None
    short = tag.replace("tag:yaml.org,2002:", "!!")
    if _CODE_TAG.match(tag):
        return Problem(
            rules.CODE_TAG,
            f"tag {short} names program code, which omec and kubectl never run",
            span,
            help="remove the tag and write the value that the code would give",
            fatal=False,
        )
    return Problem(
        rules.UNKNOWN_TAG,
        f"tag {short} means nothing to Kubernetes: kubectl drops it and keeps the rest as it stands",
        span,
        help="remove the tag, or process the file with the tool that knows the tag first",
        fatal=False,
    )


def escapes(text: str, span: Span) -> Problem | None:
    """``\\/`` is an escape of JSON that kubectl's YAML reader does not know, although libyaml does."""
    match = _SLASH_ESCAPE.search(text, *span)
    if not match:
        return None
    return Problem(
        rules.SYNTAX,
        "kubectl's YAML reader does not know the escape \\/ in a quoted string",
        Span(*match.span(1)),
        help="write / without the backslash",
    )


def key(key: str, span: Span) -> Problem | None:
    name = _INVISIBLE.get(key[:1])
    if not name:
        return None
    return Problem(
        rules.INVISIBLE,
        f"key “{key[1:].strip()}” begins with {name}, which kubectl takes for a part of its name",
        Span(span.start, span.start + 1),
        help="replace the invisible character by ordinary spaces, or delete it",
        fatal=False,
    )


def missing_space(mapping_event: Any, key_event: Any, value_event: Any, span: Span) -> Problem | None:
    """``{a:1}`` is the key ``a:1`` with no value."""
    no_value = getattr(value_event, "value", None) == "" and not value_event.style
    if not (mapping_event.flow_style and no_value and not key_event.style and ":" in key_event.value):
        return None
    return Problem(
        rules.MISSING_SPACE,
        f"“{key_event.value}” is read as one key without a value, because no space follows the colon",
        span,
        help="put a space after the colon",
        fatal=False,
    )


def dropped(text: str, end: int) -> Problem | None:
    """Content after the end of the first document of a chunk; ``end`` is where that document ends."""
    match = _CONTENT_LINE.search(text, end)
    if not match:
        return None
    return Problem(
        rules.DROPPED,
        "kubectl drops everything from here to the next line --- because a line ... ended the document",
        Span(*match.span(1)),
        help="write --- instead of ... between documents",
        fatal=False,
    )


def version(span: Span) -> Problem:
    return Problem(
        rules.SYNTAX,
        "kubectl reads YAML 1.1 only, and refuses a %YAML directive of another version",
        span,
        help="remove the %YAML line",
    )


def nesting(span: Span) -> Problem:
    return Problem(
        rules.NESTING,
        f"collections are nested more than {MAX_DEPTH} levels deep",
        span,
        help="look for brackets that are opened and never closed; no Kubernetes object is nested this deeply",
    )


def expansion(name: str, span: Span) -> Problem:
    return Problem(
        rules.EXPANSION,
        f"alias *{name} makes the document expand beyond {MAX_EXPANDED:,} values or {MAX_DEPTH} levels",
        span,
        help="write the repeated parts out, or remove aliases of values that contain aliases themselves",
    )


def unknown_anchor(name: str, span: Span) -> Problem:
    return Problem(
        rules.ALIAS,
        f"alias *{name} has no anchor &{name} before it in this document",
        span,
        help=f"define &{name} earlier in the same document, or quote the text if no alias is meant",
    )


def self_reference(name: str, span: Span) -> Problem:
    return Problem(
        rules.ALIAS,
        f"alias *{name} stands inside the value of its own anchor, which would make it endless",
        span,
        help="write out what the inner value should be",
    )


def unusable_key(reason: str, templated: bool, span: Span) -> Problem:
    return Problem(
        rules.UNUSABLE_KEY,
        f"kubectl refuses this key: {reason}",
        span,
        help="put the template expression {{ … }} in quotes" if templated else "write the key as text, in quotes",
    )


def unusable_value(reason: str, span: Span) -> Problem:
    return Problem(
        rules.UNUSABLE_VALUE,
        f"kubectl refuses this value: {reason}",
        span,
        help="write a value of the intended type, or put the text in quotes without a tag",
    )


def merge_of(span: Span) -> Problem:
    return Problem(
        rules.UNUSABLE_VALUE,
        "a merge key << needs a mapping, or a list of mappings, as its value",
        span,
        help="name the anchor of a mapping, or put the key in quotes if no merge is meant",
    )


def duplicate(key: str, first: Span, second: Span) -> Problem:
    return Problem(
        rules.DUPLICATE_KEY,
        f"key “{key}” occurs twice in this mapping",
        second,
        help="remove one of the two, or merge what stands below them",
        related=((first, "first set here"),),
        fatal=False,
    )


def override(key: str, first: Span, second: Span, *, by_merge: bool) -> Problem:
    what = f"<< overwrites key “{key}”, set before it" if by_merge else f"key “{key}” overwrites the one that << brings"
    return Problem(
        rules.MERGE_OVERRIDE,
        f"{what}: kubectl keeps this value, and a strict reader refuses the file",
        second,
        help="set each key in one place: put << first and write only keys below it that it does not bring",
        related=((first, "overwritten value"),),
        fatal=False,
    )
