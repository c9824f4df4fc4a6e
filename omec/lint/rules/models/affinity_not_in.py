"""``node-affinity-notin``: an exception that takes more than it seems to."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME375",
    "node-affinity-notin",
    Severity.INFO,
    "A model excludes nodes by NotIn, which leaves out the nodes without the label, too",
    why="OME's model agent asks for the label first, unlike Kubernetes: on a node that lacks it NotIn is false.",
    fix="Use `In` with the values that are meant, or label every node.",
    source="reference 07 §17, notin-semantics",
    bad="""\
storage:
  storageUri: hf://Qwen/Qwen3-8B
  path: /mnt/data/models/qwen3-8b
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms: [{matchExpressions: [{key: gpu, operator: NotIn, values: [a10]}]}]
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

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def check(context: Context) -> Iterator[Fault]:
    for stored in context.stored_models:
        required = (stored.storage.get("nodeAffinity") or {}).get(_REQUIRED) or {}
        for number, term in enumerate(required.get("nodeSelectorTerms") or ()):
            for index, expression in enumerate(term.get("matchExpressions") or ()):
                if expression.get("operator") == "NotIn":
                    path = ("spec", "storage", "nodeAffinity", _REQUIRED, "nodeSelectorTerms", number)
                    message = f"nodes without the label {expression.get('key')} do not get the model either"
                    yield Fault(stored.model, (*path, "matchExpressions", index, "operator"), message)
