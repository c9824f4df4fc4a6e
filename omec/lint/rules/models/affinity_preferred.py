"""``preferred-ignored``: a wish about nodes that nobody hears."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME376",
    "preferred-ignored",
    Severity.WARNING,
    "A model prefers nodes, and OME's model agent reads what is required alone",
    why="Every node that passes the required terms downloads the model, preferred or not.",
    fix="Write the terms as required ones, or remove them.",
    source="reference 07 §17, preferred-ignored",
    bad="""\
storage:
  storageUri: hf://Qwen/Qwen3-8B
  path: /mnt/data/models/qwen3-8b
  nodeAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
    - {weight: 1, preference: {matchExpressions: [{key: gpu, operator: In, values: [h100]}]}}
""",
    good="""\
storage:
  storageUri: hf://Qwen/Qwen3-8B
  path: /mnt/data/models/qwen3-8b
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms: [{matchExpressions: [{key: gpu, operator: In, values: [h100]}]}]
""",
)

_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def check(context: Context) -> Iterator[Fault]:
    for stored in context.stored_models:
        if (stored.storage.get("nodeAffinity") or {}).get(_PREFERRED):
            message = f"{stored.model.name} is downloaded to nodes that are not preferred, too"
            yield Fault(stored.model, ("spec", "storage", "nodeAffinity", _PREFERRED), message, key=True)
