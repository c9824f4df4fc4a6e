"""Objects checked against the CustomResourceDefinitions of the external test data, unknown fields refused."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import yaml

FILES = {
    "BackendTrafficPolicy": "envoy-gateway-backendtrafficpolicies.yaml",
    "DestinationRule": "istio-destinationrules.yaml",
    "HTTPRoute": "gateway-api-httproutes.yaml",
    "InferenceReplica": "ome-inferencereplicas.yaml",
    "LeaderWorkerSet": "lws-leaderworkersets.yaml",
    "PodMonitor": "prometheus-podmonitors.yaml",
    "ScaledObject": "keda-scaledobjects.yaml",
    "TriggerAuthentication": "keda-triggerauthentications.yaml",
}


def crd_errors(body: dict[str, Any], testdata: Path) -> list[str]:
    """What the schema of its CRD says about ``body``."""
    validator = _validator(testdata / "crds" / FILES[body["kind"]], body["apiVersion"].rpartition("/")[2])
    return [f"{'/'.join(map(str, error.instance_path))}: {error.message}" for error in validator.iter_errors(body)]


@cache
def _validator(file: Path, version: str) -> jsonschema_rs.Validator:
    (definition,) = (doc for doc in yaml.safe_load_all(file.read_text(encoding="utf-8")) if doc)
    (schema,) = (
        served["schema"]["openAPIV3Schema"] for served in definition["spec"]["versions"] if served["name"] == version
    )
    closed = _closed(schema)
    closed["properties"] |= {"apiVersion": {}, "kind": {}, "metadata": {"type": "object"}}
    return jsonschema_rs.Draft202012Validator(closed)


def _closed(schema: Any) -> Any:
    """``schema`` as JSON Schema that knows no other fields than it names."""
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(value) for key, value in schema.items() if key != "format"}
    if schema.get("x-kubernetes-int-or-string"):
        closed.pop("type", None)
    keeps_others = schema.get("x-kubernetes-preserve-unknown-fields") or "additionalProperties" in schema
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object" and not keeps_others:
        closed["additionalProperties"] = False
    return closed
