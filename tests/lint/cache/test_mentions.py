"""Names are found wherever they may stand, and nowhere else."""

from __future__ import annotations

import pytest

from omec.lint.cache.mentions import Texts, is_usual, may_hide_names, words_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("name: llama", True),
        ("llama", True),
        ("oci://models/llama:1", True),
        ("http://llama.team.svc.cluster.local", True),
        ("[a, llama]", True),
        ("name: llama-3", False),
        ("name: my-llama", False),
        ("name: llamas\nname: llama", True),
        ("name: llama2", False),
        ("", False),
    ],
)
def test_a_name_in_a_text(text: str, found: bool) -> None:
    files = [("a.yaml", b"name: other"), ("b.yaml", text.encode()), ("c.yaml", b"llama-x")]
    assert Texts(files).naming("llama") == ({"b.yaml"} if found else set())


def test_every_file_with_a_name() -> None:
    files = [(f"{number}.yaml", b"llama llama" if number % 2 else b"lla") for number in range(5)]
    assert Texts(files).naming("llama") == {"1.yaml", "3.yaml"}


@pytest.mark.parametrize(
    ("content", "hides"),
    [
        (b'name: "ll\\x61ma"', True),
        (b'{"name": "ll\\u0061ma"}', True),
        (b'name: "lla\\\n  ma"', True),
        (b'name: "lla\\\r\n  ma"', True),
        (b"name: !!binary bGxhbWE=", True),
        (b"command: |\n  python3 \\\n  --model", False),
        (b'text: "a\\nb\\"c"', False),
        (b"name: llama", False),
    ],
)
def test_a_text_that_may_hide_a_name(content: bytes, hides: bool) -> None:
    assert may_hide_names(content) == hides


@pytest.mark.parametrize(("name", "usual"), [("a", True), ("a.b-c", True), ("A", False), ("a b", False), ("-a", False)])
def test_usual_names(name: str, usual: bool) -> None:
    assert is_usual(name) == usual


def test_words() -> None:
    value = {"a": ["oci://b/c:d", {"e.f": 1}], "g": None}
    assert {"a", "b", "c", "d", "e.f", "e", "f", "1", "g"} <= set(words_of(value))
