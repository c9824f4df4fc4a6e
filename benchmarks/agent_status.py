"""``python -m benchmarks.agent_status``: the status role in a large cluster, on a real API server.

Thousands of nodes report eight models each and one reports 200. Measured are the time until every model has its
status, the memory of the process, its share of a processor while nodes keep reporting, and the requests that one change
of one node costs. Needs ``KUBEBUILDER_ASSETS``; not part of the tests, because filling the cluster takes a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.resources import CLUSTER_BASE_MODELS, CONFIG_MAPS, NAMESPACES, NODES
from tests.cluster.agent import agent_client, write_kubeconfig
from tests.cluster.client import ApiServer
from tests.cluster.control_plane import control_plane
from tests.cluster.ome import install_ome

NAMESPACE = "ome"
MODELS, ENTRIES = 200, 8
MEMORY_BAR, CORE_BAR = 300, 1.0
PORT = 18080
FACTS = {
    "modelType": "llama",
    "modelArchitecture": "LlamaForCausalLM",
    "modelFramework": {"name": "transformers", "version": "4.45.0"},
    "modelFormat": {"name": "safetensors", "version": "1.0.0"},
    "modelParameterSize": "3.21B",
    "maxTokens": 131072,
    "modelCapabilities": ["TEXT_TO_TEXT"],
    "artifact": {"sha": "", "parentPath": None, "childrenPaths": None},
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agent_status", description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=5000, metavar="N", help="nodes that report (default 5000)")
    parser.add_argument("--seconds", type=int, default=60, metavar="S", help="length of the steady phase (default 60)")
    arguments = parser.parse_args()
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    if not assets:
        parser.error("KUBEBUILDER_ASSETS is not set")
    with tempfile.TemporaryDirectory(prefix="omec-benchmark-") as scratch:
        folder = Path(scratch)
        (folder / "control-plane").mkdir()
        with control_plane(Path(assets), folder / "control-plane") as endpoint:
            server = ApiServer(endpoint)
            install_ome(server)
            cluster = agent_client(endpoint, folder)
            fill(cluster, arguments.nodes)
            figures = measure(cluster, server, write_kubeconfig(endpoint, folder / "kubeconfig"), arguments)
    for name, value in figures.items():
        print(f"{name:<52} {value:>10.2f}")
    return 0 if figures["memory, highest (MB)"] < MEMORY_BAR and figures["cores, steady"] < CORE_BAR else 1


def fill(cluster: Cluster, nodes: int) -> None:
    """Create nodes, models, and what the nodes report."""
    cluster.apply(NAMESPACES, {"metadata": {"name": NAMESPACE}})
    in_parallel(lambda number: cluster.create(CLUSTER_BASE_MODELS, model(number)), range(MODELS))
    in_parallel(lambda number: cluster.apply(NODES, {"metadata": {"name": node(number)}}), range(nodes + 1))
    in_parallel(lambda number: report(cluster, number, nodes), range(nodes + 1))


def report(cluster: Cluster, number: int, nodes: int, **changed: str) -> None:
    """Write the ConfigMap of a node; the last node has every model."""
    held = range(MODELS) if number == nodes else [(number * ENTRIES + each) % MODELS for each in range(ENTRIES)]
    entries = {f"model-{each}": {"name": f"model-{each}", "status": "Ready", "config": FACTS} for each in held}
    data = {f"clusterbasemodel.{name}": json.dumps(entry) for name, entry in entries.items()} | changed
    labels = {"models.ome/basemodel-status": "true", "node": node(number)}
    metadata = {"name": node(number), "namespace": NAMESPACE, "labels": labels}
    cluster.apply(CONFIG_MAPS, {"metadata": metadata, "data": data})


def measure(cluster: Cluster, server: ApiServer, kubeconfig: Path, arguments: Any) -> dict[str, float]:
    command = [sys.executable, "-m", "omec", "agent", "status", f"--kubeconfig={kubeconfig}", f"--port={PORT}"]
    started = time.monotonic()
    agent = subprocess.Popen([*command, "--log-level=warning"])
    try:
        wait_until(lambda: all(each.get("status", {}).get("nodesReady") for each in cluster.list(CLUSTER_BASE_MODELS)))
        settled = time.monotonic() - started
        start_up = cpu_seconds(agent.pid)
        time.sleep(5)
        calls = calls_of_single_changes(cluster, server, arguments.nodes)
        cores = steady(cluster, agent.pid, arguments)
        return {
            "seconds until every model has its status": settled,
            "processor seconds until then": start_up,
            "memory, highest (MB)": memory(agent.pid, "VmHWM"),
            "memory, at the end (MB)": memory(agent.pid, "VmRSS"),
            "requests about models, one change of one node": calls,
            "cores, steady": cores,
        }
    finally:
        agent.terminate()
        agent.wait()


def calls_of_single_changes(cluster: Cluster, server: ApiServer, nodes: int, changes: int = 10) -> float:
    """How many requests about models the role sends when one model of one node changes."""
    before = model_requests(server)
    for number in range(changes):
        failed = json.dumps({"name": f"model-{number * ENTRIES}", "status": "Failed", "config": FACTS})
        report(cluster, number, nodes, **{f"clusterbasemodel.model-{number * ENTRIES}": failed})
        time.sleep(2)
    return (model_requests(server) - before) / changes


def steady(cluster: Cluster, pid: int, arguments: Any) -> float:
    """The share of a core while 40 nodes a second report progress, and four of them a change of status."""
    cpu, began = cpu_seconds(pid), time.monotonic()
    number = 0
    while time.monotonic() - began < arguments.seconds:
        number += 1
        at = number % arguments.nodes
        name = f"model-{at * ENTRIES % MODELS}"
        status = "Updating" if number % 10 == 0 else "Ready"
        progress = {"phase": "downloading", "totalBytes": 10**11, "completedBytes": number, "totalFiles": 1}
        entry = {"name": name, "status": status, "config": FACTS, "progress": progress}
        report(cluster, at, arguments.nodes, **{f"clusterbasemodel.{name}": json.dumps(entry)})
        time.sleep(max(0.0, began + number / 40 - time.monotonic()))
    return (cpu_seconds(pid) - cpu) / (time.monotonic() - began)


def model_requests(server: ApiServer) -> int:
    """Requests about ClusterBaseModels since the API server runs, watches aside."""
    address = f"https://{server.endpoint.host}:{server.endpoint.port}/metrics"
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {server.endpoint.token}"})
    context = ssl.create_default_context(cafile=str(server.endpoint.certificate))
    with urllib.request.urlopen(request, context=context) as response:
        text = response.read().decode()
    lines = re.findall(r"^apiserver_request_total\{(.*)\} (\S+)$", text, re.MULTILINE)
    return int(sum(float(value) for labels, value in lines if "clusterbasemodels" in labels and "WATCH" not in labels))


def model(number: int) -> dict[str, Any]:
    storage = {"storageUri": f"hf://example/model-{number}", "path": f"/models/{number}"}
    kind = {"apiVersion": CLUSTER_BASE_MODELS.api_version, "kind": CLUSTER_BASE_MODELS.kind}
    return {**kind, "metadata": {"name": f"model-{number}"}, "spec": {"storage": storage}}


def node(number: int) -> str:
    return f"node-{number:05}.eu-frankfurt-1.compute.internal"


def in_parallel(create: Callable[[int], Any], numbers: Iterable[int]) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(create, numbers))


def wait_until(check: Callable[[], bool], seconds: float = 300) -> None:
    deadline = time.monotonic() + seconds
    while not check():
        if time.monotonic() > deadline:
            raise TimeoutError("the models have no status after minutes")
        time.sleep(1)


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int, name: str) -> float:
    text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    found = re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024


if __name__ == "__main__":
    sys.exit(main())
