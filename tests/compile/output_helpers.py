"""What the tests of the output share."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from omec.catalog.resource import Resource
from omec.compile.index import Entry
from omec.compile.layout import OutputFile, OutputObject
from omec.compile.output import OutputPlan
from omec.repo.document import Document

GROUPS = {"Deployment": "apps/v1", "ClusterBaseModel": "ome.io/v1beta1", "InferenceService": "ome.io/v1beta1"}


def manifest(kind: str, name: str, namespace: str | None = None, api: str | None = None, **rest: Any) -> dict[str, Any]:
    metadata = {"name": name} if namespace is None else {"name": name, "namespace": namespace}
    return {"apiVersion": api or GROUPS.get(kind, "v1"), "kind": kind, "metadata": metadata, **rest}


def resource(kind: str, name: str, namespace: str | None = None, path: str = "a.yaml", **rest: Any) -> Resource:
    return Resource(kind, namespace, name, Document(path, 0, manifest(kind, name, namespace, **rest)))


def output_object(owner: Resource, kind: str, name: str, **rest: Any) -> OutputObject:
    return OutputObject(manifest(kind, name, owner.namespace, **rest), owner)


def output_file(name: str, content: str = "kind: X\n", source: str = "a.yaml") -> OutputFile:
    data = content.encode()
    return OutputFile(name, data, Entry(object=f"X {name}", sha256=sha256(data).hexdigest(), source=source))


def files_of(folders: dict[str, dict[str, str]]) -> dict[str, list[OutputFile]]:
    """Output files with the given contents by folder and file name."""
    return {folder: [output_file(*item) for item in content.items()] for folder, content in folders.items()}


def compile_to(out: Path, folders: dict[str, dict[str, str]], **options: Any) -> OutputPlan:
    """Bring ``out`` to the given contents."""
    plan = OutputPlan.build(out, files_of(folders), **options)
    plan.apply()
    return plan


def tree(out: Path) -> dict[str, str]:
    """Every file below ``out`` by relative path, links as what they point to."""
    return {
        str(path.relative_to(out)): f"-> {path.readlink()}" if path.is_symlink() else path.read_text("utf-8", "replace")
        for path in sorted(out.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def objects(out: Path) -> set[str]:
    """The paths of the files below ``out`` that are no bookkeeping."""
    return {path for path in tree(out) if not path.rsplit("/", 1)[-1].startswith(".")}
