"""Bringing a lock up to date: what is read, what is left alone, and the bars for a large repository."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from omec.facts.lock import Lock
from omec.facts.lock_file import read_lock
from omec.facts.locked import LockedModel
from omec.facts.sources import ModelSource, Sources
from omec.facts.update import CURRENT, FAILED, READ, Job, Outcome, is_pinned, update
from tests.facts.hub_server import COMMIT, HubServer
from tests.facts.models import LLAMA, safetensors

OTHER = "e" * 40


def run(lock: Lock, *uris: str, **options: Any) -> dict[str, Outcome]:
    """The outcomes by URI; a block's key is its URI here."""
    jobs = [Job(uri, ModelSource(uri)) for uri in uris]
    with ThreadPoolExecutor(4) as pool:
        return {outcome.job.key: outcome for outcome in update(jobs, lock, Sources(), pool, **options)}


def locked(outcomes: dict[str, Outcome]) -> Lock:
    return Lock({key: outcome.locked for key, outcome in outcomes.items() if outcome.locked})


@pytest.fixture
def models(hub: HubServer) -> HubServer:
    for name in ("org/a", "org/b"):
        hub.repository(name, {"config.json": LLAMA}, revisions={"main": COMMIT, "v1": OTHER})
    return hub


def test_new_models_are_read(models: HubServer) -> None:
    outcomes = run(Lock(), "hf://org/a", "hf://org/b@v1")
    assert {outcome.status for outcome in outcomes.values()} == {READ}
    revisions = {key: model.revision for key, model in locked(outcomes).models.items()}
    assert revisions == {"hf://org/a": COMMIT, "hf://org/b@v1": OTHER}


def test_the_same_revision_is_not_read_again(models: HubServer) -> None:
    lock = locked(run(Lock(), "hf://org/a"))
    models.asked.clear()
    assert run(lock, "hf://org/a")["hf://org/a"].status == CURRENT
    assert len(models.asked) == 1
    assert run(lock, "hf://org/a", force=True)["hf://org/a"].status == CURRENT  # read, and the same as before
    assert len(models.asked) == 3


def test_a_pinned_revision_is_not_even_asked_for(models: HubServer) -> None:
    lock = locked(run(Lock(), f"hf://org/a@{COMMIT}"))
    models.asked.clear()
    assert run(lock, f"hf://org/a@{COMMIT}")[f"hf://org/a@{COMMIT}"].status == CURRENT
    assert models.asked == []


def test_a_branch_that_moved_is_read_again(models: HubServer) -> None:
    lock = locked(run(Lock(), "hf://org/a"))
    models.repository("org/a", {"config.json": {**LLAMA, "vocab_size": 5}}, revisions={"main": OTHER})
    outcome = run(lock, "hf://org/a")["hf://org/a"]
    assert (outcome.status, outcome.locked and outcome.locked.revision) == (READ, OTHER)


def test_another_uri_is_read_anew(models: HubServer) -> None:
    before = LockedModel("hf://org/a@v1", "sha256:0", COMMIT)
    assert run(Lock({"hf://org/a": before}), "hf://org/a")["hf://org/a"].status == READ


def test_one_failure_is_nobody_elses(models: HubServer) -> None:
    before = LockedModel("hf://org/absent", "sha256:0", COMMIT)
    outcomes = run(Lock({"hf://org/absent": before}), "hf://org/a", "hf://org/absent", "s3://x", "hf://org/b")
    assert Counter(outcome.status for outcome in outcomes.values()) == {READ: 2, FAILED: 2}
    failed = outcomes["hf://org/absent"]
    assert failed.locked == before
    assert failed.error is not None
    assert "has no model org/absent" in failed.error.message


def test_warnings_come_along(models: HubServer) -> None:
    models.repository("org/a", {"config.json": {"model_type": "odd"}})
    assert any("set modelCapabilities yourself" in text for text in run(Lock(), "hf://org/a")["hf://org/a"].warnings)


@pytest.mark.parametrize(
    ("uri", "revision", "pinned"),
    [
        (f"hf://a/b@{COMMIT}", COMMIT, True),
        ("hf://a/b@main", COMMIT, False),
        (f"hf://a/b@{COMMIT}", OTHER, False),
        ("hf://a/b@", "", False),
        ("modelpack://r/m@sha256:0", "sha256:0", True),
        ("modelpack://r/m:sha256", "sha256:0", False),
        ("local:///m", "", False),
        ("nonsense", "x", False),
    ],
)
def test_is_pinned(uri: str, revision: str, pinned: bool) -> None:
    assert is_pinned(uri, revision) is pinned


# --- The bars ----------------------------------------------------------------------------------------------------

MODELS, SHARDS, TENSORS = 200, 3, 40
FEWER_MODELS = 60

PROBE = """
import sys
from omec.cli.main import run
code = run(sys.argv[1:])
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print("peak", peak.split()[1], file=sys.stderr)
sys.exit(code)
"""


def fill(hub: HubServer, folder: Path, models: int = MODELS) -> int:
    """Publish the models and write their manifests; the bytes that describe them."""
    described = 0
    manifests = []
    for number in range(models):
        files: dict[str, Any] = {"config.json": {**LLAMA, "auto_map": "x" * 1500}, "tokenizer.json": b" " * 10_000}
        weight_map = {}
        for shard in range(SHARDS):
            tensors = {f"model.layers.{shard}.mlp.part{i}.weight": ("BF16", [4096, 4096]) for i in range(TENSORS)}
            name = f"model-{shard + 1:05}-of-{SHARDS:05}.safetensors"
            header = safetensors(tensors)
            described += len(header)
            files[name] = header + b"\0" * 20_000
            weight_map |= dict.fromkeys(tensors, name)
        files["model.safetensors.index.json"] = {"weight_map": weight_map}
        repository = hub.repository(f"org/m{number}", files)
        described += sum(len(repository.files[name]) for name in ("config.json", "model.safetensors.index.json"))
        manifests.append(
            "apiVersion: ome.io/v1beta1\nkind: ClusterBaseModel\n"
            f"metadata: {{name: m{number}}}\nspec: {{storage: {{storageUri: 'hf://org/m{number}', path: /m}}}}\n"
        )
    (folder / "models.yaml").write_text("---\n".join(manifests))
    return described


def omec(hub: HubServer, folder: Path, *args: str) -> subprocess.Popen[str]:
    env = {**os.environ, "HF_ENDPOINT": hub.endpoint, "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1", "HF_HUB_OFFLINE": "0"}
    command = [sys.executable, "-c", PROBE, "facts", "update", "--source", str(folder), *args]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_hundred_models(hub: HubServer, tmp_path: Path) -> None:
    """At least 8 in flight, at most 1.1 times the bytes that describe the models, under 150 MB, and only once."""
    described = fill(hub, tmp_path)
    hub.latency = 0.01
    process = omec(hub, tmp_path)
    out, err = process.communicate(timeout=250)
    assert process.returncode == 0, err
    assert len(out.splitlines()) == MODELS
    assert hub.most_in_flight >= 8
    assert hub.bytes_sent <= 1.1 * described
    assert int(err.rpartition("peak ")[2]) < 150_000
    models = read_lock(tmp_path / "omec.lock").models
    assert {model.facts["modelParameterSize"] for model in models.values()} == {"2.01B"}
    assert len(models) == MODELS
    hub.asked.clear()
    assert omec(hub, tmp_path).wait(100) == 0
    assert len(hub.asked) == MODELS


def test_an_interrupted_run_goes_on_where_it_stopped(hub: HubServer, tmp_path: Path) -> None:
    fill(hub, tmp_path, FEWER_MODELS)
    hub.latency = 0.2  # long enough for a busy machine to interrupt it in the middle
    process = omec(hub, tmp_path, "--jobs", "4")
    deadline = time.monotonic() + 60
    while len(hub.asked) < 40 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert "omec: interrupted" in err
    done = len(read_lock(tmp_path / "omec.lock").models)
    assert 0 < done < FEWER_MODELS
    hub.latency = 0.0
    hub.asked.clear()
    assert omec(hub, tmp_path).wait(100) == 0
    configs = sum(asked.path.endswith("config.json") for asked in hub.asked)
    assert configs == FEWER_MODELS - done
    assert len(read_lock(tmp_path / "omec.lock").models) == FEWER_MODELS
