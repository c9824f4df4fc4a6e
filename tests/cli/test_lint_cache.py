"""``omec lint`` with the cache says what it says without it, byte for byte, whatever has changed in between."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omec.cli import lint_run
from omec.cli.lint import FORMATS
from omec.facts.lock import Lock, render_lock
from omec.facts.locked import LockedModel
from omec.lint.cache import again
from tests.cli.conftest import Omec, Outcome
from tests.conftest import ROOT

RUNTIME = "runtimes/team-llama.yaml"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache is on, in a folder of its own, and small repositories are on record, too."""
    monkeypatch.setattr(lint_run, "FEWEST_DOCUMENTS", 0)
    monkeypatch.setenv("OMEC_NO_CACHE", "")
    monkeypatch.setenv("OMEC_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def repo(cache: Path, example: Callable[[str], Path]) -> Path:
    """A repository with findings, a baseline, a catalog of its own, schemas, and suppressions."""
    folder = example("selection")
    replace(folder / RUNTIME, "spec:\n", "spec:\n  unknownField: 1\n")
    replace(folder / "omec.toml", "", "schema-dir = 'schemas'\nsources = [{path = '../catalog'}]\n")
    write(folder / "baseline.json", '{"version": 1, "findings": []}')
    write(folder / "schemas" / "crd.yaml", "{}")
    shutil.copytree(ROOT / "examples" / "inheritance" / "runtimes", folder.parent / "catalog")
    return folder


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def entries(cache: Path) -> int:
    """Whole runs."""
    return len([path for path in (cache / "lint").glob("*") if path.suffix != ".record"])


@pytest.fixture
def cached(omec: Omec, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """``cached(*args)`` lints, and fails where the manifests are opened for that."""

    def call(*args: str | Path) -> Outcome:
        with monkeypatch.context() as patched:

            def opened(*_: object, **__: object) -> None:
                raise AssertionError("not cached")

            patched.setattr("omec.session.open_with", opened)
            outcome = omec("lint", *args)
        assert "internal error" not in outcome.err, outcome.err
        return outcome

    return call


@pytest.mark.parametrize(
    "args",
    [
        *(["--format", format_] for format_ in FORMATS),
        ["--statistics"],
        ["--diff"],
        ["--fail-on", "never"],
        ["--select", "OME1"],
        ["--baseline", "selection/baseline.json"],
        ["--exclude", "models/"],
        ["--env", "nowhere"],
    ],
    ids=" ".join,
)
def test_the_second_run_says_the_same(omec: Omec, cached: Callable[..., Outcome], repo: Path, args: list[str]) -> None:
    plain = omec("lint", repo, *args, "--no-cache")
    assert not (repo.parent / "cache").exists()
    assert omec("lint", repo, *args) == plain
    assert cached(repo, *args) == plain


def test_one_entry_serves_every_format(omec: Omec, cached: Callable[..., Outcome], repo: Path, cache: Path) -> None:
    omec("lint", repo)
    for format_ in FORMATS:
        assert cached(repo, "--format", format_) == omec("lint", repo, "--format", format_, "--no-cache")
    assert entries(cache) == 1


def test_names_that_are_not_utf8(omec: Omec, cached: Callable[..., Outcome], repo: Path) -> None:
    """A folder named by bytes of another encoding, as the source and as the configuration's folder."""
    folder = repo.rename(repo.parent / os.fsdecode(b"\xfc"))
    plain = omec("lint", folder, "--no-cache")
    assert plain.out.startswith("\ufffd/runtimes/team-llama.yaml:")
    assert omec("lint", folder) == plain
    assert cached(folder) == plain


CHANGES: dict[str, Callable[[Path], None]] = {
    "a value": lambda repo: replace(repo / RUNTIME, "unknownField", "unknownFeild"),
    "a comment": lambda repo: replace(repo / RUNTIME, "spec:\n", "# a comment\nspec:\n"),
    "a suppression": lambda repo: replace(
        repo / RUNTIME, "unknownField: 1", "unknownField: 1 # omec: ignore[OME120] x"
    ),
    "a new file": lambda repo: write(repo / "more.yaml", "a: [\n"),
    "a file less": lambda repo: (repo / RUNTIME).unlink(),
    "another name": lambda repo: (repo / RUNTIME).rename(repo / "runtimes" / "z.yaml") and None,
    "an ignored file": lambda repo: write(repo / ".gitignore", "team-llama.yaml\n"),
    "an unreadable file": lambda repo: (repo / "pipe.yaml").symlink_to("nowhere.yaml"),
    "a setting": lambda repo: replace(repo / "omec.toml", "schema-dir", "lint.ignore = ['OME120']\nschema-dir"),
    "the line of a setting": lambda repo: replace(repo / "omec.toml", "schema-dir", "# a comment\nschema-dir"),
    "facts": lambda repo: write(repo / "omec.lock", "damaged"),
    "facts of a catalog": lambda repo: write(repo / "../catalog/omec.lock", "damaged"),
    "a catalog": lambda repo: replace(repo / "../catalog/sglang-profile.yaml", "name: sglang-profile", "name: other"),
    "a schema": lambda repo: write(repo / "schemas" / "crd.yaml", "kind: ["),
    "the baseline": lambda repo: write(repo / "baseline.json", "damaged"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_noticed(omec: Omec, repo: Path, change: str) -> None:
    args = ["lint", repo, "--format", "json", "--baseline", repo / "baseline.json"]
    omec(*args)
    CHANGES[change](repo)
    after = omec(*args)
    assert after == omec(*args, "--no-cache")
    assert after == omec(*args)


def test_a_file_of_the_baseline_that_goes_is_noticed(omec: Omec, repo: Path) -> None:
    """Entries about files that were not read are stale only where there is no such file."""
    baseline = repo / "baseline.json"
    omec("lint", repo, "--baseline", baseline, "--write-baseline")
    args = ["lint", repo / "models", "--baseline", baseline, "--select", "ALL"]
    assert "OME075" not in omec(*args).out
    (repo / RUNTIME).unlink()
    assert "OME075" in omec(*args).out


@pytest.mark.parametrize(
    "args",
    [
        ["--select", "OME3"],
        ["--ignore", "OME120"],
        ["--ome-version", "1.2"],
        ["--default-namespace", "x"],
        ["--preview"],
    ],
    ids=" ".join,
)
def test_an_option_is_noticed(omec: Omec, repo: Path, cache: Path, args: list[str]) -> None:
    omec("lint", repo)
    assert omec("lint", repo, *args) == omec("lint", repo, *args, "--no-cache")
    assert entries(cache) == 2


def test_another_folder_is_noticed(omec: Omec, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are shown from the current folder."""
    path = repo.absolute()
    omec("lint", path)
    monkeypatch.chdir(repo)
    assert omec("lint", path) == omec("lint", path, "--no-cache")


def test_another_omec_is_noticed(omec: Omec, repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    omec("lint", repo)
    monkeypatch.setattr("omec.lint.cache.program.__version__", "9.9.9")
    omec("lint", repo)
    assert entries(cache) == 2


@pytest.mark.parametrize(
    ("args", "toml", "variables"),
    [
        (["--no-cache"], "", {}),
        ([], "cache = false", {}),
        ([], "", {"OMEC_NO_CACHE": "1"}),
        (["--models-root", "."], "", {}),
        (["-"], "", {}),
    ],
)
def test_no_cache(
    omec: Omec,
    repo: Path,
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    args: list[str],
    toml: str,
    variables: dict[str, str],
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdin", (repo / RUNTIME).open(encoding="utf-8"))
    replace(repo / "omec.toml", "schema-dir", f"{toml}\nschema-dir")
    assert omec("lint", repo, *args).code == 1
    assert not cache.exists()


def test_environments(omec: Omec, cached: Callable[..., Outcome], cache: Path, example: Callable[[str], Path]) -> None:
    folder = example("environments")
    args = [folder, "--format", "json", "--select", "ALL"]
    plain = omec("lint", *args, "--no-cache")
    assert omec("lint", *args) == plain
    assert cached(*args) == plain
    one = omec("lint", *args, "--env", "production", "--no-cache")
    assert omec("lint", *args, "--env", "production") == one
    assert cached(*args, "--env", "production") == one


def test_a_failed_rule_is_not_kept(omec: Omec, repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("omec.lint.judge.inherit_findings", failing)
    assert omec("lint", repo).code == 2
    assert not cache.exists()


@pytest.fixture
def recorded(omec: Omec, cache: Path, example: Callable[[str], Path]) -> Path:
    """A repository that a run is on record about."""
    folder = example("selection")
    omec("lint", folder)
    assert len([*(cache / "lint").glob("*.record")]) == 1
    return folder


def test_a_small_repository_pays_nothing_for_records(
    omec: Omec, cache: Path, example: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = example("selection")
    monkeypatch.setattr(lint_run, "FEWEST_DOCUMENTS", 1 + len([*folder.rglob("*.yaml")]))
    monkeypatch.setitem(sys.modules, "omec.lint.cache.again", None)  # importing it fails
    assert omec("lint", folder).code == 0
    assert [path.suffix for path in (cache / "lint").iterdir()] == [""]


@pytest.mark.parametrize("format_", FORMATS)
def test_an_edit_is_judged_from_the_record(
    omec: Omec, cached: Callable[..., Outcome], recorded: Path, format_: str
) -> None:
    replace(recorded / RUNTIME, "image: docker.io/vllm/vllm-openai:v0.11.0", "# a comment\n      image: vllm-openai")
    plain = omec("lint", recorded, "--format", format_, "--no-cache")
    assert "image-unpinned" in plain.out or "OME900" in plain.out
    assert cached(recorded, "--format", format_) == plain


def test_a_record_of_other_files_is_none(omec: Omec, recorded: Path, cache: Path) -> None:
    (record,) = (cache / "lint").glob("*.record")
    whole = record.read_bytes()
    for content in (b"", whole[:-9], whole[:500], b"\xff" * 99, whole.replace(b"team-llama", b"team-lemma")):
        record.write_bytes(content)
        replace(recorded / RUNTIME, "spec:\n", "# a comment\nspec:\n")
        assert omec("lint", recorded) == omec("lint", recorded, "--no-cache")
    shutil.copy(ROOT / "examples" / "selection" / RUNTIME, recorded / "more.yaml")
    assert omec("lint", recorded) == omec("lint", recorded, "--no-cache")


def test_a_bug_in_using_the_record_costs_nothing_but_time(
    omec: Omec, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(again, "linted_again", lambda *_: 1 / 0)
    replace(recorded / RUNTIME, "spec:\n", "# a comment\nspec:\n")
    assert omec("lint", recorded) == omec("lint", recorded, "--no-cache")


def test_secrets_stay_out_of_the_record(omec: Omec, cache: Path, example: Callable[[str], Path]) -> None:
    """A file with secrets is not on record; edits of others are judged with it around."""
    folder, token = example("selection"), "hf_" + "aB3" * 8
    replace(folder / "models/llama-3-2-3b-instruct.yaml", "  storage:\n", f"  x: {token}\n  storage:\n")
    omec("lint", folder)
    (record,) = (cache / "lint").glob("*.record")
    assert token.encode() not in record.read_bytes()
    for path in (RUNTIME, "models/llama-3-2-3b-instruct.yaml"):
        replace(folder / path, "spec:\n", "# a comment\nspec:\n")
        plain = omec("lint", folder, "--no-cache")
        assert omec("lint", folder) == plain
        assert token not in plain.out
    assert all(token.encode() not in path.read_bytes() for path in (cache / "lint").iterdir())


def test_a_lock_fills_in_what_an_edit_leaves_out(omec: Omec, cache: Path, example: Callable[[str], Path]) -> None:
    """A model that OME does not read is as it is written, until it is no longer annotated so."""
    folder, model = example("selection"), "models/llama-3-2-3b-instruct.yaml"
    annotations = '  annotations: {ome.oracle.com/skip-config-parsing: "true"}\n'
    replace(folder / model, "the token from the Secret that", "what")  # files that may speak of secrets are not kept
    replace(folder / model, "spec:\n", f"{annotations}spec:\n")
    replace(folder / model, "  modelArchitecture: LlamaForCausalLM\n", "")
    replace(folder / model, "  modelParameterSize: 3.21B\n", "")
    facts = {"modelArchitecture": "LlamaForCausalLM", "modelParameterSize": "3.21B"}
    locked = LockedModel("hf://meta-llama/Llama-3.2-3B-Instruct", "sha256:0", "c" * 40, facts)
    write(folder / "omec.lock", render_lock(Lock({"BaseModel/llama-demo/llama-3-2-3b-instruct": locked})))
    omec("lint", folder)
    replace(folder / model, annotations, "")
    assert omec("lint", folder) == omec("lint", folder, "--no-cache")


def test_what_a_comment_says_of_a_secret_stays_out_of_the_record(
    omec: Omec, cached: Callable[..., Outcome], cache: Path, example: Callable[[str], Path]
) -> None:
    """A reference to a secret is none: edits of such a file are judged from the record."""
    folder = example("selection")
    replace(folder / "services/chat.yaml", "spec:\n", "# password: t0p-5tack9\nspec:\n")
    reference = (
        "env:\n      - {name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hf, key: token}}}\n      image: docker.io"
    )
    replace(folder / RUNTIME, "image: docker.io", reference)
    omec("lint", folder)
    (record,) = (cache / "lint").glob("*.record")
    assert b"t0p-5tack9" not in record.read_bytes()
    assert b"HF_TOKEN" in record.read_bytes()
    replace(folder / RUNTIME, "spec:\n", "# a comment\nspec:\n")
    assert cached(folder) == omec("lint", folder, "--no-cache")


def test_a_file_that_changes_during_the_run_spoils_nothing(
    omec: Omec, repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is parsed is what the key was made of; what is read again later is compared."""
    opened = lint_run.open_all
    for path, kept in ((repo / RUNTIME, 1), (repo / "omec.toml", 0)):
        before = path.read_bytes()

        def changing(*args: object, path: Path = path, **options: object) -> object:
            path.write_bytes(path.read_bytes() + b"\n# changed\n")
            return opened(*args, **options)  # type: ignore[arg-type]

        shutil.rmtree(cache, ignore_errors=True)
        with monkeypatch.context() as patched:
            patched.setattr(lint_run, "open_all", changing)
            during = omec("lint", repo)
        assert entries(cache) == kept
        path.write_bytes(before)
        assert omec("lint", repo) == omec("lint", repo, "--no-cache") == during


def test_secrets_stay_out(omec: Omec, cached: Callable[..., Outcome], repo: Path, cache: Path) -> None:
    token, password = "hf_" + "aB3" * 8, "t0p-5tack9"
    variables = f"unknownField:\n  - {{name: HF_TOKEN, value: {token}}}\n  - {{name: DB_PASSWORD, value: {password}}}\n"
    replace(repo / RUNTIME, "unknownField: 1\n", variables)
    for format_ in FORMATS:
        plain = omec("lint", repo, "--format", format_, "--no-cache")
        assert omec("lint", repo, "--format", format_) == plain
        assert cached(repo, "--format", format_) == plain
        assert token not in plain.out
        assert password not in plain.out
    for path in filter(Path.is_file, cache.rglob("*")):
        assert token.encode() not in path.read_bytes()
        assert password.encode() not in path.read_bytes()


def test_what_quotes_a_secret_is_not_kept(omec: Omec, repo: Path, cache: Path) -> None:
    password = "t0p-5tack9"
    replace(repo / RUNTIME, "unknownField: 1\n", f"{password}: 1\n")
    variables = f"env:\n      - {{name: DB_PASSWORD, value: {password}}}\n      name: ome-container\n"
    replace(repo / RUNTIME, "name: ome-container\n", variables)
    plain = omec("lint", repo, "--no-cache")
    assert omec("lint", repo) == plain
    assert "DB_PASSWORD" in plain.out
    assert password not in plain.out
    assert not cache.exists()


def test_a_damaged_cache_is_no_cache(omec: Omec, repo: Path, cache: Path) -> None:
    plain = omec("lint", repo)
    (entry,) = (cache / "lint").iterdir()
    for content in (b"", entry.read_bytes()[:-9], b"\xff" * 99, entry.read_bytes().replace(b"OME120", b"OME121")):
        entry.write_bytes(content)
        assert omec("lint", repo) == plain
    shutil.rmtree(cache)
    cache.touch()
    assert omec("lint", repo) == plain


_OPENED = """
import sys
from pathlib import Path
from omec.cli.main import run
from omec.lint.cache import key, snapshot

opened, known = set(), set()
sys.addaudithook(lambda event, args: opened.add(str(args[0])) if event == "open" else None)

def noted(original, names):
    def call(*args):
        found = original(*args)
        known.update(names(found, *args))
        return found
    return call

key._content = noted(key._content, lambda found, path: [str(path)])
snapshot.walk_disk = noted(snapshot.walk_disk, lambda found, *_: found.files)
assert run(sys.argv[2:]) == 1
top = Path(sys.argv[1])
read = {path for path in opened if Path(path).is_relative_to(top) and Path(path).is_file()}
print(len(read), *sorted(read - known))
"""


def test_every_file_that_a_run_opens_is_in_its_key(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """So that nobody makes lint read one more file and forgets the cache."""
    top = repo.absolute()
    elsewhere = str(tmp_path_factory.mktemp("cache"))
    write(repo / "omec.lock", "version: 1\n")
    args = [str(top), "lint", str(top), "--baseline", str(top / "baseline.json")]
    command = [sys.executable, "-c", _OPENED, *args, "--format", "json", "--output", os.devnull]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMEC_CACHE_DIR": elsewhere}
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    count, *missing = result.stdout.split()
    assert int(count) >= 9, "manifests, configuration, lock, baseline, schemas"
    assert missing == []


EDITS = st.lists(
    st.tuples(
        st.sampled_from([RUNTIME, "models/llama-3-2-3b-instruct.yaml", "services/chat.yaml", "omec.toml"]),
        st.integers(0, 400),
        st.sampled_from(["", "x", "\n", "# y\n", " ", ":", "0", "name: z\n", "{"]),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(edits=EDITS, format_=st.sampled_from(FORMATS))
def test_random_edits(
    omec: Omec,
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    edits: list[tuple[str, int, str, int]],
    format_: str,
) -> None:
    folder = tmp_path_factory.mktemp("edited")
    shutil.copytree(ROOT / "examples" / "selection", folder, dirs_exist_ok=True)
    monkeypatch.chdir(folder)
    omec("lint", "--format", format_)
    for name, place, added, removed in edits:
        path = folder / name
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            path.write_text(text[:place] + added + text[place + removed :], encoding="utf-8")
        plain = omec("lint", "--format", format_, "--no-cache")
        assert omec("lint", "--format", format_) == plain
        assert omec("lint", "--format", format_) == plain


def test_runs_at_the_same_time(repo: Path, cache: Path) -> None:
    command = [sys.executable, "-m", "omec", "lint", str(repo), "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    started = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) for _ in range(4)
    ]
    said = {process.communicate() for process in started}
    assert len(said) == 1
    assert entries(cache) == 1
