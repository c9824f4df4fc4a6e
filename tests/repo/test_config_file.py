"""Where the configuration file is found, and how errors point into it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from omec.errors import OmecError
from omec.repo.config import Config


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def refused(start: Path | None = None, explicit: Path | None = None) -> OmecError:
    with pytest.raises(OmecError) as caught:
        Config.load(start, explicit)
    return caught.value


class TestDiscovery:
    def test_the_nearest_file_counts(self, tmp_path: Path) -> None:
        write(tmp_path / "omec.toml", 'default-namespace = "outer"')
        inner = write(tmp_path / "a" / "omec.toml", 'default-namespace = "inner"')
        (tmp_path / "a" / "b").mkdir()
        config = Config.load(tmp_path / "a" / "b")
        assert (config.default_namespace, config.root, config.path) == ("inner", inner.parent, inner)

    def test_a_file_as_source(self, tmp_path: Path) -> None:
        write(tmp_path / "omec.toml", 'default-namespace = "x"')
        assert Config.load(write(tmp_path / "isvc.yaml", "")).default_namespace == "x"
        assert Config.load(tmp_path / "does-not-exist").default_namespace == "x"

    def test_the_current_folder_is_the_default(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(tmp_path / "omec.toml", 'default-namespace = "x"')
        monkeypatch.chdir(tmp_path)
        assert Config.load().default_namespace == "x"

    def test_the_search_ends_at_the_git_repository(self, tmp_path: Path) -> None:
        write(tmp_path / "omec.toml", 'default-namespace = "x"')
        (tmp_path / "repo" / ".git").mkdir(parents=True)
        (tmp_path / "repo" / "src").mkdir()
        config = Config.load(tmp_path / "repo" / "src")
        assert (config.default_namespace, config.path, config.root) == (None, None, tmp_path / "repo" / "src")
        write(tmp_path / "repo" / "omec.toml", 'default-namespace = "y"')
        assert Config.load(tmp_path / "repo" / "src").default_namespace == "y"

    def test_a_git_worktree_is_a_repository_too(self, tmp_path: Path) -> None:
        write(tmp_path / "omec.toml", 'default-namespace = "x"')
        write(tmp_path / "tree" / ".git", "gitdir: elsewhere")
        assert Config.load(tmp_path / "tree").path is None

    def test_pyproject_counts_only_with_its_table(self, tmp_path: Path) -> None:
        (tmp_path / ".git").mkdir()
        write(tmp_path / "pyproject.toml", '[tool.omec]\ndefault-namespace = "x"\n')
        write(tmp_path / "a" / "pyproject.toml", '[project]\nname = "uses-omec"\n')
        write(tmp_path / "a" / "b" / "pyproject.toml", "not toml, and not about us")
        (tmp_path / "a" / "b" / "c").mkdir()
        assert Config.load(tmp_path / "a" / "b" / "c").default_namespace == "x"

    def test_omec_toml_comes_before_pyproject(self, tmp_path: Path) -> None:
        write(tmp_path / "pyproject.toml", '[tool.omec]\ndefault-namespace = "x"\n')
        write(tmp_path / "omec.toml", 'default-namespace = "y"')
        assert Config.load(tmp_path).default_namespace == "y"

    def test_an_explicit_file_needs_no_special_name(self, tmp_path: Path) -> None:
        path = write(tmp_path / "conf" / "production.toml", 'source = "../manifests"')
        config = Config.load(tmp_path, explicit=path)
        assert config.source_paths == (tmp_path / "conf" / "../manifests",)

    def test_an_explicit_pyproject_must_have_the_table(self, tmp_path: Path) -> None:
        error = refused(explicit=write(tmp_path / "pyproject.toml", "[project]\n"))
        assert (error.code, "has no table [tool.omec]" in error.message) == ("OME010", True)

    def test_a_missing_explicit_file(self, tmp_path: Path) -> None:
        error = refused(explicit=tmp_path / "none.toml")
        assert error.code == "OME010"
        assert "cannot read" in error.message
        assert "No such file" in error.message

    def test_a_folder_as_explicit_file(self, tmp_path: Path) -> None:
        assert refused(explicit=tmp_path).code == "OME010"


@pytest.mark.parametrize(
    ("text", "where", "part"),
    [
        ('platfrom = "ome"\n', "1:1", "unknown key 'platfrom'"),
        ('# note\n\n  "platfrom" = "ome"\n', "3:3", "unknown key 'platfrom'"),
        ('source = "x"\n\n[lint]\nignore = []\nslect = []\n', "5:1", "unknown key 'slect' in [lint]"),
        ("[lint.severity]\nOME301 = 3\n", "2:1", "lint.severity.OME301 must be a text"),
        ("[lint]\nseverity.OME301 = 3\n", "2:1", "lint.severity.OME301 must be a text"),
        ("lint = { ignore = [1] }\n", "1:1", "lint.ignore[0] must be a text"),
        ("exclude = [\n  'metadata = 1',\n  '[lint]',\n]\nmetadata = 1\n", "5:1", "metadata must be true or false"),
        ('output = """\nmetadata = 1\n[lint]\n"""\nmetadata = 1\n', "5:1", "metadata must be true or false"),
        ('[[sources]]\npath = "a"\n\n[[sources]]\npath = 1\n', "5:1", "sources[1].path must be a text"),
        ('[[sources]]\npath = "a"\n[[sources]]\n', "3:3", "sources[1] has no path"),
        ("[operator.deploy]\n[operator]\ndploy = {}\n", "3:1", "unknown key 'dploy' in [operator]"),
        ('[ "operator" . ingres ]\n', "1:3", "unknown key 'ingres' in [operator]"),
        ("lint.severity = 1 # comment\n", "1:1", "lint.severity must be a table"),
        ("source = 1", "1:1", "source must be a text or a list of texts"),
        ("a\n", "1:2", "not valid TOML: expected '='"),
        ("source = 'x'\nsource = 'y'\n", "2:13", "not valid TOML: cannot overwrite a value"),
        ("exclude = [\n", "2:1", "not valid TOML"),
    ],
)
def test_errors_name_line_and_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, where: str, part: str
) -> None:
    write(tmp_path / "omec.toml", text)
    monkeypatch.chdir(tmp_path)
    error = refused()
    assert error.message.startswith(f"omec.toml:{where}: {part}")
    assert (error.code == "OME011") is ("not valid TOML" in part)


def test_positions_in_pyproject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "pyproject.toml", '[project]\nmetadata = 1\n\n[tool.omec]\nsource = "x"\nmetadata = 1\n')
    monkeypatch.chdir(tmp_path)
    assert refused().message.startswith("pyproject.toml:6:1: metadata must be true or false")


def test_a_table_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "pyproject.toml", "[tool]\nomec = 1\n")
    monkeypatch.chdir(tmp_path)
    assert refused().message == "pyproject.toml:2:1: the configuration must be a table, not a number"


def test_files_are_named_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a" / "omec.toml", "x = 1\n")
    monkeypatch.chdir(tmp_path)
    assert refused(tmp_path / "a").message.startswith("a/omec.toml:1:1: ")
    (tmp_path / "b").mkdir()
    monkeypatch.chdir(tmp_path / "b")
    assert refused(tmp_path / "a").message.startswith(f"{path}:1:1: ")


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "omec.toml").write_bytes(b"source = '\xff'\n")
    error = refused(tmp_path)
    assert (error.code, "is not UTF-8 (byte 10)" in error.message) == ("OME010", True)


def test_a_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "omec.toml").write_bytes(b"\xef\xbb\xbfdefault-namespace = 'x'\r\n")
    assert Config.load(tmp_path).default_namespace == "x"


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda path: path.mkdir(), "no regular file"),
        (os.mkfifo, "no regular file"),
        (lambda path: path.symlink_to("nowhere"), "a symbolic link that leads to no file"),
        (lambda path: path.symlink_to("."), "a symbolic link that leads to no file"),
    ],
)
def test_what_only_has_the_name_of_the_file(
    make: Callable[[Path], None], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not passed over, as if there were no settings."""
    make(tmp_path / "omec.toml")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    error = refused(tmp_path / "sub")
    assert (error.code, error.message) == ("OME010", f"omec.toml is {what}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file(tmp_path: Path) -> None:
    write(tmp_path / "omec.toml", "").chmod(0)
    assert refused(tmp_path).code == "OME010"


def test_a_revision_has_its_own_configuration(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=t", "-c", "user.email=t@example.com"]
    subprocess.run([*git, "init", "-q"], check=True)
    (tmp_path / "omec.toml").write_text('default-namespace = "old"\n')
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    (tmp_path / "omec.toml").write_text('default-namespace = "new"\n')
    assert Config.load(tmp_path).default_namespace == "new"
    assert Config.load(tmp_path / "gone" / "since", rev="HEAD").default_namespace == "old"
