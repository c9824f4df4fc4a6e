"""The command line of genai-bench (reference 16 §2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.api.storage_uri import StorageUri
from omec.compile.benchmark.storage import storage_arguments
from omec.compile.benchmark.target import Target

COMMAND = ("genai-bench",)

_SAMPLE_KEY = "sample-key"


def arguments(spec: Mapping[str, Any], target: Target, output: StorageUri) -> list[str]:
    """The arguments in OME's order; raises :class:`~omec.compile.benchmark.storage.UnsupportedStorageError`."""
    words = ["benchmark"]
    words += ["--api-backend", target.backend, "--api-base", target.base, "--api-model-name", target.model_name]
    words += ["--task", spec.get("task") or ""]
    words += ["--max-time-per-run", str(spec.get("maxTimePerIteration") or 0)]
    words += ["--max-requests-per-run", str(spec.get("maxRequestsPerIteration") or 0)]
    words += _model_arguments(target)
    words += _repeated("--traffic-scenario", spec.get("trafficScenarios"))
    words += _repeated("--num-concurrency", spec.get("numConcurrency"))
    if spec.get("resultFolderName") is not None:
        words += ["--experiment-folder-name", spec["resultFolderName"]]
    words += _server_arguments(spec.get("serviceMetadata"))
    return [*words, *storage_arguments(output, spec["outputLocation"].get("parameters") or {})]


def _model_arguments(target: Target) -> Iterator[str]:
    if target.model is None:
        return
    yield from ("--api-key", _SAMPLE_KEY)
    if target.model.path:
        yield from ("--model-tokenizer", target.model.path)


def _repeated(flag: str, values: list[Any] | None) -> Iterator[str]:
    for value in values or ():
        yield from (flag, str(value))


def _server_arguments(server: Mapping[str, Any] | None) -> Iterator[str]:
    if server is None:
        return
    fields = {
        "--server-engine": "engine",
        "--server-gpu-type": "gpuType",
        "--server-version": "version",
        "--server-gpu-count": "gpuCount",
    }
    for flag, field in fields.items():
        yield from (flag, str(server.get(field, "")))
