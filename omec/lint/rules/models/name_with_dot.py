"""``name-with-dot``: a model whose name cannot be that of a volume."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME373",
    "name-with-dot",
    Severity.ERROR,
    "A model that pods mount from their node has a dot in its name",
    why="OME names the volume after the model, and Kubernetes takes no dots there: no pod of a service is created.",
    fix="Write a hyphen for the dot.",
    source="reference 07 §17, name-with-dot",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: qwen2.5-7b}
spec: {storage: {storageUri: "hf://Qwen/Qwen2.5-7B", path: /mnt/data/models/qwen2-5-7b}}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: qwen2-5-7b}
spec: {storage: {storageUri: "hf://Qwen/Qwen2.5-7B", path: /mnt/data/models/qwen2-5-7b}}
""",
)


def check(context: Context) -> Iterator[Fault]:
    for stored in context.stored_models:
        name = stored.model.name
        if "." in name and stored.path and stored.scheme != "pvc":
            message = f"no volume can be called {name}, as OME would call that of the model's files"
            yield Fault(stored.model, ("metadata", "name"), message, f"call it {name.replace('.', '-')}")
