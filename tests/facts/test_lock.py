"""omec.lock: what is written, what is read back, and what is refused."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.errors import OmecError
from omec.facts.attention import Attention
from omec.facts.lock import Lock, key_of, parse_lock, ref_of, render_lock
from omec.facts.lock_file import change_lock, read_lock
from omec.facts.locked import LockedModel
from omec.finding import ObjectRef

FACTS = {
    "modelType": "llama",
    "modelArchitecture": "LlamaForCausalLM",
    "modelFormat": {"name": "safetensors", "version": "1.0.0"},
    "modelFramework": {"name": "transformers", "version": "4.40"},
    "modelParameterSize": "8.03B",
    "maxTokens": 8192,
    "modelCapabilities": ["TEXT_TO_TEXT"],
    "quantization": "fp8",
}
LLAMA = LockedModel(
    uri="hf://org/llama",
    digest="sha256:" + "d" * 64,
    revision="c" * 40,
    facts=FACTS,
    weights={"BF16": 16060522496},
    attention=Attention(32, 32, 8, 128),
)
BARE = LockedModel(uri="local:///m", digest="sha256:0")
KEY = "ClusterBaseModel/llama"

TEXT = """\
# Facts of models, read from their files by `omec facts update`. Commit this file; do not edit it.
version: 1
models:
  BaseModel/team/tiny:
    digest: sha256:0
    uri: local:///m
  ClusterBaseModel/llama:
    digest: sha256:dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd
    facts:
      maxTokens: 8192
      modelArchitecture: LlamaForCausalLM
      modelCapabilities:
      - TEXT_TO_TEXT
      modelFormat:
        name: safetensors
        version: 1.0.0
      modelFramework:
        name: transformers
        version: "4.40"
      modelParameterSize: 8.03B
      modelType: llama
      quantization: fp8
    memory:
      attention:
        headSize: 128
        heads: 32
        kvHeads: 8
        layers: 32
      weights:
        BF16: 16060522496
    revision: cccccccccccccccccccccccccccccccccccccccc
    uri: hf://org/llama
"""
LOCK = Lock({KEY: LLAMA, "BaseModel/team/tiny": BARE})


def test_text() -> None:
    assert render_lock(LOCK) == TEXT
    assert parse_lock(TEXT) == LOCK
    assert render_lock(Lock(dict(reversed(LOCK.models.items())))) == TEXT


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "version: 1\n", "version: 1\nmodels: {}\n", "version: 1\nmodels:\n"]
)
def test_empty_locks(text: str) -> None:
    assert parse_lock(text).models == {}


@pytest.mark.parametrize("ref", [ObjectRef("ClusterBaseModel", None, "llama"), ObjectRef("BaseModel", "team", "llama")])
def test_keys(ref: ObjectRef) -> None:
    assert ref_of(key_of(ref)) == ref


facts = st.fixed_dictionaries(
    {},
    optional={
        "modelType": st.text(),
        "modelArchitecture": st.text(),
        "modelFormat": st.fixed_dictionaries({"name": st.text()}, optional={"version": st.text()}),
        "modelParameterSize": st.sampled_from(["0", "1e3", "8B", "1_000", "0x10", "", "~", "yes"]),
        "maxTokens": st.integers(0, 2**31),
        "modelCapabilities": st.lists(st.text(), max_size=3),
        "diffusionPipeline": st.dictionaries(st.text(), st.text(), max_size=2),
    },
)


@given(st.dictionaries(st.sampled_from(["ClusterBaseModel/a", "BaseModel/b/c", "ClusterBaseModel/1.0"]), facts))
def test_whatever_the_facts_are_they_come_back(models: dict[str, Any]) -> None:
    lock = Lock({key: LockedModel("hf://a/b", "sha256:0", facts=each) for key, each in models.items()})
    assert parse_lock(render_lock(lock)) == lock


def changed(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "code", "message", "hint"),
    [
        (
            TEXT.replace("  ClusterBaseModel", "<<<<<<< HEAD\n=======\n>>>>>>> branch\n  ClusterBaseModel"),
            "OME021",
            "omec.lock:7: the file holds the marks of an unfinished merge",
            "keep the blocks of both sides",
        ),
        (changed("version: 1\n", "||||||| base\nversion: 1\n"), "OME021", "omec.lock:2: ", "delete the lines"),
        (
            TEXT + TEXT[TEXT.index("  Cluster") :],
            "OME021",
            "omec.lock:33:3: key “ClusterBaseModel/llama” occurs twice",
            "keep the blocks",
        ),
        (changed("version: 1", "version: 2"), "OME022", "omec.lock:2:1: the file has version 2", "install the omec"),
        (changed("version: 1\n", ""), "OME022", "the file has version None", "install the omec"),
        (changed("version: 1", 'version: "1"'), "OME022", "the file has version '1'", "install the omec"),
        (
            changed("models:", "pins: {}\nmodels:"),
            "OME022",
            "omec.lock:3:1: pins is a key",
            "install the omec that wrote",
        ),
        (changed("models:", "model:"), "OME022", "model is a key that this omec does not know", "did you mean models?"),
        (changed("    uri: local", "    url: local"), "OME022", "omec.lock:6:5: url is a key", "did you mean uri?"),
        (
            changed("maxTokens: 8192", "maxToken: 8192"),
            "OME022",
            "omec.lock:10:7: maxToken is",
            "did you mean maxTokens?",
        ),
        (
            changed("    uri: local:///m\n", ""),
            "OME022",
            "the block of BaseModel/team/tiny has no uri",
            "delete the block",
        ),
        (
            changed("maxTokens: 8192", "maxTokens: many"),
            "OME022",
            "omec.lock:10:7: facts.maxTokens of ClusterBaseModel/llama is not a whole number",
            "run omec facts update ClusterBaseModel/llama",
        ),
        (changed("layers: 32", "layers: -1"), "OME022", "memory.attention.layers", "delete the block"),
        (changed("BF16: 16060522496", "BF16: x"), "OME022", "memory.weights of", "delete the block"),
        (changed("- TEXT_TO_TEXT", "- 5"), "OME022", "facts.modelCapabilities", "is not a list of texts"),
        (changed("name: safetensors", "label: safetensors"), "OME022", "facts.modelFormat", "delete the block"),
        (changed("ClusterBaseModel/llama", "ServingRuntime/llama"), "OME022", "is the key of no model", "delete"),
        ("version: 1\nmodels: []\n", "OME022", "omec.lock:2:1: models is no mapping", ""),
        ("[]", "OME022", "holds no mapping", ""),
        ("version: 1\nmodels:\n  ClusterBaseModel/a:\n", "OME022", "the block of ClusterBaseModel/a is no mapping", ""),
        ("version: 1\nmodels: {\n", "OME020", "omec.lock:", "restore the file with Git"),
        ("version: 1\nmodels: *x\n", "OME020", "omec.lock:2:9", "restore the file with Git"),
        ("\0", "OME020", "omec.lock:1:1", "restore the file"),
    ],
)
def test_what_is_refused(text: str, code: str, message: str, hint: str) -> None:
    with pytest.raises(OmecError) as error:
        parse_lock(text)
    assert error.value.code == code
    assert message in error.value.message
    assert hint in f"{error.value.message} {error.value.hint}"
    assert error.value.hint


@given(st.text(max_size=30), st.integers(0, len(TEXT)))
def test_damage_is_an_error_or_no_damage(piece: str, at: int) -> None:
    with contextlib.suppress(OmecError):
        parse_lock(TEXT[:at] + piece + TEXT[at:])


def test_filling() -> None:
    filled = LLAMA.fill({"storage": {}, "modelFormat": {"name": "gguf"}, "quantization": "mine"})
    assert filled == FACTS | {
        "storage": {},
        "modelFormat": {"name": "gguf", "version": "1.0.0"},
        "quantization": "mine",
    }
    by_job = LockedModel("pvc://a/b", "", facts={"modelConfiguration": {"x": 1}, "modelType": "llama"})
    assert by_job.fill({}, by_job=True) == {"modelType": "llama"}


# --- The file ----------------------------------------------------------------------------------------------------


def test_no_file_is_an_empty_lock(tmp_path: Path) -> None:
    assert read_lock(tmp_path / "omec.lock").models == {}


def test_writing_and_reading(tmp_path: Path) -> None:
    path = tmp_path / "omec.lock"
    change_lock(path, lambda lock: lock.with_models(LOCK.models))
    assert path.read_text() == TEXT
    assert read_lock(path).models == LOCK.models
    change_lock(path, lambda lock: lock.with_models({}, without=["BaseModel/team/tiny"]))
    assert list(read_lock(path).models) == [KEY]
    assert [entry.name for entry in tmp_path.iterdir()] == ["omec.lock"]


def test_nothing_new_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "omec.lock"
    change_lock(path, lambda lock: lock)
    assert not path.exists()
    path.write_text(TEXT)
    before = path.stat().st_ino
    change_lock(path, lambda lock: lock.with_models({KEY: LLAMA}))
    assert path.stat().st_ino == before


def test_mode_and_link_are_kept(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "omec.lock", tmp_path / "omec.lock"
    real.write_text(TEXT)
    real.chmod(0o640)
    link.symlink_to(real)
    change_lock(link, lambda lock: lock.with_models({}, without=[KEY]))
    assert link.is_symlink()
    assert KEY not in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("content", [b"\xff\xfe", TEXT.encode("utf-16")])
def test_other_encodings_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "omec.lock"
    path.write_bytes(content)
    with pytest.raises(OmecError, match="not UTF-8"):
        read_lock(path, "omec.lock")
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    assert read_lock(path).models == LOCK.models


def test_a_folder_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "omec.lock").mkdir()
    with pytest.raises(OmecError, match="cannot be read: is a directory") as error:
        read_lock(tmp_path / "omec.lock", "omec.lock")
    assert error.value.code == "OME020"
    with pytest.raises(OmecError, match="cannot be written"):
        change_lock(tmp_path / "absent" / "omec.lock", lambda lock: LOCK)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OmecError, match="cannot be written: permission denied"):
        change_lock(tmp_path / "omec.lock", lambda lock: LOCK)


def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    """Each adds its own blocks, one by one."""
    code = """
import sys
from pathlib import Path
from omec.facts.lock_file import change_lock
from omec.facts.locked import LockedModel
for number in range(10):
    key = f"ClusterBaseModel/{sys.argv[2]}-{number}"
    change_lock(Path(sys.argv[1]), lambda lock: lock.with_models({key: LockedModel("hf://a/b", "sha256:0")}))
"""
    path = tmp_path / "omec.lock"
    runs = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in ("a", "b", "c")]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    assert len(read_lock(path).models) == 30


def test_branches_that_add_different_models_merge(tmp_path: Path) -> None:
    def git(*args: str) -> None:
        settings = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "init.defaultBranch=main")
        subprocess.run(["git", *settings, *args], cwd=tmp_path, check=True, capture_output=True)

    path = tmp_path / "omec.lock"

    def commit(*names: str) -> None:
        models = {f"ClusterBaseModel/{name}": LockedModel(f"hf://a/{name}", "sha256:0", facts=FACTS) for name in names}
        change_lock(path, lambda lock: lock.with_models(models))
        git("add", ".")
        git("commit", "-m", "x")

    git("init")
    commit("c", "m", "t")
    git("checkout", "-b", "other")
    commit("f")
    git("checkout", "main")
    commit("p")
    git("merge", "other", "-m", "both")
    assert [key.rpartition("/")[2] for key in read_lock(path).models] == ["c", "f", "m", "p", "t"]
