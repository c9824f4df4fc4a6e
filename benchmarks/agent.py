"""``python -m benchmarks.agent``: the bars of the node role; exit code 1 where one is missed.

Downloads of one model from a local hub, against ``snapshot_download`` of the hub's own library, in pairs of which the
median ratio is judged: once as fast as it goes (without verification there, with it here), once at 1 Gbit/s. Where
KUBEBUILDER_ASSETS names an API server, the role itself as well: at 1 Gbit/s, from the creation of a model to the label
``Ready`` of the node; and its start, and what it costs while nothing happens.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.hub import MODEL
from omec.runtime_agent.download.job import Job, Report
from omec.runtime_agent.download.runner import run

GIGABIT = 125_000_000
_LIBRARY = """
import sys
from huggingface_hub import snapshot_download
snapshot_download(sys.argv[1], local_dir=sys.argv[2])
"""
_IN_A_POD = """
import sys
from pathlib import Path
from omec.cli.main import main
from omec.runtime_agent.cluster import service_account
service_account.FOLDER = Path(sys.argv.pop(1))
sys.exit(main())
"""
_QUIET = {"HF_HUB_DISABLE_PROGRESS_BARS": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_XET": "1"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agent", description=__doc__)
    parser.add_argument("--size", type=int, default=2048, metavar="MIB", help="size of the model (default 2048)")
    parser.add_argument("--pairs", type=int, default=5, metavar="N", help="pairs of downloads (default 5)")
    parser.add_argument("--idle", type=float, default=30, metavar="S", help="seconds to watch the idle role")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="omec-benchmark-", dir=_folder()) as scratch:
        met = [
            throughput(Path(scratch), options.size, options.pairs, 0, "download phase", 0.95),
            throughput(Path(scratch), options.size, max(1, options.pairs // 2), GIGABIT, "1 Gbit/s to verified", 0.90),
            role(Path(scratch), max(1, options.pairs // 2), options.idle),
        ]
    return 0 if all(met) else 1


def throughput(scratch: Path, mebibytes: int, pairs: int, rate: int, name: str, bar: float) -> bool:
    """Print and judge pairs of downloads; the speed of the agent as a share of the library's."""
    folder = scratch / "served"
    folder.mkdir(exist_ok=True)
    weights = folder / "model.safetensors"
    if not weights.exists():
        with weights.open("wb") as file:
            for _ in range(mebibytes):
                file.write(os.urandom(1 << 20))
    ratios = []
    with served(folder, rate) as endpoint:
        for _ in range(pairs):
            library = by_library(scratch / "library", endpoint)
            phase, whole = by_agent(scratch / "agent", endpoint)
            ratios.append(library / (whole if rate else phase))
            print(f"  {name}: library {library:.2f} s, agent {phase:.2f} s, verified {whole:.2f} s")
    ratio = median(ratios)
    print(f"{name}: {ratio:.2f}x of snapshot_download (bar {bar}x): {'met' if ratio >= bar else 'missed'}")
    return ratio >= bar


def by_library(folder: Path, endpoint: str) -> float:
    """The seconds that the library takes, in a process of its own."""
    env = {**os.environ, **_QUIET, "HF_ENDPOINT": endpoint, "HF_HOME": str(folder) + "-home"}
    started = time.monotonic()
    subprocess.run([sys.executable, "-c", _LIBRARY, MODEL, str(folder)], env=env, check=True)
    taken = time.monotonic() - started
    shutil.rmtree(folder)
    return taken


def by_agent(root: Path, endpoint: str) -> tuple[float, float]:
    """The seconds until the last byte has arrived, and until everything is verified and published."""
    arrived = 0.0

    def tell(report: Report) -> None:
        nonlocal arrived
        if report.total_bytes and report.completed_bytes == report.total_bytes and not arrived:
            arrived = time.monotonic() - started

    job = Job(f"hf://{MODEL}", str(root / "model"), (str(root),), endpoint=endpoint, reserve=0)
    started = time.monotonic()
    run(job, threading.Event(), tell)
    whole = time.monotonic() - started
    shutil.rmtree(root)
    return arrived or whole, whole


@contextmanager
def served(folder: Path, rate: int) -> Iterator[str]:
    """The address of a hub in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.hub", str(folder), str(rate)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


def role(scratch: Path, pairs: int, seconds: float) -> bool:
    """Print and judge ``omec agent node`` among 100 models for other nodes: idle, then on the way to ``Ready``."""
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    if not assets:
        print("role: not measured (KUBEBUILDER_ASSETS is not set)")
        return True
    from tests.cluster.client import ApiServer  # noqa: PLC0415
    from tests.cluster.control_plane import control_plane  # noqa: PLC0415
    from tests.cluster.ome import install_ome  # noqa: PLC0415

    folder = scratch / "control-plane"
    folder.mkdir()
    with served(scratch / "served", GIGABIT) as hub, control_plane(Path(assets), folder) as endpoint:
        apiserver = ApiServer(endpoint)
        install_ome(apiserver)
        apiserver.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ome"}})
        apiserver.create({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node"}})
        for number in range(100):
            apiserver.create(_model(f"model-{number}", "org/other", f"/models/{number}", node="other"))
        (scratch / "token").write_text(endpoint.token, encoding="ascii")
        shutil.copy(endpoint.certificate, scratch / "ca.crt")
        with _role(endpoint.port, scratch, hub) as (pid, start):
            idle = _is_light(pid, start, seconds)
            ratios = [by_library(scratch / "library", hub) / _ready_after(apiserver, scratch) for _ in range(pairs)]
    ratio = median(ratios)
    print(f"1 Gbit/s to Ready: {ratio:.2f}x of snapshot_download (bar 0.9x): {'met' if ratio >= 0.9 else 'missed'}")
    return idle and ratio >= 0.9


def _ready_after(apiserver: Any, scratch: Path) -> float:
    """The seconds from the creation of a model until its node says that it is ready; it is gone afterwards."""
    name, key = "measured", "models.ome.io/clusterbasemodel.measured"
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node"}}

    def wait(status: str | None) -> None:
        while (apiserver.get(node)["metadata"].get("labels") or {}).get(key) != status:
            time.sleep(0.05)

    started = time.monotonic()
    apiserver.create(_model(name, MODEL, str(scratch / "models" / name)))
    wait("Ready")
    taken = time.monotonic() - started
    print(f"  1 Gbit/s to Ready: {taken:.2f} s")
    apiserver.request("DELETE", f"/apis/ome.io/v1beta1/clusterbasemodels/{name}")
    wait(None)
    return taken


def _is_light(pid: int, start: float, seconds: float) -> bool:
    """Print and judge the start of the role, and what it costs in ``seconds`` in which nothing happens."""
    time.sleep(3)
    before = _cpu(pid)
    time.sleep(seconds)
    share, resident = (_cpu(pid) - before) / seconds, _resident(pid)
    met = start < 1.5 and resident < 80_000_000 and share < 0.01
    costs = f"ready after {start:.2f} s (bar 1.5), {resident / 1e6:.0f} MB (80), {share:.2%} of a core (1%)"
    print(f"role: {costs}: {'met' if met else 'missed'}")
    return met


@contextmanager
def _role(api_port: int, scratch: Path, hub: str) -> Iterator[tuple[int, float]]:
    """The role as a process, and after how many seconds it was ready.

    It finds the API server as in a pod, by the service account in ``scratch``.
    """
    import urllib.request  # noqa: PLC0415

    port = 18_473
    command = [sys.executable, "-c", _IN_A_POD, str(scratch), "agent", "node", "--node-name", "node"]
    command += ["--models-root", str(scratch / "models"), "--port", str(port), "--log-level", "error"]
    command += ["--endpoint", hub, "--reserve", "0"]
    env = {**os.environ, "KUBERNETES_SERVICE_HOST": "127.0.0.1", "KUBERNETES_SERVICE_PORT": str(api_port)}
    env.pop("KUBECONFIG", None)
    started = time.monotonic()
    process = subprocess.Popen(command, env=env)
    try:
        while True:
            try:
                with urllib.request.urlopen(f"http://localhost:{port}/readyz", timeout=5):
                    break
            except OSError:
                time.sleep(0.01)
        yield process.pid, time.monotonic() - started
    finally:
        process.terminate()
        process.wait()


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _model(name: str, repository: str, path: str, **selector: str) -> dict[str, Any]:
    storage = {"storageUri": f"hf://{repository}", "path": path, "nodeSelector": selector}
    return {
        "apiVersion": "ome.io/v1beta1",
        "kind": "ClusterBaseModel",
        "metadata": {"name": name},
        "spec": {"storage": storage, "modelFormat": {"name": "safetensors"}},
    }


def _folder() -> str | None:
    """A folder in memory where there is room, so that no disk is measured; ``None`` for the usual one."""
    memory = Path("/dev/shm")
    usable = "TMPDIR" not in os.environ and os.access(memory, os.W_OK)
    return str(memory) if usable and shutil.disk_usage(memory).free > 8 << 30 else None


if __name__ == "__main__":
    sys.exit(main())
