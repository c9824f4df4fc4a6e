"""The grammars that Kubernetes has for names, and the API server's texts for what breaks them.

Source: Kubernetes documentation, concepts/overview/working-with-objects/names and /labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from omec.compile.admission.fielderror import Refusals, invalid, required
from omec.finding import FieldPath


class Grammar(msgspec.Struct, frozen=True, eq=False):
    """Texts of at most ``limit`` bytes that match ``pattern``; ``detail`` is the API server's text for others.

    ``unit`` is what the API server calls a byte of this kind of name, ``dots`` its text for a name with a dot, where
    it has one.
    """

    pattern: str
    limit: int
    detail: str
    unit: str = "characters"
    dots: str = ""

    def require(self, text: str, path: FieldPath) -> Refusals:
        """As :meth:`check`, but an empty text is a missing one."""
        yield from self.check(text, path) if text else iter([required(path)])

    def check(self, text: str, path: FieldPath) -> Refusals:
        for fault in faults(self, text):
            yield invalid(path, text, fault)


@lru_cache(maxsize=4096)
def faults(grammar: Grammar, text: str) -> tuple[str, ...]:
    """What breaks ``grammar`` in ``text``. The objects of a repository share most of their names and labels."""
    found = []
    if len(text.encode()) > grammar.limit:
        found.append(f"must be no more than {grammar.limit} {grammar.unit}")
    if grammar.dots and "." in text:
        found.append(grammar.dots)
    elif not re.fullmatch(grammar.pattern, text):
        found.append(grammar.detail)
    return tuple(found)


_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_SEARCH_LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_SEARCH_DOMAIN = rf"{_SEARCH_LABEL}(\.{_SEARCH_LABEL})*"
_DNS_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_LABEL_VALUE = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?"
_QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"

DNS_LABEL = Grammar(
    _LABEL,
    63,
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with"
    f" an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL}')",
)
POD_LABEL = replace(DNS_LABEL, dots="must not contain dots")
DNS_SUBDOMAIN = Grammar(
    _SUBDOMAIN,
    253,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and"
    f" end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN}')",
)
SEARCH_DOMAIN = Grammar(
    _SEARCH_DOMAIN,
    253,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start"
    f" and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_SEARCH_DOMAIN}')",
)
SERVICE_NAME = Grammar(
    _DNS_1035,
    63,
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character,"
    f" and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is"
    f" '{_DNS_1035}')",
)
LABEL_VALUE = Grammar(
    _LABEL_VALUE,
    63,
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and"
    " end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is"
    f" '{_LABEL_VALUE}')",
    unit="bytes",
)
ENVIRONMENT_NAME = Grammar(
    "[ -<>-~]+",
    2**31,
    "a valid environment variable name must consist only of printable ASCII characters other than '='",
)
CONFIG_KEY = Grammar(
    r"[-._a-zA-Z0-9]+",
    253,
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or"
    r" 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
)
_QUALIFIED_PART = Grammar(
    _QUALIFIED,
    63,
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
    f" (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_QUALIFIED}')",
    unit="bytes",
)


_EMPTY = "must be non-empty"


@lru_cache(maxsize=4096)
def _qualified_name_faults(text: str) -> tuple[str, ...]:
    prefix, slash, name = text.rpartition("/")
    if "/" in prefix:
        return (
            f"a valid label key {_QUALIFIED_PART.detail} with an optional DNS subdomain prefix and '/'"
            " (e.g. 'example.com/MyName')",
        )
    found = []
    if slash:
        found += [f"prefix part {fault}" for fault in (faults(DNS_SUBDOMAIN, prefix) if prefix else [_EMPTY])]
    if not name:
        found.append(f"name part {_EMPTY}")
    return (*found, *(f"name part {fault}" for fault in faults(_QUALIFIED_PART, name)))


def qualified_name(text: str, path: FieldPath) -> Refusals:
    """A label key, annotation key or resource name."""
    for fault in _qualified_name_faults(text):
        yield invalid(path, text, fault)


def label_keys(keys: Iterable[str], path: FieldPath) -> Refusals:
    for key in keys:
        for fault in _qualified_name_faults(key):
            yield invalid(path, key, fault)


def labels(labels: Mapping[str, str], path: FieldPath) -> Refusals:
    """Labels, or a selector by them: keys and values."""
    yield from label_keys(labels, path)
    for value in labels.values():
        for fault in faults(LABEL_VALUE, value):
            yield invalid(path, value, fault)


_IANA_RULES = (
    (r".{1,15}", "must be no more than 15 characters"),
    (r"[-a-z0-9]+", "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"),
    (r".*[a-z].*", "must contain at least one letter (a-z)"),
    (r"(?!.*--).*", "must not contain consecutive hyphens"),
    (r"(?!-).*(?<!-)", "must not begin or end with a hyphen"),
)


def port_name(name: str, path: FieldPath) -> Refusals:
    """The name of a container port, or a reference to one (IANA service name)."""
    for pattern, fault in _IANA_RULES:
        if not re.fullmatch(pattern, name, re.DOTALL):
            yield invalid(path, name, fault)


def port_number(number: int, path: FieldPath) -> Refusals:
    if number == 0:
        yield required(path)  # zero is what an absent field reads as
    elif not 1 <= number <= 65535:
        yield invalid(path, number, "must be between 1 and 65535, inclusive")


def port(port: Any, path: FieldPath) -> Refusals:
    """A port by number or by name."""
    if not isinstance(port, int):
        yield from port_name(port, path)
    elif not 1 <= port <= 65535:
        yield invalid(path, port, "must be between 1 and 65535, inclusive")


def count_or_percent(value: Any, path: FieldPath) -> Refusals:
    """A number of pods, or their share in percent."""
    if isinstance(value, int):
        if value < 0:
            yield invalid(path, value, "must be greater than or equal to 0")
    elif not re.fullmatch(r"[0-9]+%", value):
        yield invalid(
            path,
            value,
            "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex"
            " used for validation is '[0-9]+%')",
        )
