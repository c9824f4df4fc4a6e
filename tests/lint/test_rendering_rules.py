"""What lint says of what would be rendered: settings that a Deployment ignores, and what benchmarks lean on."""

from __future__ import annotations

from typing import Any

import pytest

from omec.finding import Severity
from tests.lint.lint_cases import engine, findings, places, runtime, service

PORT = {"name": "http1", "containerPort": 8080}


def benchmark(**spec: Any) -> dict[str, Any]:
    base = {
        "endpoint": {"inferenceService": {"name": "chat", "namespace": "demo"}},
        "task": "text-to-text",
        "maxTimePerIteration": 5,
        "maxRequestsPerIteration": 100,
        "outputLocation": {"storageUri": "oci://n/team/b/results/o/chat"},
    }
    metadata = {"name": "bench", "namespace": "demo"}
    return {"apiVersion": "ome.io/v1beta1", "kind": "BenchmarkJob", "metadata": metadata, "spec": {**base, **spec}}


@pytest.mark.parametrize(("mode", "told"), [("RawDeployment", ["spec.engine.lifecycle"]), ("OMENative", [])])
def test_a_deployment_has_no_lifecycle(mode: str, told: list[str]) -> None:
    chat = service(deploymentMode=mode, engine={"lifecycle": {"minReadySeconds": 10}})
    found = findings([runtime(**engine(ports=[PORT])), chat], "OME584")
    assert [finding.field for finding in found] == told


@pytest.mark.parametrize(
    ("listed", "named", "told"),
    [(True, False, False), (False, True, False), (False, False, True)],
    ids=["listed by the runtime", "named by the service", "neither"],
)
def test_a_service_whose_class_has_an_error_is_not_rendered(listed: bool, named: bool, told: bool) -> None:
    """What else is wrong with it could follow from that."""
    broken = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "AcceleratorClass",
        "metadata": {"name": "h100"},
        "spec": {"x": 1},
    }
    classes = {"acceleratorRequirements": {"acceleratorClasses": ["h100"]}} if listed else {}
    selector = {"acceleratorSelector": {"acceleratorClass": "h100"}} if named else {}
    chat = service(deploymentMode="RawDeployment", engine={"lifecycle": {"minReadySeconds": 10}}, **selector)
    found = findings([runtime(**engine(ports=[PORT]), **classes), chat, broken], "OME584")
    assert bool(found) is told


@pytest.mark.parametrize(("platform", "severity"), [("ome", Severity.WARNING), ("kubernetes", Severity.ERROR)])
def test_a_benchmark_of_a_service_that_is_not_there(platform: str, severity: Severity) -> None:
    (found,) = findings([benchmark()], "OME592", config={"platform": platform})
    assert (found.field, found.severity) == ("spec.endpoint.inferenceService.name", severity)


def test_a_service_that_is_defined_twice_is_told_there() -> None:
    base = runtime(**engine(ports=[PORT]))
    assert not findings([base, service(), service(), benchmark()], "OME592")
    assert not findings([base, service(), benchmark()], "OME592")


def test_the_results_of_a_benchmark_need_their_claim() -> None:
    job = benchmark(endpoint={"endpoint": {"url": "http://chat", "apiFormat": "openai"}})
    job["spec"]["outputLocation"] = {"storageUri": "pvc://results/chat"}
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "results", "namespace": "demo"}}
    assert places(findings([job], "OME597")) == [("bench", "spec.outputLocation.storageUri")]
    assert not findings([job, claim], "OME597")


def test_what_is_not_compiled_is_told_by_compile_alone() -> None:
    """OME itself acts on the placement of a service."""
    manifests = [runtime(**engine(ports=[PORT])), service(placement={"mode": "Single"})]
    assert not findings(manifests, "OME160")
