"""A BenchmarkJob as the Job that runs it (reference 16 §2 and §5)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from omec.api.kinds import API_VERSION
from omec.api.storage_uri import PvcUri, StorageUri, parse_storage_uri
from omec.catalog import Catalog, Resource
from omec.compile.benchmark.config import CONFIG_MAP, PodConfig
from omec.compile.benchmark.pod import Object, benchmark_pod
from omec.compile.benchmark.storage import UnsupportedStorageError
from omec.compile.benchmark.target import (
    BenchmarkError,
    ServedService,
    Target,
    find_service,
    target_of_service,
    target_of_url,
)
from omec.finding import FieldPath

_OUTPUT: FieldPath = ("spec", "outputLocation", "storageUri")
_SYNC_OPTIONS = "argocd.argoproj.io/sync-options"

ServedBy = Callable[[Resource], ServedService]
"""What a rendered InferenceService says about itself."""


def ome_job(
    job: Resource,
    catalog: Catalog,
    config: PodConfig | None,
    served_by: ServedBy,
    claims: Collection[str] | None = None,
) -> Object:
    """The Job that OME makes of the admitted BenchmarkJob ``job``, without the owner's uid.

    ``config`` is ``None`` where OME has none. ``claims`` are the names of the namespace's PersistentVolumeClaims,
    ``None`` where nobody knows them. Raises :class:`BenchmarkError` with the first fault in OME's order, and
    :class:`~omec.compile.benchmark.config.BenchmarkConfigError` for quantities with which OME's controller crashes.
    """
    spec = job.spec
    reference = spec["endpoint"].get("inferenceService")
    service = None if reference is None else find_service(catalog, reference)
    if config is None:
        raise BenchmarkError(f'configmaps "{CONFIG_MAP}" not found', ("metadata", "name"))
    config.resources()  # OME parses the quantities before it looks at anything else
    target = _target(spec, catalog, service, served_by)
    output = parse_storage_uri(spec["outputLocation"]["storageUri"])
    try:
        pod = benchmark_pod(job.name, spec, target, output, config)
    except UnsupportedStorageError as error:
        raise BenchmarkError(str(error), _OUTPUT) from error
    _check_claim(output, claims)
    return _job(job, pod)


def standalone_job(job: Object) -> Object:
    """OME's ``job`` for a cluster without OME.

    Nothing owns it. What Kubernetes ignores in the template is left out. A Job's template cannot be changed, so Argo CD
    is told to replace the Job: a changed benchmark runs again.
    """
    metadata = {key: value for key, value in job["metadata"].items() if key != "ownerReferences"}
    metadata["annotations"] = {**metadata["annotations"], _SYNC_OPTIONS: "Force=true,Replace=true"}
    template = job["spec"]["template"]
    kept = {key: value for key, value in template["metadata"].items() if key not in ("name", "namespace")}
    return {**job, "metadata": metadata, "spec": {**job["spec"], "template": {**template, "metadata": kept}}}


def missing_claim(output: StorageUri, claims: Collection[str]) -> str | None:
    """OME's text where the claim that ``output`` names is not in ``claims``; the URI's own namespace counts nowhere."""
    if not isinstance(output, PvcUri) or output.pvc_name in claims:
        return None
    return f'PVC {output.pvc_name} not found: persistentvolumeclaims "{output.pvc_name}" not found'


def _target(spec: Mapping[str, Any], catalog: Catalog, service: Resource | None, served_by: ServedBy) -> Target:
    if service is None:
        return target_of_url(spec["endpoint"]["endpoint"])
    return target_of_service(catalog, service, served_by(service))


def _check_claim(output: StorageUri, claims: Collection[str] | None) -> None:
    problem = None if claims is None else missing_claim(output, claims)
    if problem is not None:
        raise BenchmarkError(problem, _OUTPUT)


def _job(job: Resource, pod: Object) -> Object:
    owner = {
        "apiVersion": API_VERSION,
        "kind": job.kind,
        "name": job.name,
        "controller": True,
        "blockOwnerDeletion": True,
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {**_metadata(job), "ownerReferences": [owner]},
        "spec": {"backoffLimit": 0, "template": {"metadata": _metadata(job), "spec": pod}},
    }


def _metadata(job: Resource) -> Object:
    """What the Job and its template have both; nothing of the BenchmarkJob's own labels and annotations."""
    return {
        "name": job.name,
        "namespace": job.namespace,
        "labels": {"benchmark": job.name},
        "annotations": {"logging-forward": "true"},
    }
