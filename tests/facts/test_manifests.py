"""Facts into manifests: what is added, and that nothing else changes."""

from __future__ import annotations

from typing import Any

import pytest

from omec.facts.manifests import additions
from omec.repo.document import Document
from omec.repo.edit import CannotEditError, Change, Put, edited
from omec.repo.objects import read_text
from omec.repo.walk import SourceFile

FILLED = {
    "modelType": "llama",
    "modelArchitecture": "LlamaForCausalLM",
    "modelFormat": {"name": "safetensors", "version": "1.0.0"},
    "modelParameterSize": "8.03B",
    "modelCapabilities": ["TEXT_TO_TEXT"],
    "modelConfiguration": {"x": 1},
}
ADDED = """\
  modelType: llama
  modelArchitecture: LlamaForCausalLM
  modelFormat:
    name: safetensors
    version: 1.0.0
  modelParameterSize: 8.03B
  modelCapabilities:
  - TEXT_TO_TEXT
"""
HEAD = "apiVersion: ome.io/v1beta1\nkind: ClusterBaseModel\nmetadata:\n  name: x\n"
STORAGE = "  storage:   # where\n    storageUri: 'hf://a/b'\n"
COMMENTED = f"# top\n{HEAD}# about the spec\nspec:  # it begins\n  # where it is\n{STORAGE}\n# the end\n"


def documents(text: str, path: str = "x.yaml") -> list[Document]:
    return read_text(SourceFile(path, path, lambda _: text.encode()), text).documents


def written(text: str, filled: dict[str, Any] = FILLED, path: str = "x.yaml") -> str:
    """``text`` with what every document of it lacks of ``filled``."""
    changes = [Change(each, additions(each.value["spec"], filled)) for each in documents(text, path)]
    return edited(path, text, changes)


def test_lines_are_added_and_nothing_else_changes() -> None:
    new = written(COMMENTED)
    assert new == COMMENTED.replace("spec:  # it begins\n", f"spec:  # it begins\n{ADDED}")
    assert written(new) == new


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (STORAGE, ADDED + STORAGE),
        ("      storage:\n          storageUri: x\n", None),
        (f"  modelType: mine\n{STORAGE}", ADDED.replace("  modelType: llama\n", "") + f"  modelType: mine\n{STORAGE}"),
        (
            f"  modelFormat:\n      # which\n      name: safetensors\n{STORAGE}",
            ADDED.replace("  modelFormat:\n    name: safetensors\n    version: 1.0.0\n", "")
            + f"  modelFormat:\n      version: 1.0.0\n      # which\n      name: safetensors\n{STORAGE}",
        ),
    ],
)
def test_where_the_lines_go(spec: str, expected: str | None) -> None:
    new = written(f"{HEAD}spec:\n{spec}")
    assert expected is None or new == f"{HEAD}spec:\n{expected}"
    assert documents(new)[0].value["spec"].items() >= {"modelParameterSize": "8.03B"}.items()


@pytest.mark.parametrize(
    "spec",
    [
        "spec: {storage: {storageUri: 'hf://a/b'}} # all on one line\n",
        f"spec:\n  modelFormat: {{name: safetensors}} # no version\n{STORAGE}",
        f"spec:\n  modelType: null # not known\n{STORAGE}",
        f"spec:\n  modelCapabilities: []\n{STORAGE}",
        f"spec:\n  modelType:\n{STORAGE}",
    ],
)
def test_what_stands_on_one_line_is_written_anew_with_its_comments(spec: str) -> None:
    text = f"# top\n{HEAD}{spec}"
    new = written(text)
    changed = documents(new)[0].value
    assert changed["spec"] == documents(text)[0].value["spec"] | {
        k: FILLED[k] for k in FILLED if k != "modelConfiguration"
    }
    assert [line for line in text.splitlines() if "#" in line and line.partition("#")[2] not in new] == []
    assert "'hf://a/b'" in new


def test_several_documents_of_one_file() -> None:
    text = f"---\n{HEAD}spec:\n{STORAGE}---\n# only data\n{HEAD}spec:\n{STORAGE}---\n"
    assert written(text) == text.replace("spec:\n", f"spec:\n{ADDED}")


def test_items_of_a_list() -> None:
    item = "".join(f"  {line}\n" for line in f"{HEAD}spec:\n{STORAGE}".splitlines())
    text = f"apiVersion: v1\nkind: List\nitems:\n- {item[2:]}- {item[2:]}"
    indented = "".join(f"  {line}\n" for line in ADDED.splitlines())
    assert written(text) == text.replace("spec:\n", f"spec:\n{indented}")


def test_line_ends_are_kept() -> None:
    text = COMMENTED.replace("\n", "\r\n")
    assert written(text).count("\r\n") == written(COMMENTED).count("\n") == written(text).count("\n")
    assert written(f"{HEAD}spec:\n  storage: {{}}").endswith("  storage: {}")


def test_the_style_of_lists_is_kept_when_the_file_is_written_anew() -> None:
    text = f"{HEAD}spec:\n  modelCapabilities: []\n  list:\n    - a\n    - b: 'c'\n      d: \"e\"\n"
    assert "  list:\n    - a\n    - b: 'c'\n      d: \"e\"\n" in written(text)


def test_what_cannot_be_written() -> None:
    with pytest.raises(CannotEditError, match="leaves no place"):
        written(f"{HEAD}spec: &a\n{STORAGE}other: *a\n")


def test_additions() -> None:
    assert additions({}, {"modelType": "", "modelCapabilities": [""], "maxTokens": 5, "x": 1}) == [
        Put(("spec", "maxTokens"), 5)
    ]
    assert additions({"modelFormat": {"name": "a"}}, {"modelFormat": {"name": "a", "version": "1"}}) == [
        Put(("spec", "modelFormat", "version"), "1")
    ]
    assert additions({"modelType": "mine", "modelFormat": 5}, FILLED | {"modelType": "other"})[0].path[1] == (
        "modelArchitecture"
    )
