"""What stands in the output beside services, by platform and by what the cluster has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from omec.compile.layout import folder_of
from omec.compile.result import Compilation
from omec.session import from_objects

HERE = Path(__file__).parent

Object = dict[str, Any]

RUNNER: Object = {"name": "ome-container", "image": "registry.example.com/engine:1", "args": ["--model=/m"]}
RUNTIME: Object = {
    "apiVersion": "ome.io/v1beta1",
    "kind": "ClusterServingRuntime",
    "metadata": {"name": "plain"},
    "spec": {"engineConfig": {"runner": RUNNER}},
}
MODEL: Object = {
    "apiVersion": "ome.io/v1beta1",
    "kind": "ClusterBaseModel",
    "metadata": {"name": "m"},
    "spec": {"modelFormat": {"name": "safetensors"}, "storage": {"storageUri": "hf://a/b", "path": "/m"}},
}
METRIC: Object = {
    "type": "prometheus",
    "providerRef": {"name": "main"},
    "metadata": {"query": "sum(up)", "threshold": "1", "ignoreNullValues": "false"},
}
POLICY: Object = {
    "apiVersion": "ome.io/v1beta1",
    "kind": "AutoscalerPolicy",
    "metadata": {"name": "by-load", "namespace": "demo"},
    "spec": {"class": "KEDA", "keda": {"triggers": [METRIC]}},
}
PROVIDERS: Object = {
    "autoscalerPolicy": {
        "metricProviders": {
            "main": {"serverAddress": "http://prometheus:9090", "authSecretRef": {"name": "token", "key": "t"}}
        }
    }
}


def service(name: str, **engine: Any) -> Object:
    return {
        "apiVersion": "ome.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {"name": name, "namespace": "demo"},
        "spec": {"runtime": {"name": "plain"}, "engine": engine},
    }


def replica(**spec: Any) -> Object:
    return {
        "apiVersion": "ome.io/v1beta1",
        "kind": "InferenceReplica",
        "metadata": {"name": "pool", "namespace": "demo"},
        "spec": {"component": "engine", **spec},
    }


def compiled(*objects: Object, **config: Any) -> Compilation:
    return from_objects(objects, config={key.replace("_", "-"): value for key, value in config.items()}).compile()


def kinds(compilation: Compilation) -> list[str]:
    return sorted(item.body["kind"] for item in compilation.outputs)


def example(name: str) -> list[Object]:
    return list(yaml.safe_load_all((HERE / name / "input.yaml").read_text(encoding="utf-8")))


def slugs(compilation: Compilation) -> set[str]:
    return {finding.rule.slug for finding in compilation.findings}


@pytest.mark.parametrize(
    ("config", "queues"),
    [
        ({"platform": "kubernetes", "capabilities": ["kueue.x-k8s.io"]}, True),
        ({"platform": "kubernetes"}, False),
        ({"platform": "ome", "capabilities": ["kueue.x-k8s.io"]}, False),
    ],
)
def test_queues_are_rendered_for_kueue_without_ome(config: Object, queues: bool) -> None:
    compilation = compiled(*example("kueue_example"), quota={"enrolled-namespaces": ["ml"]}, **config)
    assert ("ClusterQueue" in kinds(compilation)) is queues
    assert ("AcceleratorQuota" in kinds(compilation)) is (config["platform"] == "ome")
    assert not compilation.failed


@pytest.mark.parametrize(("kind", "queues"), [("AcceleratorQuota", False), ("ClusterBaseModel", True)])
def test_queues_need_a_tree_without_errors(kind: str, queues: bool) -> None:
    """A tree with an error would be rendered in part, and what is left out would be pruned; models do not matter."""
    wrong = {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": {"name": "wrong"}, "spec": {"unknown": 1}}
    config = {"platform": "kubernetes", "capabilities": ["kueue.x-k8s.io"], "quota": {"enrolled-namespaces": ["ml"]}}
    compilation = compiled(*example("kueue_example"), wrong, **config)
    assert any(finding.object and finding.object.kind == kind for finding in compilation.findings)
    assert ("ClusterQueue" in kinds(compilation)) is queues


def test_authentication_for_all_services_of_a_namespace_is_written_once() -> None:
    services = [service(name, autoscalerPolicyRef={"name": "by-load"}) for name in ("a", "b")]
    compilation = compiled(RUNTIME, POLICY, *services, operator=PROVIDERS)
    assert not compilation.failed
    (shared,) = (item for item in compilation.outputs if item.body["kind"] == "TriggerAuthentication")
    assert folder_of(shared.owner) == "demo/_shared"
    assert kinds(compilation).count("ScaledObject") == 2


def test_only_one_service_comes_with_what_it_shares(tmp_path: Path) -> None:
    objects = [RUNTIME, POLICY, service("a", autoscalerPolicyRef={"name": "by-load"}), service("b")]
    repo = from_objects(objects, config={"operator": PROVIDERS})
    shared = "demo/_shared/triggerauthentication-"

    repo.compile(only="demo/b").output_plan(tmp_path).apply()
    assert not [path for path in files_below(tmp_path) if path.startswith(shared)]

    repo.compile(only="demo/a").output_plan(tmp_path).apply()
    written = files_below(tmp_path)
    assert [path for path in written if path.startswith(shared)]
    assert {path.split("/")[1] for path in written} == {"_shared", "a", "b"}
    assert not repo.compile(only="demo/b").output_plan(tmp_path).is_stale


def files_below(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in sorted(folder.rglob("*.yaml"))]


def test_what_a_failed_service_shares_stays() -> None:
    broken = service("a", autoscalerPolicyRef={"name": "by-load"}, minReplicas=3, maxReplicas=2)
    compilation = compiled(POLICY, RUNTIME, broken, operator=PROVIDERS)
    assert compilation.failed
    assert "objects[0]" in compilation.kept_sources


def test_what_a_service_defined_twice_shares_stays() -> None:
    twice = [service("a", autoscalerPolicyRef={"name": "by-load"}) for _ in range(2)]
    compilation = compiled(POLICY, RUNTIME, *twice, operator=PROVIDERS)
    assert slugs(compilation) == {"duplicate-object"}
    assert "objects[0]" in compilation.kept_sources


def test_policy_that_ome_refuses_is_told_on_its_own() -> None:
    broken = {**POLICY, "spec": {"class": "KEDA", "keda": {"triggers": [{"type": "prometheus", "metadata": {}}]}}}
    assert "autoscaler-policy-invalid" in slugs(compiled(broken, RUNTIME))


def test_replica_of_the_repository_is_copied_with_what_it_renders_from() -> None:
    body = replica(runtimeRef={"kind": "ClusterServingRuntime", "name": "plain"})
    compilation = compiled(body, RUNTIME)
    assert kinds(compilation) == ["ClusterServingRuntime", "InferenceReplica"]


def test_what_a_replica_defined_twice_renders_from_stays() -> None:
    twice = [replica(runtimeRef={"kind": "ClusterServingRuntime", "name": "plain"}) for _ in range(2)]
    compilation = compiled(*twice, RUNTIME)
    assert slugs(compilation) == {"duplicate-object"}
    assert kinds(compilation) == ["ClusterServingRuntime"]


def test_replica_does_nothing_without_ome() -> None:
    body = replica(runners=[{"name": "default", "size": 1, "template": {"spec": {"containers": [RUNNER]}}}])
    compilation = compiled(body, platform="kubernetes")
    assert kinds(compilation) == []
    assert "replica-without-controller" in slugs(compilation)


def test_service_in_front_of_a_replica_has_addresses_only() -> None:
    body = replica(runners=[{"name": "default", "size": 1, "template": {"spec": {"containers": [RUNNER]}}}])
    front = {**service("front"), "spec": {"replicaRefs": {"engine": ["pool"]}}}
    compilation = compiled(body, front)
    assert not compilation.failed
    assert kinds(compilation) == ["InferenceReplica", "Service", "Service"]


@pytest.mark.parametrize(("platform", "kind"), [("ome", "BenchmarkJob"), ("kubernetes", "Job")])
def test_benchmark(platform: str, kind: str) -> None:
    served = {**service("qwen3"), "spec": {"runtime": {"name": "plain"}, "engine": {}, "model": {"name": "m"}}}
    compilation = compiled(MODEL, RUNTIME, served, *example("benchmark_example"), platform=platform)
    assert not compilation.failed
    assert kind in kinds(compilation)


def test_ome_1_2_runs_leader_and_workers_as_a_set() -> None:
    runtime = {**RUNTIME, "spec": {"engineConfig": {"leader": {"runner": RUNNER}, "worker": {"runner": RUNNER}}}}
    body = service("s")
    body["spec"]["model"] = {"name": "m"}
    assert "LeaderWorkerSet" in kinds(compiled(runtime, MODEL, body, ome_version="1.2"))
    assert "InferenceReplica" in kinds(compiled(runtime, MODEL, body))
    assert "LeaderWorkerSet" in kinds(compiled(runtime, MODEL, body, platform="kubernetes"))


def test_monitors_stand_where_the_cluster_has_them() -> None:
    assert "PodMonitor" not in kinds(compiled(RUNTIME, service("s")))
    assert "PodMonitor" in kinds(compiled(RUNTIME, service("s"), capabilities=["monitoring.coreos.com"]))


def test_model_config_is_made_on_request() -> None:
    body = service("a-name-of-more-than-twenty-characters")
    body["spec"]["model"] = {"name": "m"}
    assert "ConfigMap" not in kinds(compiled(MODEL, RUNTIME, body))
    compilation = compiled(MODEL, RUNTIME, body, model_config=True)
    (found,) = (obj for obj in compilation.objects if obj["kind"] == "ConfigMap")
    assert found["metadata"]["name"] == "modelconfig-an-twenty-characters"
    assert found["data"] == {
        "models.json": '[{"modelName":"m","modelSpec":{"storageUri":"hf://a/b","path":"/m",'
        '"modelFormatName":"safetensors"}}]'
    }
