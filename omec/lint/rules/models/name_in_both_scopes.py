"""``model-name-both-scopes``: a BaseModel that hides a ClusterBaseModel."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME270",
    "model-name-both-scopes",
    Severity.WARNING,
    "A BaseModel has the name of a ClusterBaseModel",
    why=(
        "OME's webhook judges every service of the namespace by the BaseModel, its controller serves the "
        "ClusterBaseModel unless the service says kind: BaseModel."
    ),
    fix="Rename one of the two.",
    source="OME docs: concepts/models/base-models",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec: {storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /mnt/data/models/llama}}
---
apiVersion: ome.io/v1beta1
kind: BaseModel
metadata: {name: llama, namespace: demo}
spec: {storage: {storageUri: "pvc://models/llama"}}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec: {storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /mnt/data/models/llama}}
---
apiVersion: ome.io/v1beta1
kind: BaseModel
metadata: {name: demo-llama, namespace: demo}
spec: {storage: {storageUri: "pvc://models/llama"}}
""",
)


def check(context: Context) -> Iterator[Fault]:
    """A service of the namespace that names such a model is told of it in its own place."""
    used = {
        (decision.namespace, decision.model_reference.name)
        for decision in context.decider.services()
        if decision.model_reference is not None
    }
    for model in context.of_kind("BaseModel"):
        other = context.catalog.get("ClusterBaseModel", model.name)
        if other is not None and (model.namespace, model.name) not in used:
            related = (Related(other.locate(("metadata", "name")), "the ClusterBaseModel"),)
            message = f"{model.name} is also a ClusterBaseModel"
            yield Fault(model, ("metadata", "name"), message, related=related)
