"""The Job that reads the files of a model on a claim (reference 07 §9.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.runtime_agent.claims.contract import ACCOUNT, Claim, model_labels, uri_of
from omec.runtime_agent.contract.names import ModelKey, metadata_job

Object = dict[str, Any]

_DIRECTORY = "/model"
_USER = 65532
_RESOURCES = {"requests": {"cpu": "100m", "memory": "256Mi"}, "limits": {"cpu": "500m", "memory": "512Mi"}}
_SECONDS_TO_KEEP = 3600
_RETRIES = 2
_LONGEST_SECONDS = 1800


def job_for(model: Mapping[str, Any], claim: Claim, image: str, namespace: str) -> Object:
    """The Job in the namespace of the claim; its result goes to ``namespace``."""
    key = ModelKey.of(model)
    metadata, labels = model["metadata"], model_labels(key)
    owner = {
        "apiVersion": model["apiVersion"],
        "kind": model["kind"],
        "name": metadata["name"],
        "uid": metadata["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": metadata_job(key.name, uri_of(model)),
            "namespace": claim.namespace,
            "labels": labels,
            "ownerReferences": [owner],
        },
        "spec": {
            "backoffLimit": _RETRIES,
            # A pod that cannot start (its image, the volume) does not count as a failure of the Job.
            "activeDeadlineSeconds": _LONGEST_SECONDS,
            "ttlSecondsAfterFinished": _SECONDS_TO_KEEP,
            "template": {"metadata": {"labels": labels}, "spec": _pod(key, claim, image, namespace, uri_of(model))},
        },
    }


def _pod(key: ModelKey, claim: Claim, image: str, namespace: str, uri: str) -> Object:
    return {
        "serviceAccountName": ACCOUNT,
        "automountServiceAccountToken": True,
        "enableServiceLinks": False,
        "restartPolicy": "Never",
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": _USER,
            "runAsGroup": _USER,
            "fsGroup": _USER,
            # Without this, the kubelet would change the owner of every file of the model first.
            "fsGroupChangePolicy": "OnRootMismatch",
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [_container(key, claim, image, namespace, uri)],
        "volumes": [{"name": "model", "persistentVolumeClaim": {"claimName": claim.name, "readOnly": True}}],
    }


def _container(key: ModelKey, claim: Claim, image: str, namespace: str, uri: str) -> Object:
    scope = [f"--basemodel-namespace={key.namespace}"] if key.namespace else ["--cluster-scoped"]
    return {
        "name": "model-metadata",
        "image": image,
        "command": ["omec", "agent", "fetch"],
        "args": [
            "model-metadata",
            f"--model-path={_DIRECTORY}",
            f"--basemodel-name={key.name}",
            *scope,
            f"--storage-uri={uri}",
        ],
        "env": [{"name": "POD_NAMESPACE", "value": namespace}],
        "resources": _RESOURCES,
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "volumeMounts": [{"name": "model", "mountPath": _DIRECTORY, "subPath": claim.path, "readOnly": True}],
    }
