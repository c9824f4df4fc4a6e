"""What a benchmark measures: a URL, or an InferenceService (reference 16 §3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from omec.catalog import Catalog, Resource
from omec.compile.benchmark.served_model import served_model_name
from omec.compile.names import model_label_key
from omec.finding import FieldPath
from omec.resolve.reference import find_known_model

_SERVICE: FieldPath = ("spec", "endpoint", "inferenceService")
_DEFAULT_BACKEND = "openai"


class BenchmarkError(Exception):
    """A job that OME makes no Job of: its text, and the field of the BenchmarkJob that it is about."""

    def __init__(self, message: str, field: FieldPath) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class TargetModel(msgspec.Struct, frozen=True):
    """The model of a service: ``path`` is where nodes have its files, ``ready_label`` the label of such nodes."""

    name: str
    path: str
    ready_label: str


class Target(msgspec.Struct, frozen=True):
    """Where requests go (``base``), in which API (``backend``), and for which model name."""

    backend: str
    base: str
    model_name: str
    model: TargetModel | None = None


class ServedService(msgspec.Struct, frozen=True):
    """What the cluster would say about a rendered InferenceService: ``status.url``, and its engine's pods."""

    url: str | None = None
    engine_pods: Sequence[Mapping[str, Any]] = ()


def target_of_url(endpoint: Mapping[str, Any]) -> Target:
    """The target in ``spec.endpoint.endpoint``."""
    return Target(
        backend=endpoint.get("apiFormat") or "",
        base=endpoint.get("url") or "",
        model_name=endpoint.get("modelName") or "",
    )


def find_service(catalog: Catalog, reference: Mapping[str, Any]) -> Resource:
    """The InferenceService that ``spec.endpoint.inferenceService`` names; raises :class:`BenchmarkError`."""
    name, namespace = reference.get("name") or "", reference.get("namespace") or ""
    service = catalog.get("InferenceService", name, namespace)
    if service is None:
        problem = f'inferenceservices.ome.io "{name}" not found'
        raise BenchmarkError(f"failed to get InferenceService {namespace}/{name}: {problem}", (*_SERVICE, "name"))
    return service


def target_of_service(catalog: Catalog, service: Resource, served: ServedService) -> Target:
    """The target that ``service`` is; raises :class:`BenchmarkError` with OME's text, in OME's order."""
    shown = f"{service.namespace}/{service.name}"
    model = _model(catalog, service, shown)
    model_name = served_model_name(served.engine_pods)
    if model_name is None:
        flags = "--served-model-name, --model or --model-path"
        problem = f"no engine pod container specifies {flags}"
        raise _about(f"cannot determine the served model name of InferenceService {shown}: {problem}")
    base = base_of(served.url or "")
    if base is None:
        raise _about(f"InferenceService {shown} has no URL.Host in status")
    return Target(_backend(service.spec), base, model_name, model)


def base_of(url: str) -> str | None:
    """Scheme and host of ``url`` (``http`` without a scheme), ``None`` where it has no host."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme or 'http'}://{host}" if host else None


def _model(catalog: Catalog, service: Resource, shown: str) -> TargetModel:
    """OME does not look at the kind that the service names: the namespace's model comes first."""
    reference = service.spec.get("model")
    name = reference.get("name") if isinstance(reference, dict) else None
    if not name:
        raise _about(f"InferenceService {shown} has no Model defined")
    found = find_known_model(catalog, name, service.namespace).resource
    if found is None:
        problem = f"No BaseModel or ClusterBaseModel with the name: {name}"
        raise _about(f"failed to get BaseModel {name}: {problem}")
    storage = found.spec.get("storage")
    path = storage.get("path") if isinstance(storage, dict) else None
    if path is None:
        raise _about(f"BaseModel {name} has missing Storage or Path information")
    return TargetModel(name, path, model_label_key(name, found.namespace))


def _backend(spec: Mapping[str, Any]) -> str:
    """``PROTOCOL_VERSION`` of the service's own engine runner; of several the first, even where it is empty."""
    runner = (spec.get("engine") or {}).get("runner") or {}
    values = [
        variable.get("value") for variable in runner.get("env") or () if variable.get("name") == "PROTOCOL_VERSION"
    ]
    return (values[0] if values else None) or _DEFAULT_BACKEND


def _about(message: str) -> BenchmarkError:
    return BenchmarkError(message, _SERVICE)
