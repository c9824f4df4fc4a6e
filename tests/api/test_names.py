"""Kubernetes names, label keys and label values."""

from __future__ import annotations

import pytest

from omec.api.names import dns_label_problem, dns_subdomain_problem, label_key_problem, label_value_problem

LABELS = [
    ("a", True),
    ("0-0", True),
    ("a" * 63, True),
    ("a" * 64, False),
    ("", False),
    ("-a", False),
    ("a-", False),
    ("A", False),
    ("a.b", False),
    ("a_b", False),
    ("a\n", False),
    ("é", False),
]
SUBDOMAINS = [
    ("a", True),
    ("a.b-c.0", True),
    ("a" * 253, True),
    ("a" * 254, False),
    ("", False),
    ("a..b", False),
    (".a", False),
    ("a.", False),
    ("a.-b", False),
    ("A", False),
    ("a_b", False),
]
KEYS = [
    ("app", True),
    ("ome.io/runtime", True),
    ("A_b.c-d", True),
    ("a" * 63, True),
    ("a" * 64, False),
    ("x.y/" + "a" * 63, True),
    ("", False),
    ("/a", False),
    ("a/", False),
    ("a/b/c", False),
    ("OME.io/a", False),
    ("-a", False),
    ("a b", False),
]
VALUES = [
    ("", True),
    ("a", True),
    ("A_b.c-9", True),
    ("a" * 63, True),
    ("a" * 64, False),
    ("-a", False),
    ("a b", False),
    ("a/b", False),
    ("a\n", False),
]


@pytest.mark.parametrize(("text", "valid"), LABELS)
def test_dns_label(text: str, valid: bool) -> None:
    assert (dns_label_problem(text) is None) is valid


@pytest.mark.parametrize(("text", "valid"), SUBDOMAINS)
def test_dns_subdomain(text: str, valid: bool) -> None:
    assert (dns_subdomain_problem(text) is None) is valid


@pytest.mark.parametrize(("text", "valid"), KEYS)
def test_label_key(text: str, valid: bool) -> None:
    assert (label_key_problem(text) is None) is valid


@pytest.mark.parametrize(("text", "valid"), VALUES)
def test_label_value(text: str, valid: bool) -> None:
    assert (label_value_problem(text) is None) is valid


def test_problems_say_what_is_wrong() -> None:
    assert dns_label_problem("a" * 64) == "has 64 characters, 63 are allowed"
    assert label_key_problem("A.b/c") == f"has a prefix that {dns_subdomain_problem('A.b')}"
    assert label_key_problem("a/") == "has no name part"
