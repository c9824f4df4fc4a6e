"""Reading folders, files and streams: which objects come out, in which order, and what is skipped with a note."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from omec.errors import OmecError
from omec.repo.read import Reading, read
from tests.repo.conftest import MakeTree, manifest


def names(reading: Reading) -> list[str]:
    return [document.value["metadata"]["name"] for document in reading.documents]


def paths(reading: Reading) -> list[str]:
    return [document.path for document in reading.documents]


def slugs(reading: Reading) -> list[str]:
    return [finding.rule.slug for finding in reading.findings]


def test_a_folder_in_path_order(tree: MakeTree) -> None:
    tree({"b/x.yml": manifest("bx"), "b.yaml": manifest("b"), "a/deep/er/y.YAML": manifest("ay"), "c.txt": "x: ["})
    reading = read(["."])
    assert names(reading) == ["ay", "b", "bx"]
    assert paths(reading) == ["a/deep/er/y.YAML", "b.yaml", "b/x.yml"]
    assert (reading.findings, reading.notes, reading.files) == ((), (), 3)


def test_the_order_does_not_depend_on_the_arguments(tree: MakeTree) -> None:
    tree({"a/x.yaml": manifest("p"), "b/y.yaml": manifest("q"), "z.yaml": manifest("r")})
    assert names(read(["z.yaml", "b", "a"])) == names(read(["a", "b", "z.yaml"])) == ["p", "q", "r"]


def test_what_is_named_twice_is_read_once(tree: MakeTree) -> None:
    tree({"a/x.yaml": manifest("x")})
    assert names(read(["a", "a/x.yaml", Path("a").absolute(), "."])) == ["x"]


def test_a_named_file_is_read_whatever_its_name(tree: MakeTree) -> None:
    tree({"x.txt": manifest("x"), ".hidden/y.yaml": manifest("h")})
    assert names(read(["x.txt", ".hidden"])) == ["h", "x"]


def test_an_empty_folder_is_an_empty_reading(tree: MakeTree) -> None:
    tree({"README.md": "nothing"})
    assert read(["."]) == Reading(documents=(), findings=(), notes=(), files=0, sources={})


def test_a_missing_path_ends_the_reading(tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a")})
    with pytest.raises(OmecError, match=r"nowhere does not exist \(give a file or folder"):
        read([".", "nowhere"])


def test_paths_outside_of_the_current_folder_stay_as_given(tree: MakeTree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree({"in/a.yaml": manifest("a"), "out/b.yaml": manifest("b")})
    monkeypatch.chdir(root / "in")
    assert paths(read(["../out"])) == ["../out/b.yaml"]
    assert paths(read([str(root / "out")])) == [f"{root}/out/b.yaml"]
    assert paths(read([str(root)])) == [f"{root}/in/a.yaml", f"{root}/out/b.yaml"]
    assert paths(read([str(root / "in")])) == ["a.yaml"]


def test_the_source_of_a_document_is_the_same_on_every_machine(tree: MakeTree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree({".git/HEAD": "", "models/a.yaml": manifest("a")})
    monkeypatch.chdir(root / "models")
    for path in (".", "a.yaml", str(root), ".."):
        assert [document.source for document in read([path], root=root).documents] == ["models/a.yaml"]


def test_a_source_outside_of_the_root_is_named_from_it(tree: MakeTree) -> None:
    root = tree({"models/a.yaml": manifest("a"), "services/b.yaml": manifest("b")})
    reading = read(["models", "services"], root=root / "models")
    assert [document.source for document in reading.documents] == ["a.yaml", "../services/b.yaml"]


def test_stdin() -> None:
    reading = read(["-"], stdin=io.BytesIO(manifest("a").encode() + b"---\n" + manifest("b").encode()))
    assert names(reading) == ["a", "b"]
    assert paths(reading) == ["<stdin>", "<stdin>"]
    assert [document.index for document in reading.documents] == [0, 1]


def test_stdin_beside_files(tree: MakeTree) -> None:
    tree({"b.yaml": manifest("b")})
    assert names(read(["b.yaml", "-"], stdin=io.BytesIO(manifest("a").encode()))) == ["a", "b"]


def test_stdin_needs_a_stream() -> None:
    with pytest.raises(OmecError, match="no stdin"):
        read(["-"])


def test_hidden_folders_and_dependencies_are_left_out(tree: MakeTree) -> None:
    tree(
        {
            ".git/a.yaml": "a",
            ".venv/a.yaml": "[",
            "node_modules/a.yaml": "{",
            "x/.y/b.yaml": "]",
            "ok.yaml": manifest("ok"),
        }
    )
    reading = read(["."])
    assert (names(reading), reading.files) == (["ok"], 1)


def test_ignored_files_are_left_out_from_the_root_of_the_repository_down(tree: MakeTree) -> None:
    tree(
        {
            ".git/HEAD": "",
            ".gitignore": "*.local.yaml\nbuild/\n",
            "src/.gitignore": "!keep.local.yaml\n/drafts\n",
            "src/a.yaml": manifest("a"),
            "src/b.local.yaml": "[",
            "src/keep.local.yaml": manifest("keep"),
            "src/build/c.yaml": "[",
            "src/drafts/d.yaml": "[",
            "src/x/drafts/e.yaml": manifest("e"),
        }
    )
    assert names(read(["."])) == names(read(["src"])) == ["a", "keep", "e"]
    assert names(read(["src/x"])) == ["e"]


def test_a_named_folder_is_read_although_it_is_ignored(tree: MakeTree) -> None:
    tree({".git/HEAD": "", ".gitignore": "scratch/\n", "scratch/a.yaml": manifest("a")})
    assert names(read(["."])) == []
    assert names(read(["scratch"])) == ["a"]
    assert names(read(["scratch/a.yaml"])) == ["a"]


def test_exclude(tree: MakeTree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(
        {
            "a.yaml": manifest("a"),
            "drafts/b.yaml": "[",
            "x/drafts/c.yaml": "[",
            "x/d.test.yaml": "[",
            "x/only/e.yaml": "[",
            "only/f.yaml": manifest("f"),
        }
    )
    exclude = ["drafts/", "*.test.yaml", "/x/only"]
    assert names(read(["."], exclude=exclude)) == ["a", "f"]
    monkeypatch.chdir(root / "x")
    assert names(read(["."], exclude=exclude, root=root)) == []
    assert names(read([".."], exclude=exclude, root=root)) == ["a", "f"]


def test_skip(tree: MakeTree) -> None:
    root = tree({"a.yaml": manifest("a"), "out/b.yaml": "[", "x/out/c.yaml": manifest("c"), "d.yaml": "["})
    assert names(read(["."], skip=[Path("out"), root / "d.yaml"])) == ["a", "c"]


LIST = """\
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a}
- apiVersion: v1
  kind: ConfigMapList
  items:
  - metadata: {name: b}
  - apiVersion: v1
    kind: Secret
    metadata: {name: c}
"""


def test_lists_are_flattened(tree: MakeTree) -> None:
    tree({"a.yaml": LIST + "---\n" + manifest("d")})
    reading = read(["."])
    assert names(reading) == ["a", "b", "c", "d"]
    assert [document.value["kind"] for document in reading.documents] == [
        "ConfigMap",
        "ConfigMap",
        "Secret",
        "ConfigMap",
    ]
    assert [document.index for document in reading.documents] == [0, 1, 2, 3]
    assert [document.locate(("metadata", "name")).line for document in reading.documents] == [6, 10, 13, 18]


def test_an_item_that_is_no_object(tree: MakeTree) -> None:
    tree({"a.yaml": LIST.replace("items:\n- apiVersion: v1\n", "items:\n- apiVersion:\n", 1)})
    reading = read(["."])
    assert [(str(finding.position), finding.rule.slug) for finding in reading.findings] == [
        ("a.yaml:4:3", "not-an-object")
    ]
    assert names(reading) == ["b", "c"]


def test_a_kind_that_only_ends_in_list_is_an_object(tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a", kind="AllowList")})
    assert names(read(["."])) == ["a"]


def test_json(tree: MakeTree) -> None:
    text = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "n": 1.0, "big": 2**70})
    tree({"a.json": text + "\n" + text.replace('"a"', '"b"'), "c.yaml": text.replace('"a"', '"c"')})
    reading = read(["."])
    assert names(reading) == ["a", "b", "c"]
    assert type(reading.documents[0].value["n"]) is int
    assert type(reading.documents[0].value["big"]) is float


@pytest.mark.parametrize(
    "text",
    ["", "[1, 2]", '{"name": "x"}', "{", "not json", '{"kind": "x"} trailing', '"apiVersion" "kind"', b"\xff\xfe"],
)
def test_json_that_is_no_manifest_is_none_of_our_business(tree: MakeTree, text: str | bytes) -> None:
    tree({"package.json": text})
    reading = read(["."])
    assert (reading.documents, reading.findings, reading.notes) == ((), (), ())


@pytest.mark.parametrize(
    ("text", "place", "slug"),
    [
        ('{"apiVersion": "v1", "kind": "A",}', "a.json:1:34", "yaml-syntax"),
        ('{"apiVersion": "v1", "kind": "A"}\n---\n{}', "a.json:2:1", "yaml-syntax"),
        ('{"apiVersion": "v1", "kind": "A", "x": NaN}', "a.json:1:1", "yaml-unusable-value"),
        ('{"apiVersion": "v1", "kind": "A", "x": 1e999}', "a.json:1:1", "yaml-unusable-value"),
        ('{"apiVersion": "v1", "kind": "A",\n "kind": "A"}', "a.json:2:2", "yaml-duplicate-key"),
        ('{"apiVersion": "v1", "kind": ' + "[" * 200 + "]" * 200 + "}", "a.json:1:129", "yaml-nesting"),
        ('{"apiVersion": "v1", "kind": ' + "[" * 100_000, "a.json:1:129", "yaml-nesting"),
    ],
)
def test_bad_json(tree: MakeTree, text: str, place: str, slug: str) -> None:
    tree({"a.json": text})
    assert [(str(finding.position), finding.rule.slug) for finding in read(["."]).findings] == [(place, slug)]


def test_halves_of_surrogate_pairs_in_json(tree: MakeTree) -> None:
    tree({"a.json": '{"apiVersion": "v1", "kind": "A", "x": "\\ud83d\\ude00 \\ud83d \\u00e9"}'})
    (document,) = read(["."]).documents
    assert document.value["x"] == "\U0001f600 \ufffd é"


def notes(reading: Reading) -> list[str]:
    return [str(note) for note in reading.notes]


def test_helm_templates_are_skipped_with_a_note(tree: MakeTree) -> None:
    tree(
        {
            "chart/Chart.yaml": "apiVersion: v2\nname: x\n",
            "chart/values.yaml": "replicas: 1\n",
            "chart/templates/a.yaml": 'apiVersion: v1\nkind: A\nmetadata: {name: "{{ .Release.Name }}"}\n',
            "chart/templates/sub/b.yaml": "{{- if .Values.x }}\n{{- end }}\n",
            "chart/templates/plain.yaml": manifest("plain"),
            "templates/c.yaml": manifest("{{ not helm }}").replace("{{ not helm }}", '"{{ not helm }}"'),
        }
    )
    for reading in (read(["."]), read(["chart", "chart/templates", "templates"])):
        assert names(reading) == ["plain", "{{ not helm }}"]
        assert [note.partition(":")[0] for note in notes(reading)] == [
            "chart/Chart.yaml",
            "chart/templates/a.yaml",
            "chart/templates/sub/b.yaml",
            "chart/values.yaml",
        ]
        assert reading.findings == ()
    assert "Helm template" in notes(read(["chart/templates/a.yaml"]))[0]


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: A\nname: {{ .Values.x }}\n",
        "apiVersion: v1\n{{- if .Values.x }}\nkind: A\n{{- end }}\n",
        "{{- if .x }}\napiVersion: v1\n{{ end }}\n",
        "apiVersion: v1\nkind: A\nspec:\n  {{- toYaml .Values.spec | nindent 2 }}\n",
        "{% if x %}\na: 1\n{% endif %}\n",
    ],
)
def test_template_sources_are_skipped_with_a_note(tree: MakeTree, text: str) -> None:
    tree({"a.yaml": text})
    reading = read(["."])
    assert (slugs(reading), notes(reading)) == ([], ["a.yaml: template source, not YAML: skipped (render it first)"])


def test_a_quoted_template_does_not_hide_an_error(tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a") + 'text: "{{ $labels.x }}"\nbad: "x\n'})
    assert slugs(read(["."])) == ["yaml-syntax"]


def test_a_template_in_a_block_scalar_does_not_hide_an_error(tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a") + 'data:\n  rule: |\n    {{ $labels.x }}\nbad: "x\n'})
    assert slugs(read(["."])) == ["yaml-syntax"]


def test_other_yaml_is_skipped_with_one_note_a_file(tree: MakeTree) -> None:
    tree(
        {
            ".gitlab-ci.yml": "build: {script: [make]}\n---\nx: !reference [a, b]\n",
            "drone.yml": "kind: pipeline\nname: x\nname: y\n",
            "list.yaml": "- a\n- b\n",
            "text.yaml": "just text\n",
            "train.yaml": "max: .inf\n? [a, b]\n: c\n",
            "mkdocs.yml": "x: !!python/name:material.extensions.emoji.twemoji\n",
            "comments.yaml": "# nothing\n---\n",
        }
    )
    reading = read(["."])
    assert reading.findings == ()
    assert [note.path for note in reading.notes] == [
        ".gitlab-ci.yml",
        "drone.yml",
        "list.yaml",
        "mkdocs.yml",
        "text.yaml",
        "train.yaml",
    ]
    assert {note.message for note in reading.notes} == {"no Kubernetes object (apiVersion and kind): skipped"}


def test_kustomize_files_are_skipped_with_a_note(tree: MakeTree) -> None:
    tree({"kustomization.yaml": manifest("x", "Kustomization").replace("v1", "kustomize.config.k8s.io/v1beta1")})
    assert notes(read(["."])) == [
        "kustomization.yaml: kustomize file: skipped (--kustomize OVERLAY reads what it builds)"
    ]


def test_a_document_without_kind_among_objects_is_an_error(tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a") + "---\n" + manifest("b").replace("kind: ConfigMap\n", "")})
    reading = read(["."])
    assert names(reading) == ["a"]
    assert [(str(finding.position), finding.rule.slug) for finding in reading.findings] == [
        ("a.yaml:6:1", "not-an-object")
    ]


def test_a_broken_document_does_not_hide_the_others(tree: MakeTree) -> None:
    tree({"a.yaml": "\n---\n".join([manifest("a"), "x: [", manifest("b"), "y: 'z", manifest("c")])})
    reading = read(["."])
    assert names(reading) == ["a", "b", "c"]
    assert [(finding.rule.slug, finding.position.line) for finding in reading.findings] == [
        ("yaml-syntax", 8),
        ("yaml-syntax", 15),
    ]


def test_findings_about_an_object_name_it(tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a") + "data:\n  x: '1'\n  x: '2'\n"})
    reading = read(["."])
    (finding,) = reading.findings
    assert str(finding.object) == "ConfigMap a"
    assert str(finding.position) == "a.yaml:7:3"
    assert [(str(related.position), related.message) for related in finding.related] == [
        ("a.yaml:6:3", "first set here")
    ]
    assert reading.documents[0].value["data"] == {"x": "2"}


def test_an_object_that_kubectl_refuses_is_no_document(tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a") + "limit: .inf\n"})
    reading = read(["."])
    assert (names(reading), slugs(reading)) == ([], ["yaml-unusable-value"])


def test_the_corpus_reads_without_findings(testdata: Path) -> None:
    config = testdata / "corpus/ome-v0.1.5/config"
    reading = read([config / "models", config / "runtimes", config / "samples"])
    assert reading.findings == ()
    assert (len(reading.documents), reading.files, len(reading.notes)) == (598, 567, 2)


def test_what_omec_has_written_is_not_read_again(tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a"), "out/ns/svc/.omec-index": "", "out/ns/svc/b.yaml": manifest("b")})
    assert paths(read(["."])) == ["a.yaml"]
    assert paths(read(["out/ns/svc"])) == ["out/ns/svc/b.yaml"]


def test_a_path_that_no_file_can_have() -> None:
    with pytest.raises(OmecError, match="cannot be read: embedded null byte"):
        read(["a\0b"])
