"""Generate ``omec/data/ome/ome.json``, the schemas that the linter validates ome.io objects with.

    python -m schemas.build_ome            writes the file
    python -m schemas.build_ome --check    fails when the file is not what would be written

The models of ``omec.api.models`` give the OME part, the Kubernetes definitions of the development-only package
kubernetes-validate the embedded types. The result is one JSON Schema document without texts: every kind and every
shared type once under ``$defs``, all objects closed. Integers carry the bounds of their Go type. What plain JSON
Schema cannot say stays as ``x-`` keywords: identity of list items, conditions by name, the release that added a field.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from copy import deepcopy
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from omec.api.models import MODELS
from omec.api.models.kubernetes import KUBERNETES_VERSION, TYPE
from omec.api.models.scalars import QUANTITY_PATTERN

OUTPUT = Path(__file__).resolve().parent.parent / "omec" / "data" / "ome" / "ome.json"
SCHEMA_ID = "urn:omec:ome"

Schema = dict[str, Any]

_KEPT_EXTENSIONS = (
    "x-kubernetes-list-map-keys",
    "x-kubernetes-preserve-unknown-fields",
    "x-omec-checks",
    "x-omec-keeps-null",
    "x-omec-since",
)
_DROPPED = ("title", "description", "format", "$id", "$schema")
_INTEGER_BOUNDS = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}
_REPLACED_TYPES: dict[str, Schema] = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": ["integer", "string"], "pattern": QUANTITY_PATTERN},
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"type": ["integer", "string"]},
}
_KUBERNETES_DEFAULTS = {
    # What controller-gen, and OME's edit of its output, write into the CRDs.
    ("io.k8s.api.core.v1.ContainerPort", "protocol"): "TCP",
    ("io.k8s.api.core.v1.LocalObjectReference", "name"): "",
}


def build() -> Schema:
    """The complete document."""
    _, generated = models_json_schema([(model, "validation") for model in MODELS.values()])
    kubernetes = _KubernetesTypes()
    definitions: Schema = {name: _tidied(schema) for name, schema in generated["$defs"].items()}
    definitions = {name: kubernetes.embed(schema) for name, schema in definitions.items()}
    definitions = _reachable(definitions | kubernetes.definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "$defs": dict(sorted(definitions.items())),
    }


def _reachable(definitions: Schema) -> Schema:
    """The kinds, and the definitions that they refer to, directly or not."""
    found: Schema = {}
    pending = list(MODELS)
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = definitions[name]
            pending += re.findall(r'"#/\$defs/([^"]+)"', json.dumps(definitions[name]))
    return found


def _tidied(schema: Any) -> Any:
    """A pydantic schema in the form of a CRD: no texts, absence instead of null."""
    if isinstance(schema, list):
        return [_tidied(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result: Schema = {}
    for key, value in schema.items():
        if key == "properties":
            result[key] = {name: _tidied(field) for name, field in value.items()}
        elif key == "anyOf" and {"type": "null"} in value:
            (optional,) = [option for option in value if option != {"type": "null"}]
            result |= _tidied(optional)
        elif (key == "default" and value is None) or (key in _DROPPED and isinstance(value, str)):
            continue
        elif key == TYPE or not key.startswith("x-") or key in _KEPT_EXTENSIONS:
            result[key] = value if key in (TYPE, "default", "enum", "const") else _tidied(value)
    return result


class _KubernetesTypes:
    """Collects the Kubernetes types that the models embed, each once, in the form that OME's CRDs give them."""

    def __init__(self) -> None:
        folder = f"kubernetes-json-schema/v{KUBERNETES_VERSION}.0-local-strict"
        text = resources.files("kubernetes_validate").joinpath(folder, "_definitions.json").read_text()
        self._source: Schema = json.loads(text)["$defs"]
        self.definitions: Schema = {}

    def embed(self, schema: Any) -> Any:
        """``schema`` with every named Kubernetes type replaced by a reference to its definition."""
        if isinstance(schema, list):
            return [self.embed(item) for item in schema]
        if not isinstance(schema, dict):
            return schema
        result = {key: self.embed(value) for key, value in schema.items() if key != TYPE}
        if TYPE in schema:
            result |= self._reference(schema[TYPE])
        return result

    def _reference(self, named: Schema) -> Schema:
        short = self._add(named["name"])
        if not named["variant"]:
            return {"$ref": f"#/$defs/{short}"}
        variant = f"{short}.{named['variant']}"
        if variant not in self.definitions:
            schema = deepcopy(self.definitions[short])
            for path in named.get("relaxed", []):
                self._inlined(schema, path).pop("required", None)
            for *path, name in named.get("dropped", []):
                self._inlined(schema, path)["properties"].pop(name)
            for path, names in named.get("kept", []):
                target = self._inlined(schema, path)
                target["properties"] = {name: target["properties"][name] for name in names}
            self.definitions[variant] = schema
        return {"$ref": f"#/$defs/{variant}"}

    def _inlined(self, schema: Schema, path: list[str]) -> Schema:
        """The schema at ``path`` below ``schema``, with the references on the way replaced by copies."""
        for step in path:
            parent: Schema = schema if step == "*" else schema["properties"]
            key = "items" if step == "*" else step
            child = parent[key]
            if "$ref" in child:
                child = parent[key] = deepcopy(self.definitions[child["$ref"].rpartition("/")[2]])
            schema = child
        return schema

    def _add(self, name: str) -> str:
        short = name.removeprefix("io.k8s.api.").rpartition("apimachinery.pkg.")[2]
        if short not in self.definitions:
            self.definitions[short] = {}  # before the recursion, which may come back here
            schema = _REPLACED_TYPES.get(name) or self._converted(self._source[name])
            for (type_name, field), default in _KUBERNETES_DEFAULTS.items():
                if type_name == name:
                    schema["properties"][field]["default"] = default
            self.definitions[short] = schema
        return short

    def _converted(self, schema: Any) -> Any:
        if isinstance(schema, list):
            return [self._converted(item) for item in schema]
        if not isinstance(schema, dict):
            return schema
        result: Schema = {}
        for key, value in schema.items():
            if key == "properties":
                result[key] = {name: self._converted(field) for name, field in value.items()}
            elif key == "$ref":
                result[key] = f"#/$defs/{self._add(value.rpartition('/')[2])}"
            elif key == "type" and isinstance(value, list):
                (result[key],) = [name for name in value if name != "null"]
            elif key == "x-kubernetes-list-type" and value == "set":
                result["uniqueItems"] = True
            elif key == "format" and value in _INTEGER_BOUNDS:
                result["minimum"], result["maximum"] = _INTEGER_BOUNDS[value]
            elif not (key in _DROPPED and isinstance(value, str)) and (
                not key.startswith("x-") or key in _KEPT_EXTENSIONS
            ):
                result[key] = self._converted(value)
        return result


def rendered() -> str:
    """The text of the file."""
    return json.dumps(build(), separators=(",", ":"), ensure_ascii=False) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail when the file is not current")
    text = rendered()
    if parser.parse_args().check:
        if OUTPUT.read_text(encoding="utf-8") == text:
            return 0
        print(f"{OUTPUT.name} is not current: run python -m schemas.build_ome", file=sys.stderr)
        return 1
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
