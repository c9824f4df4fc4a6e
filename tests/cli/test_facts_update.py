"""``omec facts update``: the lock, the manifests, and what is said on the way."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from omec.facts.lock_file import read_lock
from tests.cli.conftest import Omec
from tests.facts.conftest import hub  # noqa: F401 - a fixture
from tests.facts.hub_server import COMMIT, HubServer
from tests.facts.models import LLAMA, write_model

Models = Callable[..., None]


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Models:
    """``models(NAME=URI, …)`` writes the manifests of a repository that is the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(**uris: str) -> None:
        for name, uri in uris.items():
            (tmp_path / f"{name}.yaml").write_text(
                "apiVersion: ome.io/v1beta1\nkind: ClusterBaseModel\nmetadata:\n"
                f"  name: {name}\nspec:\n  # where\n  storage:\n    storageUri: {uri}\n    path: /m\n"
            )

    return write


def keys() -> list[str]:
    return [key.rpartition("/")[2] for key in read_lock(Path("omec.lock")).models]


def test_update(omec: Omec, hub: HubServer, models: Models) -> None:  # noqa: F811
    hub.repository("org/a", {"config.json": LLAMA})
    hub.repository("org/b", {"config.json": LLAMA})
    models(a="hf://org/a", b="hf://org/b")
    outcome = omec("facts", "update")
    assert outcome.code == 0
    assert sorted(outcome.out.splitlines()) == [
        f"ClusterBaseModel/{name}  LlamaForCausalLM 162.30K safetensors  hf://org/{name} ({COMMIT[:19]})"
        for name in "ab"
    ]
    assert outcome.err == "omec.lock: 2 read, 0 current, 0 failed\n"
    assert keys() == ["a", "b"]
    before = Path("omec.lock").read_bytes()
    outcome = omec("facts", "update")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "omec.lock: 0 read, 2 current, 0 failed\n")
    assert Path("omec.lock").read_bytes() == before
    assert omec("facts", "check").code == 0


def test_only_named_models(omec: Omec, hub: HubServer, models: Models) -> None:  # noqa: F811
    hub.repository("org/a", {"config.json": LLAMA})
    models(a="hf://org/a", b="hf://org/absent")
    assert omec("facts", "update", "a", "-q").err == ""
    assert keys() == ["a"]


def test_failures_are_told_and_the_others_kept(omec: Omec, hub: HubServer, models: Models) -> None:  # noqa: F811
    hub.repository("org/a", {"config.json": LLAMA})
    hub.repository("org/b", {"README.md": ""})
    hub.repository("org/c", {"config.json": LLAMA}, gated=True)
    models(a="hf://org/a", b="hf://org/b", c="hf://org/c", d="hf://org/absent")
    outcome = omec("facts", "update")
    assert outcome.code == 1
    assert "error: ClusterBaseModel/b: no model_index.json or config.json found in hf://org/b [OME042]" in outcome.err
    assert "error: ClusterBaseModel/c: " in outcome.err
    assert "help: accept the model's terms on its page" in outcome.err
    assert "error: ClusterBaseModel/d: " in outcome.err
    assert outcome.err.endswith("omec.lock: 1 read, 0 current, 3 failed\n")
    assert keys() == ["a"]


def test_a_block_outlives_a_failure(omec: Omec, hub: HubServer, models: Models) -> None:  # noqa: F811
    hub.repository("org/a", {"config.json": LLAMA})
    models(a="hf://org/a")
    omec("facts", "update")
    before = Path("omec.lock").read_bytes()
    hub.repositories.clear()
    assert omec("facts", "update").code == 1
    assert Path("omec.lock").read_bytes() == before


def test_blocks_of_models_that_are_gone(omec: Omec, hub: HubServer, models: Models) -> None:  # noqa: F811
    hub.repository("org/a", {"config.json": LLAMA})
    models(a="hf://org/a", b="hf://org/a")
    omec("facts", "update")
    Path("b.yaml").unlink()
    omec("facts", "update")
    assert keys() == ["a", "b"]
    omec("facts", "update", "--prune")
    assert keys() == ["a"]


def test_models_that_cannot_be_read(omec: Omec, models: Models) -> None:
    models(a="local:///a", b="oci://n/x/b/y/o/z")
    outcome = omec("facts", "update")
    assert outcome.code == 0
    assert "note: omec cannot read ClusterBaseModel a, ClusterBaseModel b: name a directory" in outcome.err
    assert not Path("omec.lock").exists()
    outcome = omec("facts", "update", "a")
    assert outcome.code == 1
    assert "local:///a is on the nodes, where omec cannot read it" in outcome.err


def test_a_models_root(omec: Omec, models: Models, tmp_path: Path) -> None:
    write_model(tmp_path / "copies" / "x" / "a", {"config.json": LLAMA})
    models(a="local:///mnt/x/a", b="pvc://ns:x/a")
    assert omec("facts", "update", "--models-root", "copies").code == 0
    assert keys() == ["a", "b"]


def test_manifests(omec: Omec, hub: HubServer, models: Models) -> None:  # noqa: F811
    hub.repository("org/a", {"config.json": LLAMA})
    models(a="hf://org/a")
    before = Path("a.yaml").read_text()
    outcome = omec("facts", "update", "--write-manifests")
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1] == "a.yaml: 6 facts written"
    assert not Path("omec.lock").exists()
    after = Path("a.yaml").read_text()
    head, tail = before.split("  # where\n")
    assert after.startswith(f"{head}  modelType: llama\n  modelArchitecture: LlamaForCausalLM\n")
    assert after.endswith(f"  - TEXT_TO_TEXT\n  # where\n{tail}")
    # The model is so small that its size, which OME writes with K, is none that OME reads.
    assert omec("lint", ".", "--ignore", "size-bad-suffix").code == 0
    assert omec("facts", "check").out == ""
    assert omec("facts", "update", "--write-manifests").out == ""
    assert Path("a.yaml").read_text() == after


def test_a_manifest_that_cannot_be_changed(omec: Omec, hub: HubServer, tmp_path: Path, models: Models) -> None:  # noqa: F811
    hub.repository("org/a", {"config.json": LLAMA})
    text = (
        "apiVersion: ome.io/v1beta1\nkind: ClusterBaseModel\nmetadata: {name: a}\n"
        "spec: &spec\n  storage: {storageUri: 'hf://org/a', path: /m}\nstatus: *spec\n"
    )
    Path("a.yaml").write_text(text)
    outcome = omec("facts", "update", "--write-manifests")
    assert outcome.code == 1
    assert "error: a.yaml cannot be changed: its YAML is written in a way that leaves no place" in outcome.err
    assert "write into spec of a:\n    modelArchitecture: LlamaForCausalLM" in outcome.err
    assert Path("a.yaml").read_text() == text


def test_a_json_file(omec: Omec, hub: HubServer, models: Models) -> None:  # noqa: F811
    models()
    hub.repository("org/a", {"config.json": LLAMA})
    spec = '{"storage": {"storageUri": "hf://org/a", "path": "/m"}}'
    Path("a.json").write_text(
        f'{{"apiVersion": "ome.io/v1beta1", "kind": "ClusterBaseModel", "metadata": {{"name": "a"}}, "spec": {spec}}}'
    )
    assert omec("facts", "update", "--write-manifests").code == 0
    written = Path("a.json").read_text()
    assert json.loads(written)["spec"]["modelFormat"]["name"] == "safetensors"
    assert written.endswith(spec[1:] + "}")


def test_a_path_in_place_of_a_model(omec: Omec, models: Models) -> None:
    models(a="hf://org/a")
    outcome = omec("facts", "update", ".")
    assert outcome.code == 2
    assert "help: write --source . to update all models of its manifests" in outcome.err


def test_without_the_library(omec: Omec, models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    monkeypatch.setitem(sys.modules, "huggingface_hub.constants", None)
    models(a="hf://org/a")
    outcome = omec("facts", "update")
    assert outcome.code == 1
    assert "which is not installed [OME044]\n  help: pip install 'omec[hub]'" in outcome.err


def test_other_catalogs_keep_their_own_lock(omec: Omec, hub: HubServer, models: Models, tmp_path: Path) -> None:  # noqa: F811
    hub.repository("org/a", {"config.json": LLAMA})
    (tmp_path / "platform").mkdir()
    models(a="hf://org/a")
    Path("a.yaml").rename("platform/a.yaml")
    omec("facts", "update", "--source", "platform")
    (tmp_path / "team").mkdir()
    Path("team/omec.toml").write_text('[[sources]]\npath = "../platform"\n')
    Path("team/class.yaml").write_text("apiVersion: ome.io/v1beta1\nkind: AcceleratorClass\nmetadata: {name: a10}\n")
    outcome = omec("facts", "update", "--source", "team")
    assert (outcome.code, outcome.err) == (0, "team/omec.lock: 0 read, 0 current, 0 failed\n")
    assert not Path("team/omec.lock").exists()


def test_a_progress_bar_on_a_terminal(hub: HubServer, models: Models) -> None:  # noqa: F811
    hub.repository("org/a", {"config.json": LLAMA})
    models(a="hf://org/a", b="hf://org/a")
    primary, secondary = pty.openpty()
    env = {**os.environ, "HF_ENDPOINT": hub.endpoint, "TERM": "xterm", "HF_HUB_OFFLINE": "0"}
    command = [sys.executable, "-m", "omec", "facts", "update"]
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=secondary) as process:
        os.close(secondary)
        shown = b""
        try:
            while piece := os.read(primary, 1024):
                shown += piece
        except OSError:  # the other end is closed
            pass
    os.close(primary)
    assert process.returncode == 0
    assert b"[------------------------] 0 of 2 models" in shown
    assert b"[############------------] 1 of 2 models" in shown
    assert b"[########################] 2 of 2 models" in shown
