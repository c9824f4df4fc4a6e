"""The pod that runs genai-bench, and what a BenchmarkJob may change about it (reference 16 §2.2 to §2.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.api.shapes import CONTAINER, POD_SPEC
from omec.api.storage_uri import PvcUri, StorageUri
from omec.compile.benchmark.arguments import COMMAND, arguments
from omec.compile.benchmark.config import PodConfig
from omec.compile.benchmark.target import Target, TargetModel
from omec.compile.names import MODEL_READY
from omec.resolve.merge import strategic_merge

Object = dict[str, Any]

OUTPUT_VOLUME = "benchmark-output-storage"
OVERRIDDEN_CONTAINER = "genai-bench"
"""The name that the container gets where there is any ``podOverride``, even an empty one."""

_KEY = "HUGGINGFACE_API_KEY"
_CONTAINER_FIELDS = ("image", "env", "envFrom", "volumeMounts", "resources")
_POD_FIELDS = ("volumes", "affinity", "nodeSelector", "tolerations")


def benchmark_pod(name: str, spec: Mapping[str, Any], target: Target, output: StorageUri, config: PodConfig) -> Object:
    """The pod spec of the job called ``name``, as Kubernetes encodes it.

    Raises :class:`~omec.compile.benchmark.config.BenchmarkConfigError` for bad quantities, and
    :class:`~omec.compile.benchmark.storage.UnsupportedStorageError`.
    """
    container: Object = {
        "name": name,
        "image": config.image,
        "resources": config.resources(),
        "command": list(COMMAND),
        "args": arguments(spec, target, output),
        "env": _environment(spec, target),
        "volumeMounts": _mounts(target.model, output),
    }
    pod: Object = {
        "volumes": _volumes(target.model, output),
        "restartPolicy": "Never",
        "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
    }
    if target.model is not None:
        pod["nodeSelector"] = {target.model.ready_label: MODEL_READY}
    override = spec.get("podOverride")
    if override is not None:
        container, pod = _overridden(container, pod, override)
    encoded: Object = POD_SPEC.normalise({**pod, "containers": [container]})
    return encoded


def _overridden(container: Object, pod: Object, override: Mapping[str, Any]) -> tuple[Object, Object]:
    """Two strategic merges, so that an entry is merged field by field into the one of its key."""
    changes = {field: override[field] for field in _CONTAINER_FIELDS if field in override}
    container = strategic_merge(CONTAINER, container, {"name": OVERRIDDEN_CONTAINER, **changes})
    pod = strategic_merge(POD_SPEC, pod, {field: override[field] for field in _POD_FIELDS if field in override})
    return container, pod


def _environment(spec: Mapping[str, Any], target: Target) -> list[Object]:
    variables: list[Object] = [{"name": "ENABLE_UI", "value": "false"}]
    secret = (spec.get("huggingFaceSecretReference") or {}).get("name")
    if secret:
        variables.append({"name": _KEY, "valueFrom": {"secretKeyRef": {"name": secret, "key": _KEY}}})
    if target.model is not None:
        variables.append({"name": "MODEL_PATH", "value": target.model.path})
    return variables


def _volumes(model: TargetModel | None, output: StorageUri) -> list[Object]:
    volumes: list[Object] = []
    if model is not None:
        volumes.append({"name": model.name, "hostPath": {"path": model.path}})
    if isinstance(output, PvcUri):
        volumes.append({"name": OUTPUT_VOLUME, "persistentVolumeClaim": {"claimName": output.pvc_name}})
    return volumes


def _mounts(model: TargetModel | None, output: StorageUri) -> list[Object]:
    mounts: list[Object] = []
    if model is not None:
        mounts.append({"name": model.name, "mountPath": model.path, "readOnly": True})
    if isinstance(output, PvcUri):
        mounts.append({"name": OUTPUT_VOLUME, "mountPath": f"/{output.sub_path}", "subPath": output.sub_path})
    return mounts
