"""The BenchmarkJobs of a repository in the output of each platform."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omec.catalog import Catalog
from omec.compile.benchmark.checks import benchmark_findings
from omec.compile.benchmark.config import PodConfig
from omec.compile.benchmark.inputs import BenchmarkInputs, repository_objects
from omec.compile.benchmark.jobs import CompiledBenchmarks, compile_benchmarks
from omec.compile.benchmark.rendered_service import served_service
from omec.compile.benchmark.source import benchmark_config
from omec.compile.validate import Validator
from omec.errors import OmecError
from omec.finding import Finding, Severity
from omec.repo.document import Document
from omec.repo.read import read
from omec.repo.yaml import dump_all
from tests.compile.benchmarking import CONFIG, PATH, SERVED, URL, Body, benchmark, model, pod, resource, service

VALIDATOR = Validator()


def rendered(name: str = "llama", namespace: str = "team") -> list[Body]:
    """What omec renders for a service, as far as a benchmark looks at it."""
    metadata = {"name": f"{name}-engine", "namespace": namespace}
    return [
        {"kind": "Deployment", "metadata": metadata, "spec": {"template": {"spec": pod(*SERVED)}}},
        {"kind": "Service", "metadata": metadata, "spec": {"ports": [{"port": 8080}]}},
        {"kind": "Service", "metadata": {"name": name, "namespace": namespace}, "spec": {"ports": [{"port": 8080}]}},
    ]


def compiled(
    *bodies: Body,
    platform: str = "kubernetes",
    failed: bool = False,
    broken: bool = False,
    metadata: bool = False,
    config: PodConfig | None = CONFIG,
    claims: tuple[tuple[str, str], ...] = (),
    jobs: dict[tuple[str, str], Document] | None = None,
) -> CompiledBenchmarks:
    resources = [resource(body) for body in bodies]
    services = {
        item.ref: rendered(item.name, item.namespace or "") for item in resources if item.kind == "InferenceService"
    }
    inputs = BenchmarkInputs(Catalog(resources), {} if failed else services, VALIDATOR, config, claims, jobs or {})
    names = {item.ref for item in resources if broken}
    return compile_benchmarks(inputs, platform=platform, broken=names, metadata=metadata)


def told(result: CompiledBenchmarks | list[Finding]) -> list[tuple[str, str, str | None]]:
    findings = result if isinstance(result, list) else result.findings
    return [(finding.rule.code, finding.message, finding.field) for finding in findings]


SERVICE = (service(), model())


# Platform kubernetes


def test_a_job_without_ome() -> None:
    result = compiled(benchmark(service="llama"), *SERVICE)
    assert result.findings == result.kept == ()
    ((body, owner),) = ((item.body, item.owner) for item in result.outputs)
    assert (body["kind"], body["metadata"]["name"], owner.kind) == ("Job", "bench", "BenchmarkJob")
    assert "ownerReferences" not in body["metadata"]
    words = body["spec"]["template"]["spec"]["containers"][0]["args"]
    assert (words[words.index("--api-base") + 1], words[words.index("--api-model-name") + 1]) == (URL, "vllm-model")
    assert VALIDATOR.errors(body) == []


def test_omecs_mark_is_metadata() -> None:
    job = compiled(benchmark(service="llama"), *SERVICE, metadata=True).outputs[0].body
    assert job["metadata"]["labels"] == {"benchmark": "bench", "app.kubernetes.io/managed-by": "omec"}
    assert job["spec"]["template"]["metadata"]["labels"] == {"benchmark": "bench"}
    kept = compiled(benchmark(service="llama"), *SERVICE, metadata=True, platform="ome").outputs[0].body["metadata"]
    assert "labels" not in kept


@pytest.mark.parametrize(
    ("cluster", "message", "field"),
    [
        (
            [],
            'failed to get InferenceService team/llama: inferenceservices.ome.io "llama" not found',
            "spec.endpoint.inferenceService.name",
        ),
        ([service(model=None)], "InferenceService team/llama has no Model defined", "spec.endpoint.inferenceService"),
        (
            [service(), model(path=None)],
            "BaseModel llama-3-8b has missing Storage or Path information",
            "spec.endpoint.inferenceService",
        ),
    ],
)
def test_a_service_that_cannot_be_measured(cluster: list[Body], message: str, field: str) -> None:
    result = compiled(benchmark(service="llama"), *cluster)
    assert told(result) == [("OME592", message, field)]
    assert result.outputs == ()
    assert [job.name for job in result.kept] == ["bench"]


@pytest.mark.parametrize("platform", ["ome", "kubernetes"])
def test_a_service_that_failed_says_why_itself(platform: str) -> None:
    result = compiled(benchmark(service="llama"), *SERVICE, platform=platform, failed=True)
    assert (result.outputs, result.findings, len(result.kept)) == ((), (), 1)


@pytest.mark.parametrize("platform", ["ome", "kubernetes"])
def test_a_job_with_a_broken_manifest_is_kept_as_it_was(platform: str) -> None:
    result = compiled(benchmark(), platform=platform, broken=True)
    assert (result.outputs, result.findings, len(result.kept)) == ((), (), 1)


def test_no_image_is_invented() -> None:
    message = 'configmaps "benchmarkjob-config" not found'
    result = compiled(benchmark(service="llama"), *SERVICE, config=None)
    assert told(result) == [("OME593", message, "metadata.name")]
    assert result.findings[0].help.startswith("set image in the table benchmark of omec.toml")
    without = compiled(benchmark(service="llama"), *SERVICE, config=PodConfig("", "2", "2Gi", "2", "2Gi"))
    assert told(without) == [
        ("OME593", "no configuration names the image that BenchmarkJob team/bench runs", "metadata.name")
    ]


def test_a_job_can_bring_its_own_image() -> None:
    result = compiled(benchmark(service="llama", podOverride={"image": "mine:1"}), *SERVICE, config=None)
    assert result.findings == ()
    container = result.outputs[0].body["spec"]["template"]["spec"]["containers"][0]
    assert (container["image"], container["resources"]["limits"]) == ("mine:1", {"cpu": "2", "memory": "2Gi"})


@pytest.mark.parametrize(
    ("override", "field"),
    [
        ({"resources": {"requests": {"cpu": "4"}}}, "spec.podOverride.resources.requests"),
        (
            {"volumes": [{"name": "llama-3-8b", "persistentVolumeClaim": {"claimName": "m"}}]},
            "spec.podOverride.volumes[0]",
        ),
        ({"volumeMounts": [{"name": "nope", "mountPath": "/x"}]}, "spec.podOverride.volumeMounts[0].name"),
        ({"env": [{"name": "A"}, {"name": "B C", "value": "x", "valueFrom": {}}]}, "spec.podOverride.env[1].valueFrom"),
        ({"tolerations": [{"key": "a", "operator": "Maybe"}]}, "spec.podOverride.tolerations[0].operator"),
    ],
)
def test_what_the_api_server_would_refuse_is_told_at_the_override(override: Body, field: str) -> None:
    result = compiled(benchmark(service="llama", podOverride=override), *SERVICE)
    assert [(code, place) for code, _, place in told(result)] == [("OME590", field)]
    assert result.outputs == ()


def test_names_that_make_no_job() -> None:
    ((code, message, field),) = told(compiled(benchmark("bench.v1", service="llama"), *SERVICE))
    assert (code, field) == ("OME590", "metadata.name")
    assert message.startswith("the API server would refuse the Job of BenchmarkJob team/bench.v1: ")
    dotted = compiled(benchmark(service="llama"), service(model="llama-3.1-8b"), model("llama-3.1-8b"))
    assert [place for _, _, place in told(dotted)] == ["spec.endpoint.inferenceService.name"]


def test_a_claim_that_is_not_in_the_repository() -> None:
    job = benchmark(service="llama", outputLocation={"storageUri": "pvc://results/run"})
    result = compiled(job, *SERVICE)
    assert told(result) == [
        (
            "OME597",
            'PVC results not found: persistentvolumeclaims "results" not found',
            "spec.outputLocation.storageUri",
        )
    ]
    assert len(result.outputs) == 1
    assert compiled(job, *SERVICE, claims=(("team", "results"),)).findings == ()
    assert compiled(job, *SERVICE, claims=(("other", "results"),)).findings != ()


@pytest.mark.parametrize("platform", ["ome", "kubernetes"])
def test_a_job_of_the_same_name(platform: str) -> None:
    """Vector 30: while a Job of the name exists, OME creates and changes nothing."""
    existing = Document("job.yaml", 0, {"kind": "Job", "metadata": {"name": "bench", "namespace": "team"}})
    result = compiled(benchmark(service="llama"), *SERVICE, platform=platform, jobs={("team", "bench"): existing})
    assert [code for code, _, _ in told(result)] == ["OME598"]
    assert result.outputs == ()


# Platform ome


def test_a_compiled_service_is_measured_by_its_url() -> None:
    job = benchmark(service="llama", numConcurrency=[1]) | {"status": {"state": "Pending"}}
    result = compiled(job, *SERVICE, platform="ome", config=None)
    (item,) = result.outputs
    assert item.body == benchmark(
        numConcurrency=[1], endpoint={"endpoint": {"url": URL, "apiFormat": "openai", "modelName": "vllm-model"}}
    )
    ((code, message, _),) = told(result)
    assert code == "OME594"
    assert URL in message
    assert {finding.severity for finding in result.findings} == {Severity.WARNING}
    assert job["spec"]["endpoint"] == {"inferenceService": {"name": "llama", "namespace": "team"}}


def test_a_url_stays() -> None:
    result = compiled(benchmark(), platform="ome", config=None)
    assert result.outputs[0].body == benchmark()
    assert [code for code, _, _ in told(result)] == ["OME594"]


def test_a_service_of_the_cluster_stays_named() -> None:
    result = compiled(benchmark(service="llama"), platform="ome")
    assert result.outputs[0].body == benchmark(service="llama")
    assert [(finding.rule.code, finding.severity) for finding in result.findings] == [("OME592", Severity.WARNING)]


def test_a_service_of_another_catalog() -> None:
    job, other = resource(benchmark(service="llama")), resource(service())
    other.context = True
    inputs = BenchmarkInputs(Catalog([job, other]), {}, VALIDATOR, CONFIG)
    kept = compile_benchmarks(inputs, platform="ome")
    assert (kept.outputs[0].body, kept.findings) == (benchmark(service="llama"), ())
    refused = compile_benchmarks(inputs, platform="kubernetes")
    assert [code for code, _, _ in told(refused)] == ["OME592"]


def test_a_job_of_another_catalog_is_not_compiled() -> None:
    job = resource(benchmark())
    job.context = True
    assert compile_benchmarks(BenchmarkInputs(Catalog([job]), {}, VALIDATOR), platform="ome") == CompiledBenchmarks()


def test_the_job_that_ome_would_make_is_looked_at_too() -> None:
    job = benchmark(service="llama", podOverride={"resources": {"requests": {"cpu": "4"}}})
    result = compiled(job, *SERVICE, platform="ome", config=None)
    assert [code for code, _, _ in told(result)] == ["OME594", "OME590"]
    assert result.outputs == ()


# What the services say


def service_object(name: str, port: int = 8080) -> Body:
    return {"kind": "Service", "metadata": {"name": name}, "spec": {"ports": [{"port": port}, {"port": 1}]}}


@pytest.mark.parametrize(
    ("names", "url"),
    [
        (["llama-engine", "llama-router", "llama"], "http://llama.team.svc.cluster.local:8080"),
        (["llama-engine", "llama-router"], "http://llama-router.team.svc.cluster.local:8080"),
        (["llama-engine"], "http://llama-engine.team.svc.cluster.local:8080"),
        ([], None),
    ],
)
def test_the_url_of_a_service(names: list[str], url: str | None) -> None:
    assert served_service("llama", "team", map(service_object, names)).url == url


def workload(kind: str, spec: Body, name: str = "llama-engine") -> Body:
    return {"kind": kind, "metadata": {"name": name}, "spec": spec}


LEADER, WORKER = ({"spec": pod(name)} for name in ("leader", "worker"))


@pytest.mark.parametrize(
    "item",
    [
        workload("LeaderWorkerSet", {"leaderWorkerTemplate": {"workerTemplate": WORKER, "leaderTemplate": LEADER}}),
        workload(
            "InferenceReplica",
            {"runners": [{"name": "worker", "template": WORKER}, {"name": "leader", "template": LEADER}]},
        ),
    ],
)
def test_the_leader_of_an_engine_comes_first(item: Body) -> None:
    assert served_service("llama", "team", [item]).engine_pods == [LEADER["spec"], WORKER["spec"]]


def test_only_the_engine_serves() -> None:
    decoder = workload("Deployment", {"template": LEADER}, "llama-decoder")
    assert served_service("llama", "team", [decoder]).engine_pods == []


# What a manifest says


@pytest.mark.parametrize(
    ("spec", "code", "field"),
    [
        ({"trafficScenarios": ["D(1)"]}, "OME591", "spec.trafficScenarios[0]"),
        ({"trafficScenarios": ["D(1,2)", "junkU(1,2)junk"]}, "OME595", "spec.trafficScenarios[1]"),
        ({"task": "text-to-embeddings", "trafficScenarios": ["E(64,64)"]}, "OME595", "spec.trafficScenarios[0]"),
        ({"maxTimePerIteration": 0}, "OME599", "spec.maxTimePerIteration"),
        ({"numConcurrency": [1, -1]}, "OME599", "spec.numConcurrency[1]"),
        ({"dataset": {"storageUri": "hf://a/b"}}, "OME970", "spec.dataset"),
        ({"additionalRequestParams": {"top_p": "1"}}, "OME970", "spec.additionalRequestParams"),
        (
            {"outputLocation": {"storageUri": "s3://b/p", "parameters": {"auth": "x"}}},
            "OME970",
            "spec.outputLocation.parameters.auth",
        ),
        ({"outputLocation": {"storageUri": "s3://b/p", "path": "/x"}}, "OME970", "spec.outputLocation.path"),
        ({"outputLocation": {"storageUri": "hf://a/b"}}, "OME596", "spec.outputLocation.storageUri"),
        (
            {"outputLocation": {"storageUri": "github://a/b", "parameters": {"github_token": "ghp-x"}}},
            "OME870",
            "spec.outputLocation.parameters.github_token",
        ),
        ({"endpoint": {"endpoint": {"url": "http://x", "apiFormat": "openai"}}}, "OME594", "spec.endpoint.endpoint"),
    ],
)
def test_findings_of_a_manifest(spec: Body, code: str, field: str) -> None:
    spec.setdefault("endpoint", {"inferenceService": {"name": "llama", "namespace": "team"}})
    ((found, message, place),) = told(benchmark_findings(resource(benchmark(**spec))))
    assert (found, place) == (code, field)
    assert "ghp-x" not in message


def test_a_storage_uri_that_does_not_parse_is_the_structures_finding() -> None:
    assert told(benchmark_findings(resource(benchmark(service="llama", outputLocation={"storageUri": "x"})))) == []


def test_findings_point_into_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bench.yaml"
    file.write_text(dump_all([benchmark(service="llama", maxTimePerIteration=0)]), encoding="utf-8")
    (document,) = read([file]).documents
    job = resource(document.value)
    job.document = document
    (finding,) = benchmark_findings(job)
    assert file.read_text(encoding="utf-8").splitlines()[finding.position.line - 1].strip() == "maxTimePerIteration: 0"


# The configuration


def config_map(text: str, namespace: str = "ome") -> Document:
    metadata = {"name": "benchmarkjob-config", "namespace": namespace}
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"benchmarkjob": text}}
    return Document(f"{namespace}.yaml", 0, body)


JSON = '{"podConfig": {"image": "i", "cpuRequest": "1", "memoryRequest": "1Gi", "cpuLimit": "1", "memoryLimit": "1Gi"}}'


@pytest.mark.parametrize(
    ("documents", "settings", "expected"),
    [
        ([], None, None),
        ([], {}, PodConfig("", "2", "2Gi", "2", "2Gi")),
        ([], {"image": "x"}, PodConfig("x", "2", "2Gi", "2", "2Gi")),
        ([config_map(JSON)], {"image": "x"}, PodConfig("i", "1", "1Gi", "1", "1Gi")),
        ([config_map("{", "other"), config_map(JSON)], None, PodConfig("i", "1", "1Gi", "1", "1Gi")),
    ],
)
def test_where_the_configuration_comes_from(
    documents: list[Document], settings: dict[str, Any] | None, expected: PodConfig | None
) -> None:
    assert benchmark_config(documents, settings) == (expected, [])


def test_a_config_map_that_ome_cannot_use() -> None:
    config, findings = benchmark_config([config_map("{}")], None)
    assert config is None
    ((code, message, field),) = told(findings)
    assert (code, field) == ("OME593", "data.benchmarkjob")
    assert message.startswith("cannot parse ''")


def test_two_config_maps() -> None:
    _, findings = benchmark_config([config_map(JSON, "a"), config_map(JSON, "b")], None)
    assert [message for _, message, _ in told(findings)] == [
        "the configuration of benchmarks is also defined in b.yaml",
        "the configuration of benchmarks is also defined in a.yaml",
    ]


def test_settings_that_ome_could_not_use() -> None:
    with pytest.raises(OmecError, match="benchmark: cannot parse 'two'"):
        benchmark_config([], {"cpuLimit": "two"})


def test_objects_by_identity() -> None:
    bodies: list[Body] = [
        {"kind": "Job", "metadata": {"name": "a", "namespace": "x"}},
        {"kind": "Job", "metadata": {"name": "b"}},
        {"kind": "Job", "metadata": None},
        {"kind": "ConfigMap", "metadata": {"name": "c", "namespace": "x"}},
    ]
    documents = [Document(str(index), 0, body) for index, body in enumerate(bodies)]
    assert sorted(repository_objects(documents, "Job")) == [("x", "a")]
    assert sorted(repository_objects(documents, "Job", "default")) == [("default", "b"), ("x", "a")]


def test_the_path_of_the_model_is_where_its_files_are() -> None:
    body = compiled(benchmark(service="llama"), *SERVICE).outputs[0].body
    assert body["spec"]["template"]["spec"]["volumes"] == [{"name": "llama-3-8b", "hostPath": {"path": PATH}}]
