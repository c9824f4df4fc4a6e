"""Write ``omec/data/kubernetes/<minor>.json``: the Kubernetes schemas that omec checks its output against.

The source is the OpenAPI document of each Kubernetes release as the PyPI package ``kubernetes-validate`` carries it
(development only; 1.6 MB a version). What omec never emits is left out, so that the four versions together stay small
and compile in milliseconds::

    python schemas/build_kubernetes.py            # write the files
    python schemas/build_kubernetes.py --check    # exit 1 if a committed file is not what this script writes

Each file is one JSON Schema (draft 2020-12) whose ``properties`` map ``<apiVersion> <kind>`` to the schema of that
kind, so that one compiled validator serves every kind and the kinds share their definitions.

Differences to the published document, each because it is what the API server does or what omec emits:

- integers have the range of their Go type, quantities the grammar of ``resource.ParseQuantity``;
- ``null`` is no value (omec emits none, the published schemas allow it everywhere);
- an object has ``apiVersion``, ``kind`` and ``metadata``, also its ``spec`` where its kind has one that says anything,
  and none of the fields that only the API server writes;
- the list keys ``protocol`` have the default with which server-side apply completes a key (version 2 of the OpenAPI
  document, which the package carries, leaves defaults out).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Schema = dict[str, Any]

OUTPUT = Path(__file__).resolve().parent.parent / "omec" / "data" / "kubernetes"

MINORS = ("1.34", "1.35", "1.36", "1.37")
"""The four minor versions that Kubernetes supports or has just stopped supporting; add the next one when it is out."""

KINDS = (
    "io.k8s.api.apps.v1.Deployment",
    "io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler",
    "io.k8s.api.batch.v1.Job",
    "io.k8s.api.core.v1.ConfigMap",
    "io.k8s.api.core.v1.Namespace",
    "io.k8s.api.core.v1.PersistentVolumeClaim",
    "io.k8s.api.core.v1.PodTemplate",
    "io.k8s.api.core.v1.Service",
    "io.k8s.api.core.v1.ServiceAccount",
    "io.k8s.api.networking.v1.Ingress",
    "io.k8s.api.policy.v1.PodDisruptionBudget",
    "io.k8s.api.rbac.v1.Role",
    "io.k8s.api.rbac.v1.RoleBinding",
)

QUANTITY_PATTERN = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,9})?$"

REPLACED: dict[str, Schema] = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {
        "type": ["string", "number"],
        "maxLength": 1000,
        "pattern": QUANTITY_PATTERN,
    },
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {
        "type": ["integer", "string"],
        "minimum": -(2**31),
        "maximum": 2**31 - 1,
    },
}
"""Types whose JSON form is not that of their Go struct, which the published document cannot say."""

SERVER_OWNED = {
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": ("managedFields",),
    **dict.fromkeys(KINDS, ("status",)),
}
"""Fields that no manifest may set: server-side apply refuses or ignores them."""

KEY_DEFAULTS = {
    ("io.k8s.api.core.v1.ContainerPort", "protocol"): "TCP",
    ("io.k8s.api.core.v1.ServicePort", "protocol"): "TCP",
}

DEFAULTED = {"io.k8s.api.rbac.v1.RoleRef": "apiGroup"}
"""Fields that some versions of the document require although the API server fills them in."""

SPEC_IS_OPTIONAL = ("Namespace", "PodDisruptionBudget")
DROPPED = frozenset({"$id", "$schema", "default", "description", "format"})
INTEGER_RANGES = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the pruned Kubernetes schemas.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a committed file is not current")
    check: bool = parser.parse_args().check
    OUTPUT.mkdir(parents=True, exist_ok=True)
    files = {OUTPUT / f"{minor}.json": render(build(minor)) for minor in MINORS}
    stale = [path for path, text in files.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    stale += [path for path in OUTPUT.glob("*.json") if path not in files]
    for path in stale:
        print(f"{'stale' if check else 'written'}: {path.name}")
        if check:
            continue
        if path in files:
            path.write_text(files[path], encoding="utf-8")
        else:
            path.unlink()
    return 1 if check and stale else 0


def published(minor: str) -> dict[str, Schema]:
    """The definitions of Kubernetes ``minor`` by name, with objects closed, as the package carries them."""
    package = find_spec("kubernetes_validate")
    if package is None or package.origin is None:
        sys.exit("the package kubernetes-validate is not installed: pip install kubernetes-validate")
    folder = Path(package.origin).parent / "kubernetes-json-schema" / f"v{minor}.0-local-strict"
    if not folder.is_dir():
        sys.exit(f"the installed kubernetes-validate does not know Kubernetes {minor}: upgrade it")
    definitions: dict[str, Schema] = json.loads((folder / "_definitions.json").read_text(encoding="utf-8"))["$defs"]
    return definitions


def build(minor: str) -> Schema:
    """The schema of one version: a property for each kind, and every definition that the kinds reach."""
    source = published(minor)
    definitions: dict[str, Schema] = {}
    pending = list(KINDS)
    while pending:
        name = pending.pop()
        if name not in definitions:
            definitions[name] = definition(name, source[name])
            pending.extend(references(definitions[name]))
    properties: dict[str, Schema] = {}
    for name in KINDS:
        api_version, kind = identify(definitions[name], source[name])
        properties[f"{api_version} {kind}"] = {"$ref": f"#/$defs/{name}"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": f"Kubernetes {minor}, pruned by schemas/build_kubernetes.py",
        "properties": dict(sorted(properties.items())),
        "$defs": dict(sorted(definitions.items())),
    }


def definition(name: str, source: Schema) -> Schema:
    """The definition ``name`` as omec ships it."""
    if name in REPLACED:
        return REPLACED[name]
    schema = prune(source)
    for field in SERVER_OWNED.get(name, ()):
        if field in schema["properties"]:
            schema["properties"][field] = False
    if DEFAULTED.get(name) in schema.get("required", ()):
        schema["required"].remove(DEFAULTED[name])
    for (owner, field), default in KEY_DEFAULTS.items():
        if owner == name:
            schema["properties"][field]["default"] = default
    return schema


def prune(source: Schema) -> Schema:
    """``source`` without documentation, nulls, unused extensions and formats; references point into this file."""
    schema: Schema = {}
    for key, value in source.items():
        match key:
            case "$ref":
                schema[key] = f"#/$defs/{value.rpartition('/')[2]}"
            case "type":
                schema[key] = value if isinstance(value, str) else next(item for item in value if item != "null")
            case "properties":
                schema[key] = {name: prune(field) for name, field in sorted(value.items())}
            case "items" | "additionalProperties":
                schema[key] = prune(value) if isinstance(value, dict) else value
            case "required":
                schema[key] = sorted(value)
            case "format" if value in INTEGER_RANGES:
                schema["minimum"], schema["maximum"] = INTEGER_RANGES[value]
            case "enum" | "x-kubernetes-list-map-keys":
                schema[key] = value
            case "x-kubernetes-list-type" if value != "atomic":
                schema[key] = value
            case _ if key not in DROPPED and not key.startswith("x-kubernetes-"):
                sys.exit(f"the published schema uses the keyword {key}, which this script does not know")
    return schema


def identify(schema: Schema, source: Schema) -> tuple[str, str]:
    """``apiVersion`` and ``kind`` of a root definition, which this makes required."""
    identity = source["x-kubernetes-group-version-kind"][0]
    group, version, kind = identity["group"], identity["version"], identity["kind"]
    schema["properties"]["apiVersion"] = schema["properties"]["kind"] = {"type": "string"}
    required = {*schema.get("required", ()), "apiVersion", "kind", "metadata"}
    if "spec" in schema["properties"] and kind not in SPEC_IS_OPTIONAL:
        required.add("spec")
    schema["required"] = sorted(required)
    return (f"{group}/{version}" if group else version), kind


def references(schema: Any) -> Iterator[str]:
    """Names of the definitions that ``schema`` refers to."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                yield value.rpartition("/")[2]
            else:
                yield from references(value)


def render(schema: Schema) -> str:
    """``schema`` as compact JSON with one definition a line, so that a new version shows as a readable diff."""
    lines = ["{"]
    for key, value in schema.items():
        if isinstance(value, str):
            lines.append(f"{compact(key)}:{compact(value)},")
            continue
        lines.append(f"{compact(key)}:{{")
        lines.append(",\n".join(f"{compact(name)}:{compact(item)}" for name, item in value.items()))
        lines.append("},")
    lines[-1] = "}"
    return "\n".join([*lines, "}"]) + "\n"


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main())
