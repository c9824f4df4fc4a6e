"""What could not be read, and the kinds that it may hold."""

from __future__ import annotations

import pytest

from omec.finding import Position
from omec.repo.lost import Lost
from omec.repo.read import read
from tests.repo.conftest import MakeTree, manifest

HERE = Position("a.yaml", 1, 1)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("apiVersion: ome.io/v1beta1\nkind: ServingRuntime\nspec: [\n", {"ServingRuntime"}),
        ('kind: "InferenceService"\nspec:\n  model:\n    kind: BaseModel\n  x: [\n', {"InferenceService"}),
        ('{"apiVersion": "ome.io/v1beta1",\n "kind": "BaseModel", ', {"BaseModel"}),
        ("x: {\n", None),
        ("", None),
    ],
)
def test_the_kinds_that_a_text_names(text: str, kinds: set[str] | None) -> None:
    assert Lost.of_text(HERE, text).kinds == (None if kinds is None else frozenset(kinds))


def test_what_names_no_kind_may_hold_any() -> None:
    assert Lost(HERE).may_hold(["ServingRuntime"])
    assert not Lost(HERE, frozenset(["ConfigMap"])).may_hold(["ServingRuntime", "BaseModel"])


@pytest.mark.parametrize(
    ("content", "kinds"),
    [
        (manifest("a") + "x: {\n", [frozenset(["ConfigMap"])]),
        (manifest("a") + "---\n" + manifest("b") + "x: [\n", [frozenset(["ConfigMap"])]),
        (manifest("a") + "--- x\n" + manifest("b"), [frozenset(["ConfigMap"])]),
        (manifest("a") + "x: .inf\n", [frozenset(["ConfigMap"])]),
        (manifest("a"), []),
        ("name: {{ .Values.x }}\n", []),
    ],
)
def test_reading_says_what_it_lost(tree: MakeTree, content: str, kinds: list[frozenset[str]]) -> None:
    tree({"a.yaml": content})
    assert [lost.kinds for lost in read(["."]).lost] == kinds


def test_a_file_that_cannot_be_decoded_is_lost(tree: MakeTree) -> None:
    root = tree({"a.yaml": ""})
    (root / "a.yaml").write_bytes(manifest("a").encode() + b"x: \xff\n")
    (root / "b.yaml").symlink_to("nowhere.yaml")
    assert [(lost.position.path, lost.kinds) for lost in read(["."]).lost] == [
        ("b.yaml", None),
        ("a.yaml", frozenset(["ConfigMap"])),
    ]
