"""The image: what its file says, and its steps run in a clean environment.

There is no container engine in tests. The steps of the Dockerfile run as they stand there, by a user without rights,
with the two directories of the image moved below a temporary one; then the installed program runs on a root file system
that is read-only. Installing takes a minute and needs a package index, so that it happens with ``OMEC_IMAGE=1`` only.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from omec.cli.agent import ROLES
from tests.image.dockerfile import stages

ROOT = Path(__file__).resolve().parents[2]
INSTALL, AGENT = stages(ROOT / "Dockerfile")
NOBODY = 65532

IS_ROOT = os.geteuid() == 0
READ_ONLY = 'mount --make-rprivate /; mount --bind / /; mount -o remount,bind,ro /; "$@"'

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_the_agent_runs_as_nobody_in_an_image_of_a_known_version() -> None:
    assert AGENT.all("USER") == [f"{NOBODY}:{NOBODY}"]
    assert json.loads(AGENT.all("ENTRYPOINT")[0]) == ["omec", "agent", "fetch"]
    for stage in (INSTALL, AGENT):
        assert stage.image.rpartition(":")[2] == "3.13-slim"
    assert not AGENT.all("RUN"), "what runs here is in no test"


def test_what_is_copied_is_there_and_sent_to_the_engine() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for arguments in INSTALL.all("COPY"):
        *sources, _ = arguments.split()
        for source in sources:
            assert (ROOT / source).exists()
            assert f"!{source}" in ignored


def test_the_image_with_oracle_s_sdk_can_be_installed() -> None:
    """The SDK wants python-dateutil 2, the newest clients for Kubernetes a later one; pip has to find what agrees."""
    if os.environ.get("OMEC_IMAGE") != "1":
        pytest.skip("asks a package index: set OMEC_IMAGE=1")
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-"]
    done = subprocess.run([*command, f"{ROOT}[oci]"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = {each["metadata"]["name"].lower() for each in json.loads(done.stdout)["install"]}
    assert {"omec", "oci", "kubernetes", "huggingface_hub", "prometheus_client"} <= found


@pytest.fixture(scope="module")
def image() -> Iterator[Path]:
    """The directory that stands for the root of the image."""
    if os.environ.get("OMEC_IMAGE") != "1":
        pytest.skip("installs from a package index: set OMEC_IMAGE=1")
    with tempfile.TemporaryDirectory(prefix="omec-image-") as folder:  # pytest's own are closed to other users
        root = Path(folder)
        root.chmod(0o755)
        for name in ("src", "opt", "home"):
            (root / name).mkdir()
        for arguments in INSTALL.all("COPY"):
            *sources, target = arguments.split()
            for source in sources:
                copy(ROOT / source, root / "src" / (source if target == "./" else target))
        if IS_ROOT:
            subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", root], check=True)
        for step in INSTALL.all("RUN"):
            done = as_nobody(["sh", "-ec", step.replace("/opt/", f"{root}/opt/")], root, cwd=root / "src")
            assert done.returncode == 0, done.stderr
        if IS_ROOT:
            subprocess.run(["chown", "-R", "0:0", root], check=True)
        yield root


def copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def as_nobody(command: list[str], root: Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``command`` as the user of the image, where the test itself is root; with as little environment."""
    path = f"{root}/opt/omec/bin:{os.environ['PATH']}"
    kept = {key: text for key, text in os.environ.items() if key.startswith(("PIP_", "SSL_")) or key.endswith("_proxy")}
    env = {**kept, "PATH": path, "HOME": str(root / "home"), "PYTHONDONTWRITEBYTECODE": "1"}
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if IS_ROOT else {}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, **user)


@pytest.fixture(scope="module")
def run(image: Path) -> Run:
    """Runs a command as the image would: read-only root, where this machine lets a test have one."""
    read_only = ["unshare", "-m", "sh", "-ec", READ_ONLY, "sh", "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}"]
    isolated = [*read_only, "--clear-groups"]
    if not IS_ROOT or subprocess.run([*isolated, "true"], capture_output=True, check=False).returncode:
        return lambda *command: as_nobody(list(command), image)
    env = {"PATH": f"{image}/opt/omec/bin:/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "HOME": "/nonexistent"}
    return lambda *command: subprocess.run([*isolated, *command], env=env, capture_output=True, text=True, check=False)


def test_the_installed_program_answers(run: Run) -> None:
    assert run("omec", "--version").stdout.startswith("omec ")
    printed = run("omec", "agent", "manifests", "--image", "a:1")
    assert (printed.returncode, printed.stderr) == (0, "")
    assert "kind: DaemonSet" in printed.stdout


@pytest.mark.parametrize("role", sorted(ROLES.keys() - {"manifests", "cleanup", "fetch"}))
def test_a_role_gets_as_far_as_to_look_for_its_cluster(run: Run, role: str) -> None:
    """Everything that it imports is installed; there is nothing to connect to."""
    given = ["--node-name=n"] if role == "node" else []
    done = run("omec", "agent", role, *given)
    assert done.returncode == 2
    assert "no cluster is configured" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_process_cannot_change_its_program(run: Run, image: Path) -> None:
    if not IS_ROOT:
        pytest.skip("who is not root owns what it has installed")
    assert run("touch", f"{image}/opt/omec/lib/written").returncode != 0
    assert not (image / "opt" / "omec" / "bin" / "pip").exists()
