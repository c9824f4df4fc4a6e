"""The grammars of Kubernetes names, label keys and label values (apimachinery ``validation``).

Every function returns what is wrong with a text, or ``None`` when nothing is: half a sentence that goes behind
"because it" or a colon.
"""

from __future__ import annotations

import re

LABEL_LENGTH = 63
SUBDOMAIN_LENGTH = 253

_DNS_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_DNS_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_QUALIFIED_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?")


def dns_label_problem(text: str) -> str | None:
    """Why ``text`` is not a DNS label (namespaces, container and volume names)."""
    if not text:
        return "is empty"
    if not _DNS_LABEL.fullmatch(text):
        return "may hold only lower-case letters, digits and hyphens, and must begin and end with a letter or digit"
    return _too_long(text, LABEL_LENGTH)


def dns_subdomain_problem(text: str) -> str | None:
    """Why ``text`` is not a DNS subdomain (names of most objects)."""
    if not text:
        return "is empty"
    if not _DNS_SUBDOMAIN.fullmatch(text):
        return (
            "may hold only lower-case letters, digits, hyphens and dots, and must begin and end with a letter or digit"
        )
    return _too_long(text, SUBDOMAIN_LENGTH)


def label_key_problem(text: str) -> str | None:
    """Why ``text`` is not a key of a label or annotation: ``[prefix/]name``."""
    prefix, slash, name = text.rpartition("/")
    if slash:
        problem = dns_subdomain_problem(prefix)
        if problem:
            return f"has a prefix that {problem}"
    if not name:
        return "has no name part" if slash else "is empty"
    if not _QUALIFIED_NAME.fullmatch(name):
        return "may hold only letters, digits, '-', '_' and '.', and must begin and end with a letter or digit"
    return _too_long(name, LABEL_LENGTH)


def label_value_problem(text: str) -> str | None:
    """Why ``text`` is not a label value; the empty text is one."""
    if text and not _QUALIFIED_NAME.fullmatch(text):
        return "may hold only letters, digits, '-', '_' and '.', and must begin and end with a letter or digit"
    return _too_long(text, LABEL_LENGTH)


def _too_long(text: str, limit: int) -> str | None:
    return f"has {len(text)} characters, {limit} are allowed" if len(text) > limit else None
