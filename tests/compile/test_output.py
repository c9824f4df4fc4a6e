"""The output folder: what is written, what is deleted, what is left alone and what is refused."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omec.compile import output_rules
from omec.compile.index import INDEX_NAME
from omec.compile.output import ATTRIBUTES_NAME, OutputPlan, require_separate
from omec.compile.output_folder import Action
from omec.errors import EXIT_USAGE, OmecError
from omec.finding import Rule
from tests.compile.output_helpers import compile_to, objects, output_file, tree

CHAT = "llm/chat"
FIRST = {"_cluster": {"model-a.yaml": "a\n"}, CHAT: {"deployment-x.yaml": "d\n", "service-x.yaml": "s\n"}}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "rendered"


def refused(out: Path, folders: dict[str, dict[str, str]]) -> OmecError:
    before = tree(out) if out.is_dir() else None
    with pytest.raises(OmecError) as caught:
        compile_to(out, folders)
    assert caught.value.exit_code == EXIT_USAGE
    assert caught.value.hint
    assert (tree(out) if out.is_dir() else None) == before
    return caught.value


class TestWriting:
    def test_the_first_compile(self, out: Path) -> None:
        plan = compile_to(out, FIRST)
        assert {change.action for change in plan.changes} == {Action.CREATED}
        assert objects(out) == {"_cluster/model-a.yaml", "llm/chat/deployment-x.yaml", "llm/chat/service-x.yaml"}
        assert set(tree(out)) - objects(out) == {
            ".gitattributes",
            "_cluster/.omec-index",
            "llm/chat/.omec-index",
        }

    def test_the_second_changes_nothing(self, out: Path) -> None:
        compile_to(out, FIRST)
        times = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
        plan = compile_to(out, FIRST)
        assert not plan.is_stale
        assert plan.diff() == ""
        assert {change.action for change in plan.changes} == {Action.UNCHANGED}
        assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == times

    def test_only_what_differs_is_written(self, out: Path) -> None:
        compile_to(out, FIRST)
        untouched = (out / CHAT / "service-x.yaml").stat()
        plan = compile_to(out, {**FIRST, CHAT: {"deployment-x.yaml": "new\n", "service-x.yaml": "s\n"}})
        assert [change.path for change in plan.changes if change.action is Action.UPDATED] == [
            "llm/chat/deployment-x.yaml"
        ]
        assert (out / CHAT / "service-x.yaml").stat().st_ino == untouched.st_ino
        assert (out / CHAT / "deployment-x.yaml").read_text() == "new\n"

    def test_planning_writes_nothing(self, out: Path) -> None:
        plan = OutputPlan.build(out, {CHAT: [output_file("service-x.yaml")]})
        assert plan.is_stale
        assert not out.exists()

    def test_no_objects_and_no_output(self, out: Path) -> None:
        plan = compile_to(out, {})
        assert not plan.is_stale
        assert not out.exists()

    def test_nested_output_folders_are_made(self, tmp_path: Path) -> None:
        compile_to(tmp_path / "a" / "b" / "c", FIRST)
        assert (tmp_path / "a" / "b" / "c" / CHAT / "service-x.yaml").is_file()

    def test_files_get_the_permissions_of_any_new_file(self, out: Path) -> None:
        before = os.umask(0o027)
        try:
            compile_to(out, FIRST)
        finally:
            os.umask(before)
        assert (out / CHAT / "service-x.yaml").stat().st_mode & 0o777 == 0o640

    def test_output_may_be_a_link_to_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to("real")
        compile_to(tmp_path / "link", FIRST)
        assert (tmp_path / "real" / CHAT / "service-x.yaml").is_file()

    def test_the_bytes_do_not_depend_on_the_path(self, tmp_path: Path) -> None:
        compile_to(tmp_path / "one", FIRST)
        compile_to(tmp_path / "two" / "deep", dict(reversed(FIRST.items())))
        assert tree(tmp_path / "one") == tree(tmp_path / "two" / "deep")


class TestPruning:
    def test_what_is_no_longer_written_goes(self, out: Path) -> None:
        compile_to(out, FIRST)
        plan = compile_to(out, {"_cluster": FIRST["_cluster"], CHAT: {"service-x.yaml": "s\n"}})
        assert [change.path for change in plan.changes if change.action is Action.DELETED] == [
            "llm/chat/deployment-x.yaml"
        ]
        assert objects(out) == {"_cluster/model-a.yaml", "llm/chat/service-x.yaml"}
        assert "deployment-x" not in (out / CHAT / INDEX_NAME).read_text()

    def test_empty_folders_go_too(self, out: Path) -> None:
        compile_to(out, FIRST)
        compile_to(out, {"_cluster": FIRST["_cluster"]})
        assert sorted(path.name for path in out.iterdir()) == [".gitattributes", "_cluster"]
        compile_to(out, {})
        assert sorted(path.name for path in out.iterdir()) == [".gitattributes"]

    def test_foreign_files_and_their_folders_stay(self, out: Path) -> None:
        compile_to(out, FIRST)
        (out / CHAT / "patch.yaml").write_text("mine\n")
        (out / "llm" / "README.md").write_text("mine\n")
        (out / "other").mkdir()
        compile_to(out, {})
        assert objects(out) == {"llm/chat/patch.yaml", "llm/README.md"}
        assert (out / "other").is_dir()
        assert not (out / CHAT / INDEX_NAME).exists()

    def test_a_file_that_is_gone_already_is_no_problem(self, out: Path) -> None:
        compile_to(out, FIRST)
        (out / CHAT / "service-x.yaml").unlink()
        compile_to(out, {})
        assert objects(out) == set()

    def test_a_deleted_file_comes_back(self, out: Path) -> None:
        compile_to(out, FIRST)
        (out / CHAT / "service-x.yaml").unlink()
        plan = compile_to(out, FIRST)
        assert [change.action.value for change in plan.changes] == ["unchanged", "unchanged", "created"]
        assert (out / CHAT / "service-x.yaml").read_text() == "s\n"

    def test_a_folder_in_the_place_of_an_old_file_stays(self, out: Path) -> None:
        compile_to(out, FIRST)
        (out / CHAT / "service-x.yaml").unlink()
        (out / CHAT / "service-x.yaml").mkdir()
        compile_to(out, {})
        assert (out / CHAT / "service-x.yaml").is_dir()

    def test_an_output_inside_the_output_is_another_one(self, out: Path) -> None:
        compile_to(out / "staging", FIRST)
        inner = tree(out / "staging")
        compile_to(out, FIRST)
        compile_to(out, {})
        assert tree(out / "staging") == inner

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        st.lists(
            st.dictionaries(
                st.sampled_from(["_cluster", "a/_shared", "a/x", "b/x"]),
                st.dictionaries(st.sampled_from(["p.yaml", "q.yaml", "r.yaml"]), st.sampled_from(["1", "2"])),
            ),
            max_size=4,
        ),
        st.sets(st.sampled_from(["_cluster/own.yaml", "a/x/own.yaml", "a/own", "own.yaml", "b/x/own.json"])),
    )
    def test_after_any_history_only_own_files_have_changed(
        self, tmp_path_factory: pytest.TempPathFactory, history: list[dict[str, dict[str, str]]], foreign: set[str]
    ) -> None:
        out = tmp_path_factory.mktemp("out")
        for path in foreign:
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (out / path).write_text("mine")
        wanted: dict[str, str] = {}
        for folders in history:
            compile_to(out, folders)
            wanted = {f"{folder}/{name}": text for folder, files in folders.items() for name, text in files.items()}
            content = tree(out)
            assert {path: content[path] for path in objects(out)} == {**wanted, **dict.fromkeys(foreign, "mine")}
        bookkeeping = {path for path in tree(out) if path.endswith(INDEX_NAME)}
        assert bookkeeping == {f"{path.rsplit('/', 1)[0]}/{INDEX_NAME}" for path in wanted}


class TestPartialRuns:
    def test_kept_folders_stay_as_they_are(self, out: Path) -> None:
        compile_to(out, FIRST)
        before = tree(out)
        compile_to(out, {"_cluster": {"model-a.yaml": "a\n"}}, keep={CHAT})
        assert tree(out) == before

    def test_what_a_kept_folder_would_get_is_not_written(self, out: Path) -> None:
        compile_to(out, FIRST)
        before = tree(out)
        compile_to(out, {**FIRST, CHAT: {"service-x.yaml": "half\n"}}, keep={CHAT})
        assert tree(out) == before

    def test_only_deletes_nothing_elsewhere(self, out: Path) -> None:
        compile_to(out, FIRST)
        compile_to(out, {CHAT: {"service-x.yaml": "new\n"}, "_cluster": {"model-b.yaml": "b\n"}}, only={CHAT})
        assert objects(out) == {"_cluster/model-a.yaml", "_cluster/model-b.yaml", "llm/chat/service-x.yaml"}
        index = (out / "_cluster" / INDEX_NAME).read_text()
        assert "model-a.yaml" in index
        assert "model-b.yaml" in index

    def test_files_from_a_broken_manifest_are_kept(self, out: Path) -> None:
        files = [output_file("one.yaml", source="broken.yaml"), output_file("two.yaml", source="fine.yaml")]
        OutputPlan.build(out, {"_cluster": files}).apply()
        OutputPlan.build(out, {}, kept_sources={"broken.yaml"}).apply()
        assert objects(out) == {"_cluster/one.yaml"}
        index = (out / "_cluster" / INDEX_NAME).read_text()
        assert "one.yaml source broken.yaml" in index
        assert "two.yaml" not in index
        assert not OutputPlan.build(out, {}, kept_sources={"broken.yaml"}).is_stale


class TestRefusals:
    def test_a_foreign_file_in_the_way(self, out: Path) -> None:
        (out / CHAT).mkdir(parents=True)
        (out / CHAT / "service-x.yaml").write_text("mine\n")
        error = refused(out, FIRST)
        assert error.code == "OME052"
        assert error.message == (
            f"{out}/llm/chat/service-x.yaml stands where omec would write, and omec did not write it before"
        )

    def test_many_foreign_files_are_counted(self, out: Path) -> None:
        (out / "a" / "b").mkdir(parents=True)
        names = [f"x{number}.yaml" for number in range(5)]
        for name in names:
            (out / "a" / "b" / name).write_text("mine\n")
        error = refused(out, {"a/b": dict.fromkeys(names, "new\n")})
        assert "x0.yaml, " in error.message
        assert "x2.yaml and 2 more stand where" in error.message

    def test_a_foreign_file_with_the_same_content_is_taken_over(self, out: Path) -> None:
        compile_to(out, FIRST)
        (out / CHAT / INDEX_NAME).unlink()
        plan = compile_to(out, FIRST)
        assert plan.is_stale
        assert {change.action for change in plan.changes} == {Action.UNCHANGED}
        assert (out / CHAT / INDEX_NAME).is_file()

    @pytest.mark.parametrize("special", ["link", "folder", "pipe", "dangling"])
    def test_no_regular_file_in_the_way(self, out: Path, tmp_path: Path, special: str) -> None:
        compile_to(out, FIRST)
        target = out / CHAT / "service-x.yaml"
        target.unlink()
        (tmp_path / "outside.yaml").write_text("s\n")
        if special == "link":
            target.symlink_to(tmp_path / "outside.yaml")
        elif special == "dangling":
            target.symlink_to(tmp_path / "nowhere")
        elif special == "folder":
            target.mkdir()
        else:
            os.mkfifo(target)
        with pytest.raises(OmecError, match="stands where omec would write") as caught:
            compile_to(out, {**FIRST, CHAT: {"service-x.yaml": "new\n"}})
        assert caught.value.code == "OME052"
        assert (tmp_path / "outside.yaml").read_text() == "s\n"
        assert not (tmp_path / "nowhere").exists()

    @pytest.mark.parametrize("place", ["llm", "llm/chat"])
    def test_a_linked_folder(self, out: Path, tmp_path: Path, place: str) -> None:
        (tmp_path / "outside" / "chat").mkdir(parents=True)
        (out / place).parent.mkdir(parents=True)
        (out / place).symlink_to(tmp_path / "outside", target_is_directory=True)
        error = refused(out, FIRST)
        assert error.code == "OME054"
        assert error.message == f"{out}/{place} is a symbolic link, but the output needs a folder there"
        assert list((tmp_path / "outside").rglob("*")) == [tmp_path / "outside" / "chat"]

    def test_a_linked_folder_is_not_pruned(self, out: Path, tmp_path: Path) -> None:
        compile_to(tmp_path / "elsewhere", FIRST)
        before = tree(tmp_path / "elsewhere")
        out.mkdir()
        (out / "llm").symlink_to(tmp_path / "elsewhere" / "llm", target_is_directory=True)
        compile_to(out, {})
        assert tree(tmp_path / "elsewhere") == before

    @pytest.mark.parametrize("place", ["llm", "llm/chat"])
    def test_a_file_in_the_place_of_a_folder(self, out: Path, place: str) -> None:
        (out / place).parent.mkdir(parents=True)
        (out / place).write_text("mine\n")
        error = refused(out, FIRST)
        assert (error.code, error.message.startswith(f"{out}/{place} is a file")) == ("OME054", True)

    def test_a_linked_index_is_not_trusted(self, out: Path, tmp_path: Path) -> None:
        compile_to(out, FIRST)
        index = out / CHAT / INDEX_NAME
        index.rename(tmp_path / "index")
        index.symlink_to(tmp_path / "index")
        assert refused(out, {}).code == "OME052"

    @pytest.mark.parametrize("text", ["garbage\n", "", "<<<<<<< HEAD\n", "\xff\xfe"])
    def test_a_damaged_index_deletes_nothing(self, out: Path, text: str) -> None:
        compile_to(out, FIRST)
        (out / CHAT / INDEX_NAME).write_bytes(text.encode("latin-1"))
        error = refused(out, {})
        assert error.code == "OME053"
        assert error.message.startswith(f"{out}/{CHAT}/{INDEX_NAME}:1:1: ")

    def test_the_damage_does_not_matter_elsewhere(self, out: Path) -> None:
        compile_to(out, FIRST)
        (out / CHAT / INDEX_NAME).write_text("garbage\n")
        compile_to(out, {"_cluster": {"model-a.yaml": "new\n"}}, only={"_cluster"})
        assert (out / "_cluster" / "model-a.yaml").read_text() == "new\n"

    def test_the_output_is_a_file(self, out: Path) -> None:
        out.write_text("mine\n")
        with pytest.raises(OmecError) as caught:
            compile_to(out, FIRST)
        assert (caught.value.code, caught.value.message) == ("OME054", f"{out} is not a folder")

    def test_the_output_is_below_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("mine\n")
        with pytest.raises(OmecError) as caught:
            compile_to(tmp_path / "file" / "out", FIRST)
        assert caught.value.message == f"{tmp_path}/file is not a folder"

    def test_the_output_is_a_dangling_link(self, out: Path) -> None:
        out.symlink_to("nowhere")
        with pytest.raises(OmecError, match="is not a folder"):
            compile_to(out, FIRST)

    @pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no /proc")
    def test_an_unwritable_output(self) -> None:
        with pytest.raises(OmecError) as caught:
            compile_to(Path("/proc/omec-out"), FIRST)
        assert caught.value.code == "OME050"
        assert caught.value.message.startswith("cannot write /proc/omec-out/")
        assert caught.value.message.endswith("; the output is as it was")


class TestSeparateFromTheSource:
    def test_the_source_itself(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "src").mkdir()
        (tmp_path / "link").symlink_to("src")
        monkeypatch.chdir(tmp_path)
        for out in ("src", "src/", "./src", "src/../src", "link"):
            with pytest.raises(OmecError) as caught:
                require_separate(Path(out), [Path("other"), tmp_path / "src"])
            assert caught.value.code == "OME051"

    def test_inside_or_around_is_fine(self, tmp_path: Path) -> None:
        require_separate(tmp_path / "src" / "rendered", [tmp_path / "src"])
        require_separate(tmp_path, [tmp_path / "src"])


class TestAttributes:
    def test_written_once(self, out: Path) -> None:
        compile_to(out, FIRST)
        assert (out / ATTRIBUTES_NAME).read_text() == ".omec-index merge=union linguist-generated\n"
        (out / ATTRIBUTES_NAME).unlink()
        assert not compile_to(out, FIRST).is_stale
        compile_to(out, {**FIRST, CHAT: {"service-x.yaml": "new\n"}})
        assert not (out / ATTRIBUTES_NAME).exists()

    def test_one_that_is_there_stays(self, out: Path) -> None:
        out.mkdir()
        (out / ATTRIBUTES_NAME).write_text("* text=auto\n")
        compile_to(out, FIRST)
        assert (out / ATTRIBUTES_NAME).read_text() == "* text=auto\n"


class TestDiff:
    def test_created_updated_and_deleted(self, out: Path) -> None:
        compile_to(out, {CHAT: {"deployment-x.yaml": "replicas: 1\n", "service-x.yaml": "port: 80\n"}})
        files = [output_file("deployment-x.yaml", "replicas: 2\n"), output_file("role-x.yaml", "rules: []\n")]
        plan = OutputPlan.build(out, {CHAT: files})
        assert plan.is_stale
        diff = plan.diff()
        assert diff.startswith(
            f"--- {out}/llm/chat/deployment-x.yaml\n"
            f"+++ {out}/llm/chat/deployment-x.yaml\n"
            "@@ -1 +1 @@\n"
            "-replicas: 1\n"
            "+replicas: 2\n"
            "--- /dev/null\n"
            f"+++ {out}/llm/chat/role-x.yaml\n"
            "@@ -0,0 +1 @@\n"
            "+rules: []\n"
            f"--- {out}/llm/chat/service-x.yaml\n"
            "+++ /dev/null\n"
            "@@ -1 +0,0 @@\n"
            "-port: 80\n"
            f"--- {out}/llm/chat/.omec-index\n"
        )
        plan.apply()
        assert not OutputPlan.build(out, {CHAT: files}).is_stale

    def test_edits_by_hand_are_stale(self, out: Path) -> None:
        compile_to(out, FIRST)
        (out / CHAT / "service-x.yaml").write_bytes(b"s\n\xff no end of line")
        plan = OutputPlan.build(out, {CHAT: [output_file("service-x.yaml", "s\n")]}, only={CHAT})
        assert "-\\xff no end of line\n\\ No newline at end of file\n" in plan.diff()

    def test_an_emptied_file(self, out: Path) -> None:
        compile_to(out, {CHAT: {"service-x.yaml": ""}})
        assert f"--- {out}/llm/chat/service-x.yaml\n+++ /dev/null\n" in OutputPlan.build(out, {}).diff()


def test_every_refusal_is_documented() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "output.md").read_text(encoding="utf-8")
    codes = [rule.code for rule in vars(output_rules).values() if isinstance(rule, Rule)]
    assert re.findall(r"^\| (OME\d{3}) \|", text, flags=re.MULTILINE) == codes
