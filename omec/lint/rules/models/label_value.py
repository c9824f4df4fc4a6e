"""``label-value-invalid``: what OME writes into labels, and Kubernetes takes in none."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.names import LABEL_LENGTH, label_value_problem
from omec.api.redact import quoted
from omec.catalog import Resource
from omec.finding import FieldPath, Rule, Severity
from omec.lint.context import Context, Fault, spec_of

RULE = Rule(
    "OME374",
    "label-value-invalid",
    Severity.ERROR,
    "A model or runtime says something that OME writes into labels, and that cannot be the value of a label",
    why=(
        "OME labels what it makes for a service with the names of its model and runtime, the vendor of the model and "
        "its category. The API server refuses objects with such labels, so that the service gets no pods."
    ),
    fix="Use at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends.",
    source="reference 04 §7.2 and §22",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama-3-2-3b}
spec:
  vendor: Meta AI
  storage: {storageUri: "hf://meta-llama/Llama-3.2-3B", path: /mnt/data/models/llama-3-2-3b}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama-3-2-3b}
spec:
  vendor: meta
  storage: {storageUri: "hf://meta-llama/Llama-3.2-3B", path: /mnt/data/models/llama-3-2-3b}
""",
)

_CATEGORY = "models.ome.io/category"


def check(context: Context) -> Iterator[Fault]:
    for resource, path, value in _labels(context):
        problem = label_value_problem(value) if isinstance(value, str) else None
        if problem is not None:
            message = f"OME labels pods with {quoted(value)}, which is no value of a label: {problem}"
            yield Fault(resource, path, message)


def _labels(context: Context) -> Iterator[tuple[Resource, FieldPath, object]]:
    """What becomes the value of a label."""
    for resource in (*context.models, *context.runtimes):
        # The API server takes longer names, but no other characters than those of labels.
        if len(resource.name) > LABEL_LENGTH:
            yield resource, ("metadata", "name"), resource.name
    for model in context.models:
        yield model, ("spec", "vendor"), spec_of(model).get("vendor")
        yield model, ("metadata", "annotations", _CATEGORY), model.annotations.get(_CATEGORY)
