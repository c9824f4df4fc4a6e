"""Small objects for tests of matching and selection.

A test states only what it is about: everything else is that of the reference's base model and entry (01 §4.5).
"""

from __future__ import annotations

import copy
from typing import Any

from omec.catalog import Catalog, Resource
from omec.finding import FieldPath, Position, field_text
from omec.repo.document import Document
from omec.resolve.decide import Decider
from omec.resolve.facts import ModelFacts
from omec.resolve.inherit import ChainResolver
from omec.resolve.match import RuntimeMatcher

Body = dict[str, Any]

UNSET = object()
"""Takes a field out: ``entry(modelArchitecture=UNSET)``."""

_MODEL: Body = {
    "modelFormat": {"name": "safetensors", "version": "1.0.0"},
    "modelFramework": {"name": "transformers", "version": "4.45.0.dev0"},
    "modelArchitecture": "LlamaForCausalLM",
}
_ENTRY: Body = {**_MODEL, "autoSelect": True}


def model_spec(**changes: Any) -> Body:
    """The spec of the base model; a change reads ``modelFormat={"version": "2.0.0"}`` or ``quantization="fp8"``."""
    return _changed(_MODEL, changes)


def entry(**changes: Any) -> Body:
    """The base entry, which matches the base model, with ``autoSelect: true``."""
    return _changed(_ENTRY, changes)


def facts(**changes: Any) -> ModelFacts:
    return ModelFacts.of(model_spec(**changes))


def runtime(name: str = "rt", *entries: Body, namespace: str | None = None, **spec: Any) -> Body:
    """A runtime with one base entry unless others are given; a ServingRuntime with ``namespace``."""
    kind = "ClusterServingRuntime" if namespace is None else "ServingRuntime"
    return _object(kind, name, namespace, {"supportedModelFormats": list(entries) or [entry()], **spec})


def bare_runtime(name: str, parent: str | None = None, namespace: str | None = None, **spec: Any) -> Body:
    """A runtime with exactly ``spec``, that inherits from ``parent``."""
    body = _object("ClusterServingRuntime" if namespace is None else "ServingRuntime", name, namespace, spec)
    if parent is not None:
        body["metadata"]["annotations"] = {"ome.io/inherit-from": parent}
    return body


def model(name: str = "m", *, namespace: str | None = None, uri: str | None = None, **changes: Any) -> Body:
    """The base model; without ``uri`` it has no storage, so that OME reads nothing."""
    spec = model_spec(**changes)
    if uri is not None:
        spec["storage"] = {"storageUri": uri, "path": "/models/m"}
    return _object("ClusterBaseModel" if namespace is None else "BaseModel", name, namespace, spec)


def bare_model(name: str = "m", uri: str = "hf://meta-llama/Llama", **spec: Any) -> Body:
    """A ClusterBaseModel with exactly ``spec`` and its storage."""
    return _object("ClusterBaseModel", name, None, {"storage": {"storageUri": uri, "path": "/models/m"}, **spec})


def service(name: str = "svc", *, namespace: str = "demo", annotations: Body | None = None, **spec: Any) -> Body:
    """An InferenceService with an empty engine that names model ``m``, unless ``spec`` says otherwise."""
    body = _object("InferenceService", name, namespace, _changed({"engine": {}, "model": {"name": "m"}}, spec))
    if annotations:
        body["metadata"]["annotations"] = annotations
    return body


class _Places:
    """Says the field path instead of a place: line 1 of a file named after the object."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __call__(self, path: FieldPath, key: bool) -> Position:
        return Position(f"{self._path}#{field_text(path)}{' key' if key else ''}", 1, 1)


def resource(body: Body, *, context: bool = False) -> Resource:
    metadata = body["metadata"]
    place = f"{body['kind']}/{metadata['name']}.yaml"
    document = Document(place, 0, body, _Places(place))
    return Resource(body["kind"], metadata.get("namespace"), metadata["name"], document, context=context)


def catalog(*bodies: Body) -> Catalog:
    return Catalog([resource(body) for body in bodies])


def decider(*bodies: Body, external: tuple[str, ...] = (), ome_version: str = "1.3") -> Decider:
    found = catalog(*bodies)
    chains = ChainResolver(found, external, inheritance=ome_version != "1.2")
    return Decider(found, chains, ome_version)


def matcher(body: Body) -> RuntimeMatcher:
    found = resource(body)
    return RuntimeMatcher(found, found.spec)


def _object(kind: str, name: str, namespace: str | None, spec: Body) -> Body:
    metadata: Body = {"name": name} if namespace is None else {"name": name, "namespace": namespace}
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": metadata, "spec": copy.deepcopy(spec)}


def _changed(base: Body, changes: Body) -> Body:
    changed = copy.deepcopy(base)
    for field, value in changes.items():
        if value is UNSET:
            changed.pop(field, None)
        elif isinstance(value, dict) and isinstance(changed.get(field), dict):
            changed[field] = _changed(changed[field], value)
        else:
            changed[field] = value
    return changed
