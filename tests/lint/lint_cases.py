"""Runtimes and services in short, and what lint says about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from omec.finding import Finding
from omec.session import from_objects

Object = dict[str, Any]

IMAGE = "registry.example.com/engine:v1"
SGLANG = ["python3", "-m", "sglang.launch_server", "--model-path=$(MODEL_PATH)", "--host=0.0.0.0"]


def runtime(name: str = "base", *, parent: str | None = None, **spec: Any) -> Object:
    metadata: Object = {"name": name}
    if parent is not None:
        metadata["annotations"] = {"ome.io/inherit-from": parent}
    return {"apiVersion": "ome.io/v1beta1", "kind": "ClusterServingRuntime", "metadata": metadata, "spec": spec}


def runner(**fields: Any) -> Object:
    return {"name": "ome-container", "image": IMAGE, **fields}


def engine(**fields: Any) -> Object:
    """The spec of a runtime with an engine whose runner has these fields."""
    return {"engineConfig": {"runner": runner(**fields)}}


def service(name: str = "chat", *, uses: str = "base", model: str | None = None, **spec: Any) -> Object:
    named: Object = {"runtime": {"name": uses}, "engine": {}}
    if model is not None:
        named["model"] = {"name": model}
    metadata = {"name": name, "namespace": "demo"}
    return {"apiVersion": "ome.io/v1beta1", "kind": "InferenceService", "metadata": metadata, "spec": {**named, **spec}}


def findings(objects: Sequence[Object] | str, *codes: str, config: Object | None = None) -> list[Finding]:
    """The findings of these codes about a repository of ``objects``, be they written in YAML."""
    given = list(yaml.safe_load_all(objects)) if isinstance(objects, str) else list(objects)
    lint = {"extend-select": list(codes)}
    found = from_objects(given, config={"lint": lint, **(config or {})}).lint().findings
    return [finding for finding in found if finding.rule.code in codes]


def places(found: Sequence[Finding]) -> list[tuple[str, str | None]]:
    """The object and the field of each finding."""
    return [(finding.object.name if finding.object else "", finding.field) for finding in found]
