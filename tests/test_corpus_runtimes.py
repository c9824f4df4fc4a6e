"""Each public runtime of OME with a service of its own, on one node and on several, compiled for both platforms.

All compile into objects that a cluster accepts, but for those in ``REFUSED``, which are refused for the reason there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from omec.compile.result import Compilation
from omec.finding import Severity
from omec.session import from_objects, open_repo
from tests.generated.validity import faults

Object = dict[str, Any]

NAMESPACE = "corpus"
VERSION = "1.35"
COMPONENTS = ("engine", "decoder", "router")
REFUSED = {
    "srt-c4ai-command-r-v01": "OME402",  # a chat template in the runtime's args; OME fails on it too
}
"""The code of the first error of a service by its runtime, on both platforms, on one node and on several."""

REFUSED_BY_OME = {
    "srt-deepseek-rdma": "OME577",  # leader and worker of OME 0.1.5, with variables that only a LeaderWorkerSet sets
    "srt-deepseek-rdma-pd": "OME577",  # the same
    "srt-kimi-k2-pd": "OME577",  # the same
}
"""What is refused beside these on platform ``ome``, whose leaders and workers are no LeaderWorkerSet."""


WORKLOADS = ("Deployment", "InferenceReplica", "LeaderWorkerSet")
EXPECTED = {
    ("ome", "single"): {"Deployment": 397},
    ("ome", "multi-node"): {"Deployment": 185, "InferenceReplica": 212},  # routers have one node
    ("kubernetes", "single"): {"Deployment": 400, "LeaderWorkerSet": 5},
    ("kubernetes", "multi-node"): {"Deployment": 188, "LeaderWorkerSet": 217},
}
"""How many components there are of each workload: engines, decoders and routers."""


@pytest.fixture(scope="module")
def runtimes(testdata: Path) -> list[Object]:
    """The 207 runtimes under names of their own: four names are published twice."""
    folder = testdata / "corpus" / "ome-v0.1.5" / "config" / "runtimes"
    bodies = [document.value for document in open_repo(folder, config={}).reading.documents]
    named = [body for body in bodies if body["kind"] == "ClusterServingRuntime"]
    return [{**body, "metadata": {"name": name}} for body, name in zip(named, unique_names(named), strict=True)]


def unique_names(bodies: list[Object]) -> Iterator[str]:
    seen: Counter[str] = Counter()
    for body in bodies:
        name = body["metadata"]["name"]
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name}-{seen[name]}"


@pytest.mark.parametrize("form", ["single", "multi-node"])
@pytest.mark.parametrize("platform", ["ome", "kubernetes"])
def test_every_runtime_compiles(runtimes: list[Object], testdata: Path, platform: str, form: str) -> None:
    assert len(runtimes) == 207
    several = form == "multi-node"
    objects = [body for i, runtime in enumerate(runtimes) for body in surrounded(runtime, f"s{i}", several=several)]
    config = {"platform": platform, "kubernetes-version": VERSION}
    compilation = from_objects(objects, config=config).compile()
    assert [fault for body in compilation.objects for fault in faults(body, VERSION, testdata)] == []
    assert refusals(compilation) == (REFUSED | REFUSED_BY_OME if platform == "ome" else REFUSED)
    kinds = Counter(body["kind"] for body in compilation.objects)
    assert {kind: kinds[kind] for kind in WORKLOADS if kinds[kind]} == EXPECTED[platform, form]


def surrounded(runtime: Object, short: str, *, several: bool) -> Iterator[Object]:
    """``runtime``, a model that it serves, and a service of a ``short`` name that uses both."""
    name, spec = runtime["metadata"]["name"], runtime["spec"]
    model = {**model_of(spec), "storage": {"storageUri": "hf://example/model", "path": f"/models/{name}"}}
    service: Object = {"model": {"name": name}, "runtime": {"name": name}}
    for component in COMPONENTS:
        if component == "engine" or spec.get(f"{component}Config"):
            service[component] = part_of(spec, component, several=several and component != "router")
    yield runtime
    yield described("ClusterBaseModel", name, model)
    yield described("InferenceService", short, service)


def part_of(spec: Object, component: str, *, several: bool) -> Object:
    """A component of a service; of ``several`` nodes also where the runtime has one node."""
    config = spec.get(f"{component}Config", {})
    if not several or "leader" in config:
        return {}
    pod = {"runner": config.get("runner", {}), "volumes": config.get("volumes", [])}
    return {"leader": pod, "worker": {**pod, "size": 1}}


def model_of(spec: Object) -> Object:
    """The facts of a model that the runtime takes."""
    entry = spec["supportedModelFormats"][0]
    facts = {
        key: entry[key]
        for key in ("modelFormat", "modelFramework", "modelArchitecture", "quantization")
        if key in entry
    }
    size = spec.get("modelSizeRange", {}).get("min")
    return facts if size is None else {**facts, "modelParameterSize": size}


def described(kind: str, name: str, spec: Object) -> Object:
    where = {"namespace": NAMESPACE} if kind == "InferenceService" else {}
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": {"name": name, **where}, "spec": spec}


def refusals(compilation: Compilation) -> dict[str, str]:
    return {
        compiled.service.spec["runtime"]["name"]: next(
            f.rule.code for f in compiled.findings if f.severity is Severity.ERROR
        )
        for compiled in compilation.services
        if compiled.failed
    }
