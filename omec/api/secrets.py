"""Find secrets that stand in a manifest in plain text.

Two things give one away: the published form of a token, anywhere; and a name that announces a secret (``HF_TOKEN``,
``--api-key``), where the value is neither a reference nor a placeholder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import Enum
from typing import Any, NamedTuple

from omec.api.redact import SIGNATURE, TOKEN_FORMS, TOKENS, URL_PASSWORD, is_secret_name, may_hold_token
from omec.finding import FieldPath


class Sort(Enum):
    """What gives a secret away: its form, the name of its place, or the URL that it is a part of."""

    FORM = "form"
    NAME = "name"
    URL = "url"


class Secret(NamedTuple):
    """A secret ``value`` in the text at ``path``; ``what`` says what it is, without showing it."""

    path: FieldPath
    value: str
    sort: Sort
    what: str


_WORDS = ("token", "pass", "secret", "credential", "key")
_KEYS = ("api", "access", "private", "secret", "signing", "encryption")
_NAME = re.compile(r"(?:token|passw(?:or)?d|passphrase|secret|credentials?|key)(?=[\"':=,}\]\s])")
_BEFORE_MAPPING = re.compile(r"""[\"']?:[ \t]*\r?\n[ \t]*[\w.$/-]+:[ \r\n]""")
"""What stands behind a name without a text of its own: the next line begins with another name."""
_SIGNED = ("sig=", "signature=", "token=")
_MAPS_OF_VALUES = frozenset({"parameters", "annotations", "config", "data"})
_KEY_OF_A_SECRET = "secretKey"  # noqa: S105
"""The parameter of a model's storage that names the key which holds the token in a Secret (reference 07 §5)."""
_FLAG = re.compile(r"""--?(?P<name>[A-Za-z][\w.-]*)(?:=|\s+)(?P<value>"[^"]*"|'[^']*'|[^\s"']+)""")
_VARIABLE = re.compile(r"""(?<![\w$({-])(?P<name>[A-Z][A-Z0-9_]*)=(?P<value>"[^"]*"|'[^']*'|[^\s"']+)""")
_BARE_FLAG = re.compile(r"--?(?P<name>[A-Za-z][\w.-]*)")
_SHORTEST = 6
_REFERENCE = re.compile(
    r"\$[({A-Za-z_]|\{\{|^<|>$|^ENC\[|^(?:vault|ref\+|env|file|secret|sops|aws-?sm)[:+]|^[/~.]|^https?://"
)
_PLACEHOLDER = re.compile(
    r"(?i)change[-_ ]?me|replace|example|dummy|placeholder|x{4}|your[-_ ]|todo|redacted|insert|fake|\.\.\.|\*{3}|…"
)
_NO_SECRET = frozenset({"empty", "none", "null", "secret", "token", "password", "default", "disabled", "enabled"})
_OBJECT_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?:/[a-z0-9.-]+)?")
_NAME_OF_A_SECRET = re.compile(r"secret|token|cred|key|password|auth")


def may_hold_secret(text: str) -> bool:
    """Whether a file with this text is worth a closer look; quick, and ``True`` for every file with a secret."""
    if may_hold_token(text) or ("@" in text and URL_PASSWORD.search(text)):
        return True
    lower = text.lower()
    if any(_announces(lower, word) for word in _WORDS):
        return True
    return any(mark in lower for mark in _SIGNED) and bool(SIGNATURE.search(text))


def _announces(lower: str, word: str) -> bool:
    """Whether ``word`` ends a name somewhere (``tokenizer`` and ``tokens`` do not) that may be one of a secret."""
    start = lower.find(word)
    while start >= 0:
        named = word != "key" or lower[max(0, start - 12) : start].rstrip("-_.").endswith(_KEYS)
        name = _NAME.match(lower, start) if named else None
        if name and not _BEFORE_MAPPING.match(lower, name.end()) and not _is_key_of_a_secret(lower, start):
            return True
        start = lower.find(word, start + len(word))
    return False


def _is_key_of_a_secret(lower: str, start: int) -> bool:
    """Whether what begins at ``start`` is the value of a field ``key``, which names a Secret or an entry of one."""
    return lower[lower.rfind("\n", 0, start) + 1 : start].lstrip(" -{\"'").startswith("key:")


def secrets_in(value: Any, path: FieldPath = ()) -> Iterator[Secret]:
    """The secrets in a manifest, or in a part of one that stands at ``path``."""
    if isinstance(value, dict):
        yield from _in_mapping(value, path)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            below = (*path, index)
            if isinstance(item, str):
                flag = _BARE_FLAG.fullmatch(value[index - 1]) if index and isinstance(value[index - 1], str) else None
                yield from _in_text(item, below, flag["name"] if flag else None, "argument --")
            else:
                yield from secrets_in(item, below)


def _in_mapping(mapping: dict[str, Any], path: FieldPath) -> Iterator[Secret]:
    variable = mapping.get("name") if "value" in mapping else None
    for key, item in mapping.items():
        if not isinstance(item, str):
            yield from secrets_in(item, (*path, key))
        elif key == "value" and isinstance(variable, str):
            yield from _in_text(item, (*path, key), variable, "variable ")
        elif path and path[-1] in _MAPS_OF_VALUES and key != _KEY_OF_A_SECRET:
            yield from _in_text(item, (*path, key), key, f"{path[-1].removesuffix('s')} ")
        else:
            yield from _in_text(item, (*path, key), None, "")


def _in_text(text: str, path: FieldPath, name: str | None, sort: str) -> Iterator[Secret]:
    """The secrets in one text, which stands behind ``name``."""
    formed = [*_formed(text, path)]
    if formed:
        yield from formed
    elif name is not None and is_secret_name(name):
        if _is_literal(text):
            yield Secret(path, text.strip("\"'\n "), Sort.NAME, f"{sort}{name}")
    elif len(text) > _SHORTEST and ("-" in text or "=" in text):
        yield from _in_command(text, path)


def _formed(text: str, path: FieldPath) -> Iterator[Secret]:
    if may_hold_token(text):
        for match in TOKENS.finditer(text):
            if not _PLACEHOLDER.search(match[0]):
                yield Secret(path, match[0], Sort.FORM, _form(match[0]))
    if "://" in text:
        for pattern, what in ((URL_PASSWORD, "a password"), (SIGNATURE, "a signature")):
            for match in pattern.finditer(text):
                if not _is_reference(match["secret"]):
                    yield Secret(path, match["secret"], Sort.URL, what)


def _form(token: str) -> str:
    return next((what for what, form in TOKEN_FORMS.items() if re.fullmatch(form, token)), "a private key")


def _in_command(text: str, path: FieldPath) -> Iterator[Secret]:
    """The secrets in a command line: ``--api-key=…``, ``HF_TOKEN=… vllm serve``."""
    for pattern, sort in ((_FLAG, "argument --"), (_VARIABLE, "variable ")):
        for match in pattern.finditer(text):
            if is_secret_name(match["name"]) and _is_literal(match["value"]):
                yield Secret(path, match["value"].strip("\"'"), Sort.NAME, f"{sort}{match['name']}")


def _is_literal(text: str) -> bool:
    """Whether the value of a secret name is the secret itself."""
    value = text.strip().strip("\"'")
    if len(value) < _SHORTEST or value.replace(".", "").isdigit() or value.lower() in _NO_SECRET:
        return False
    if _is_reference(value):
        return False
    return not (_OBJECT_NAME.fullmatch(value) and _NAME_OF_A_SECRET.search(value))


def _is_reference(value: str) -> bool:
    """Whether ``value`` stands for something else: a variable, a template, a file, a placeholder."""
    return bool(_REFERENCE.search(value) or _PLACEHOLDER.search(value))


def hidden_forms(value: str) -> Iterator[str]:
    """How ``value`` may be written in an answer: as it is, line by line, and as JSON and YAML quote it."""
    lines = [line.strip() for line in value.splitlines() if len(line.strip()) >= _SHORTEST]
    for text in {value, *lines}:
        yield text
        yield json.dumps(text)[1:-1]
        yield json.dumps(text, ensure_ascii=False)[1:-1]
        yield text.replace("'", "''")
