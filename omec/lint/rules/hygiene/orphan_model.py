"""``orphan-model``: a model that no service uses."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME972",
    "orphan-model",
    Severity.INFO,
    "No InferenceService of the repository uses a model",
    why="Every node that suits it downloads the model and keeps it, for nobody in this repository.",
    fix="Delete it, or leave it where services of other repositories use it.",
    source="OME docs: concepts/models/base-models",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: qwen3-8b}
spec: {storage: {storageUri: "hf://Qwen/Qwen3-8B", path: /mnt/data/models/qwen3-8b}}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: qwen3-8b}
spec: {storage: {storageUri: "hf://Qwen/Qwen3-8B", path: /mnt/data/models/qwen3-8b}}
---
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: chat, namespace: demo}
spec: {model: {name: qwen3-8b}, engine: {}}
""",
    default=False,
)


def check(context: Context) -> Iterator[Fault]:
    used = {decision.model.ref for decision in context.decider.services() if decision.model is not None}
    overlays = {
        overlay.get("name")
        for service in context.services
        for overlay in (service.spec.get("model") or {}).get("overlays") or ()
    }
    for model in context.models:
        if model.ref not in used and model.name not in overlays:
            yield Fault(model, ("metadata", "name"), f"no InferenceService uses {model.ref}")
