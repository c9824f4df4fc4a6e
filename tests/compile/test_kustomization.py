"""The ``kustomization.yaml`` beside the objects: it lists what is there, and kustomize agrees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omec.catalog.build import build_catalog
from omec.compile.layout import identity
from omec.compile.output import OutputPlan
from omec.compile.output_part import OutputPart
from omec.errors import OmecError
from omec.repo.read import read
from omec.repo.yaml import load
from omec.session import open_repo
from tests.compile.output_helpers import files_of, objects
from tests.conftest import EXAMPLES, ROOT
from tests.kubectl import kustomize

FILE = "kustomization.yaml"
CHAT = {"llm/chat": {"service-chat.yaml": "kind: Service\n", "deployment-chat.yaml": "kind: Deployment\n"}}
OTHER = {"llm/other": {"service-other.yaml": "kind: Service\n"}}


def write(out: Path, folders: dict[str, dict[str, str]], **options: Any) -> OutputPlan:
    part = OutputPart(files_of(folders), **{"kustomization": True, **options})
    plan = OutputPlan.of_parts(out, [part], prune=part.only is None)
    plan.apply()
    return plan


def listed(out: Path) -> list[str]:
    return list(load((out / FILE).read_text())["resources"])


@pytest.mark.parametrize("example", [name for name in EXAMPLES if name != "environments"])
def test_kustomize_gives_the_objects_as_they_are(example: str, tmp_path: Path) -> None:
    compilation = open_repo(ROOT / "examples" / example, overrides={"emit": "kustomization"}).compile()
    compilation.output_plan(tmp_path).apply()
    (tmp_path / "built.yaml").write_text(kustomize(tmp_path))
    built = {identity(document.value): document.value for document in read([tmp_path / "built.yaml"]).documents}
    assert built == {identity(body): body for body in compilation.objects}


def test_kustomize_gives_the_copies_of_the_corpus(testdata: Path, tmp_path: Path) -> None:
    folders = [testdata / "corpus/ome-v0.1.5/config" / kind for kind in ("models", "runtimes")]
    settings = {"emit": "kustomization", "include": ["runtimes"], "default-namespace": "llm"}
    compilation = open_repo(folders, config=settings).compile()
    assert len(compilation.objects) > 300
    compilation.output_plan(tmp_path / "out").apply()
    (tmp_path / "built.yaml").write_text(kustomize(tmp_path / "out"))
    built = {identity(document.value): document.value for document in read([tmp_path / "built.yaml"]).documents}
    assert built == {identity(body): body for body in compilation.objects}


def test_every_object_is_listed_in_the_order_of_paths(tmp_path: Path) -> None:
    write(tmp_path, {**OTHER, **CHAT, "_cluster": {"node-a.yaml": "kind: Node\n"}})
    assert listed(tmp_path) == [
        "_cluster/node-a.yaml",
        "llm/chat/deployment-chat.yaml",
        "llm/chat/service-chat.yaml",
        "llm/other/service-other.yaml",
    ]
    assert not write(tmp_path, {**OTHER, **CHAT, "_cluster": {"node-a.yaml": "kind: Node\n"}}).is_stale


def test_an_environment_lists_paths_from_its_own_folder(tmp_path: Path) -> None:
    write(tmp_path, CHAT, name="dev")
    assert listed(tmp_path / "dev") == ["llm/chat/deployment-chat.yaml", "llm/chat/service-chat.yaml"]


@pytest.mark.parametrize("options", [{"only": {"llm/chat"}}, {"keep": {"llm/other"}}, {"kept_sources": {"a.yaml"}}])
def test_what_stays_is_listed_as_far_as_it_is_there(tmp_path: Path, options: dict[str, Any]) -> None:
    write(tmp_path, {"llm/other": {**OTHER["llm/other"], "service-gone.yaml": "kind: Service\n"}})
    (tmp_path / "llm/other/service-gone.yaml").unlink()
    write(tmp_path, CHAT, **options)
    assert listed(tmp_path) == [
        "llm/chat/deployment-chat.yaml",
        "llm/chat/service-chat.yaml",
        "llm/other/service-other.yaml",
    ]


def test_what_is_pruned_is_not_listed(tmp_path: Path) -> None:
    write(tmp_path, {**CHAT, **OTHER})
    write(tmp_path, OTHER)
    assert listed(tmp_path) == ["llm/other/service-other.yaml"]


def test_without_objects_there_is_none(tmp_path: Path) -> None:
    """Kustomize refuses an empty list."""
    write(tmp_path, CHAT)
    write(tmp_path, {})
    assert objects(tmp_path) == set()


def test_it_goes_when_nobody_asks_for_it_any_more(tmp_path: Path) -> None:
    write(tmp_path, CHAT)
    plan = write(tmp_path, CHAT, kustomization=False)
    assert [change.path for change in plan.changes if change.after is None] == [FILE]
    assert objects(tmp_path) == {"llm/chat/deployment-chat.yaml", "llm/chat/service-chat.yaml"}
    assert not (tmp_path / ".omec-index").exists()


@pytest.mark.parametrize("name", [FILE, "kustomization.yml", "Kustomization"])
def test_one_of_somebody_else_stands_in_the_way(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("resources: []\n")
    with pytest.raises(OmecError, match=f"{name} stands where omec would write") as caught:
        write(tmp_path, CHAT)
    assert caught.value.code == "OME052"
    write(tmp_path, CHAT, kustomization=False)
    assert (tmp_path / name).read_text() == "resources: []\n"


def test_a_folder_that_is_a_link_to_the_output(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to("real")
    write(tmp_path / "out", CHAT)
    assert len(listed(tmp_path / "real")) == 2


def test_a_conflict_of_the_index_is_told(tmp_path: Path) -> None:
    write(tmp_path, CHAT)
    (tmp_path / ".omec-index").write_text("<<<<<<< ours\n")
    with pytest.raises(OmecError) as caught:
        write(tmp_path, CHAT)
    assert (caught.value.code, caught.value.message.split(": ")[0]) == ("OME053", f"{tmp_path}/.omec-index:1:1")


@pytest.mark.parametrize("source", [".", "out", "out/dev"])
def test_it_is_no_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    """Neither where the output lies inside a source, nor where it is named itself."""
    monkeypatch.chdir(tmp_path)
    write(Path("out"), CHAT, name="dev")
    reading = read([source])
    assert (reading.documents, reading.notes, reading.findings) == ((), (), ())
    assert len(build_catalog(reading.documents).catalog) == 0
