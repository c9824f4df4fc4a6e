"""Positions of what kustomize builds: in the original files where the overlay has left the field as it is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from omec.finding import FieldPath
from omec.repo.document import Document
from omec.repo.origins import traced, unchanged
from omec.repo.read import Reading, read
from omec.session import open_repo
from tests.kubectl import require_kubectl
from tests.repo.conftest import MakeTree

BASE = """\
apiVersion: ome.io/v1beta1
kind: BaseModel
metadata:
  name: llama   # the overlay adds a prefix
  namespace: llm
spec:
  vendr: meta
  version: "1"
---
apiVersion: ome.io/v1beta1
kind: ServingRuntime
metadata: {name: llama, namespace: llm}
spec:
  engineConfig:
    runner:
      name: ome-container
      image: x
      env:
      - {name: A, value: "1"}
      - {name: B, value: "2"}
"""
OVERLAY = """\
resources: [../base]
buildMetadata: [originAnnotations, transformerAnnotations]
namePrefix: prod-
configMapGenerator:
- {name: generated, namespace: llm, literals: [a=b]}
patches:
- patch: |
    apiVersion: ome.io/v1beta1
    kind: BaseModel
    metadata: {name: llama, namespace: llm, annotations: {mine: kept}}
    spec: {version: "2"}
- patch: |
    apiVersion: ome.io/v1beta1
    kind: ServingRuntime
    metadata: {name: llama, namespace: llm}
    spec: {engineConfig: {runner: {image: y}}}
"""


@pytest.fixture
def built(tree: MakeTree, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Reading]:
    """Reads the build of ``prod``, with the base beside it, by the real kubectl."""
    monkeypatch.setenv("PATH", str(Path(require_kubectl()).parent))
    tree(
        {
            "base/models.yaml": BASE,
            "base/kustomization.yaml": "resources: [models.yaml]\n",
            "prod/kustomization.yaml": OVERLAY,
        }
    )
    return lambda: read(["."], kustomize="prod")


def of_kind(reading: Reading, kind: str) -> Document:
    (document,) = (each for each in reading.documents if each.value["kind"] == kind)
    return document


@pytest.mark.parametrize(
    ("kind", "path", "key", "place"),
    [
        ("BaseModel", ("spec", "vendr"), True, "base/models.yaml:7:3"),
        ("BaseModel", ("spec",), False, "base/models.yaml:7:3"),
        ("BaseModel", ("spec", "storage"), False, "base/models.yaml:7:3"),
        ("ServingRuntime", ("spec", "engineConfig", "runner", "env", 1, "value"), False, "base/models.yaml:20:26"),
    ],
    ids=str,
)
def test_what_the_overlay_leaves_stands_in_the_original(
    built: Callable[[], Reading], kind: str, path: FieldPath, key: bool, place: str
) -> None:
    assert str(of_kind(built(), kind).locate(path, key=key)) == place


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("BaseModel", ("metadata", "name")),
        ("BaseModel", ("spec", "version")),
        ("BaseModel", ("metadata", "annotations", "mine")),
        ("ServingRuntime", ("spec", "engineConfig", "runner", "image")),
        ("ConfigMap", ("data", "a")),
    ],
    ids=str,
)
def test_what_the_overlay_sets_stands_in_the_build(built: Callable[[], Reading], kind: str, path: FieldPath) -> None:
    position = of_kind(built(), kind).locate(path)
    assert position.path == "prod"
    assert position.line > 0


def test_the_annotations_are_no_part_of_the_objects(built: Callable[[], Reading]) -> None:
    reading = built()
    assert of_kind(reading, "BaseModel").value["metadata"]["annotations"] == {"mine": "kept"}
    assert "annotations" not in of_kind(reading, "ServingRuntime").value["metadata"]
    assert "annotations" not in of_kind(reading, "ConfigMap").value["metadata"]


def test_what_is_known_of_the_original_files(built: Callable[[], Reading]) -> None:
    reading = built()
    assert reading.files == 1
    assert reading.sources == {"base/models.yaml": "base/models.yaml", "prod": "prod"}
    assert reading.origins == {"base/models.yaml": "prod"}
    assert reading.texts["base/models.yaml"] == BASE
    assert {document.source for document in reading.documents} == {"prod"}


def test_findings_stand_in_the_original(built: Callable[[], Reading]) -> None:
    built()
    found = [str(each.position) for each in open_repo((), kustomize="prod").lint().findings if "vendr" in each.message]
    assert found == ["base/models.yaml:7:3"]


def test_a_comment_of_the_original_suppresses(built: Callable[[], Reading]) -> None:
    path = Path("base/models.yaml")
    path.write_text(BASE.replace("vendr: meta", "vendr: meta  # omec: ignore[OME120] read by our own tool"))
    assert not [each for each in open_repo((), kustomize="prod").lint().findings if each.rule.code == "OME120"]


def test_without_annotations_positions_are_those_of_the_build(built: Callable[[], Reading]) -> None:
    file = Path("prod/kustomization.yaml")
    file.write_text(file.read_text().replace("buildMetadata: [originAnnotations, transformerAnnotations]\n", ""))
    reading = built()
    assert of_kind(reading, "BaseModel").locate(("spec", "vendr")).path == "prod"
    assert reading.origins == {}


@pytest.mark.parametrize(
    "origin",
    [
        "path: gone.yaml\n",
        "path: a.yaml\nrepo: https://example.com/x\n",
        "configuredIn: kustomization.yaml\n",
        "path: [1]\n",
        ": [",
        "a\0b",
        7,
        None,
    ],
)
def test_an_origin_that_leads_nowhere(tmp_path: Path, origin: Any) -> None:
    value = {
        "apiVersion": "v1",
        "kind": "X",
        "metadata": {"name": "x", "annotations": {"config.kubernetes.io/origin": origin}},
    }
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nkind: X\nmetadata: {name: x}\n")
    (document,) = traced([Document("o", 0, value)], str(tmp_path), tmp_path).documents
    assert document.value["metadata"] == {"name": "x"}
    assert str(document.locate(("kind",))) == "o"


@pytest.mark.parametrize("kind", ["pipe", "device", "latin-1"])
def test_an_origin_that_is_no_manifest(tmp_path: Path, kind: str) -> None:
    origin = tmp_path / "a.yaml"
    if kind == "pipe":
        os.mkfifo(origin)
    elif kind == "device":
        origin.symlink_to("/dev/zero")
    else:
        origin.write_bytes(b"# \xe9\napiVersion: v1\nkind: X\nmetadata: {name: x}\n")
    metadata = {"name": "x", "annotations": {"config.kubernetes.io/origin": "path: a.yaml\n"}}
    built = Document("o", 0, {"apiVersion": "v1", "kind": "X", "metadata": metadata})
    (document,) = traced([built], str(tmp_path), tmp_path).documents
    assert str(document.locate(("kind",))) == "o"


@pytest.mark.parametrize(("name", "line"), [("one", 3), ("a-two-b", 7), ("six", 0), ("one-two", 0)])
def test_which_object_of_a_file_is_meant(tmp_path: Path, name: str, line: int) -> None:
    """The one of that name, else the only one whose name a prefix or suffix was added to."""
    (tmp_path / "a.yaml").write_text(
        "apiVersion: v1\nkind: X\nmetadata: {name: one}\n---\napiVersion: v1\nkind: X\nmetadata: {name: two}\n"
    )
    metadata = {"name": name, "annotations": {"config.kubernetes.io/origin": "path: a.yaml\n"}}
    value = {"apiVersion": "v1", "kind": "X", "metadata": metadata}
    (document,) = traced([Document("o", 0, value)], str(tmp_path), tmp_path).documents
    assert document.locate(("metadata",)).line == line


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ((), ()),
        (("a",), ("a",)),
        (("b",), None),
        (("c",), None),
        (("d",), None),
        (("e", "f"), ("e", "f")),
        (("a", "x"), None),
        (("l", 0), ("l", 1)),
        (("l", 1, "name"), ("l", 0, "name")),
        (("l", 1, "v"), None),
        (("l", 2), None),
        (("l", 3), None),
        (("s",), None),
    ],
    ids=str,
)
def test_unchanged(path: FieldPath, there: FieldPath | None) -> None:
    built = {"a": 1, "b": 2, "c": 3, "l": ["x", {"name": "n", "v": 1}, "new"], "s": True}
    original = {"a": 1, "b": 3, "d": 4, "l": [{"name": "n", "v": 2}, "x"], "s": 1}
    assert unchanged(built, original, path) == there
