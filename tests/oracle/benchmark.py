"""Judge of ``benchmark.jsonl``: what OME's webhook says to a BenchmarkJob, and the Job that its controller makes.

What only a live controller does (status, finalizers, waiting for the service) is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from omec.api.kinds import KINDS
from omec.api.rules import BAD_STORAGE_URI
from omec.api.structure import structural_findings
from omec.catalog import Catalog, Resource
from omec.compile.benchmark.admission import denial_of
from omec.compile.benchmark.config import BenchmarkConfigError, config_of_text
from omec.compile.benchmark.job import ome_job, standalone_job
from omec.compile.benchmark.target import BenchmarkError, ServedService
from omec.compile.validate import Validator
from omec.finding import Severity
from omec.repo.document import Document
from tests.oracle.interface import Answer, Row, skip

KIND = "benchmark"
DEFAULT_CONFIG = (
    '{"podConfig": {"image": "ghcr.io/sgl-project/genai-bench:0.1.113", "cpuRequest": "2", "memoryRequest": "2Gi",'
    ' "cpuLimit": "2", "memoryLimit": "2Gi"}}'
)
KUBERNETES = "1.35"

Body = dict[str, Any]


def accepts(row: Row) -> bool:
    return "benchmarkJob" in row


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    expected, job = row["expected"], _resource(row["benchmarkJob"])
    denial = denial_of(job.spec)
    admission: Body = {"allowed": True} if denial is None else {"allowed": False, "message": denial.message}
    answers = {
        "schema": Answer(expected["schema"]["accepted"], _accepted(row["benchmarkJob"])),
        "admission": Answer(expected["admission"], admission),
    }
    if denial is not None:
        return answers
    if "requeueAfterSeconds" in expected:
        return answers | {"job": skip("a live controller waits for the service")}
    return answers | dict(_job(row, job, expected))


def _job(row: Row, job: Resource, expected: Body) -> Iterator[tuple[str, Answer]]:
    cluster = [_resource(body) for body in row.get("cluster", [])]
    if any((other.kind, other.namespace, other.name) == ("Job", job.namespace, job.name) for other in cluster):
        yield "job", Answer(expected.get("job"), None)
        return
    wanted = {name: expected[name] for name in ("job", "error", "panic") if name in expected}
    try:
        config = None if row.get("noConfig") else config_of_text(row.get("config", DEFAULT_CONFIG))
        actual: Body = {"job": ome_job(job, _catalog(cluster), config, _served(cluster), _claims(cluster, job))}
    except BenchmarkError as error:
        actual = {"error": error.message}
    except BenchmarkConfigError as error:
        wanted = {name: _beginning(text) for name, text in wanted.items()}
        actual = {"panic" if "panic" in wanted else "error": _beginning(str(error))}
    yield "job", Answer(wanted, actual)
    if "job" in actual:
        yield "jobRejected", _rejection(expected.get("jobRejected"), actual["job"])


def _rejection(expected: str | None, job: Body) -> Answer:
    """The API server's verdict; omec tells the causes only, each in the server's words."""
    errors = Validator(KUBERNETES).errors(standalone_job(job))
    if not expected or not errors:
        return Answer(bool(expected), bool(errors))
    unsaid = [error.message for error in errors if error.message.partition(": ")[2] not in expected]
    return Answer([], unsaid)


def _accepted(body: Body) -> bool:
    """The verdict of the schema; a storage URI is only looked at by the webhook."""
    findings = structural_findings("BenchmarkJob", Document("oracle.yaml", 0, body))
    return all(finding.severity < Severity.ERROR or finding.rule is BAD_STORAGE_URI for finding in findings)


def _served(cluster: list[Resource]) -> Any:
    def served(service: Resource) -> ServedService:
        pods = sorted((pod for pod in cluster if _is_engine_pod(pod, service)), key=lambda pod: pod.name)
        url = (service.body.get("status") or {}).get("url")
        return ServedService(url, [pod.body["spec"] for pod in pods])

    return served


def _is_engine_pod(pod: Resource, service: Resource) -> bool:
    labels = {"ome.io/inferenceservice": service.name, "component": "engine"}
    return pod.kind == "Pod" and pod.namespace == service.namespace and labels.items() <= pod.labels.items()


def _claims(cluster: list[Resource], job: Resource) -> set[str]:
    return {item.name for item in cluster if item.kind == "PersistentVolumeClaim" and item.namespace == job.namespace}


def _catalog(cluster: list[Resource]) -> Catalog:
    return Catalog(item for item in cluster if item.kind in KINDS)


def _resource(body: Body) -> Resource:
    kind, metadata = body["kind"], body["metadata"]
    namespaced = kind not in KINDS or KINDS[kind].namespaced
    namespace = metadata.get("namespace", "default") if namespaced else None
    return Resource(kind, namespace, metadata["name"], Document("oracle.yaml", 0, body))


def _beginning(text: Any) -> Any:
    """What stands before the texts of Go and of the Kubernetes library."""
    if not isinstance(text, str):
        return text
    for words in (" json string due to ", "': quantities", "': unable"):
        before, found, _ = text.partition(words)
        if found:
            return before
    return text
