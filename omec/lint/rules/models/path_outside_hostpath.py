"""``model-path-outside-hostpath``: a directory that the agent does not share with the node.

Where the agent's folder is no setting that omec knows, OME's own default counts; so the rule is asked for by name.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME370",
    "model-path-outside-hostpath",
    Severity.WARNING,
    "The storage.path of a model is outside of the folder that the model agent shares with the node",
    why=(
        "The agent runs in a pod that mounts `modelAgent.hostPath`, /mnt/data/models unless the chart says otherwise. "
        "What it writes elsewhere stays in its own file system, and pods find an empty directory."
    ),
    fix="Move the path below that folder.",
    source="OME docs: concepts/models/base-models",
    bad='storage: {storageUri: "hf://Qwen/Qwen3-8B", path: /models/qwen3-8b}\n',
    good='storage: {storageUri: "hf://Qwen/Qwen3-8B", path: /mnt/data/models/qwen3-8b}\n',
    default=False,
)

_HOST_PATH = "/mnt/data/models"


def check(context: Context) -> Iterator[Fault]:
    for stored in context.stored_models:
        if stored.scheme not in ("hf", "oci", "stage") or not stored.path.startswith("/"):
            continue
        if not f"{posixpath.normpath(stored.path)}/".startswith(f"{_HOST_PATH}/"):
            message = f"{stored.path} is not below {_HOST_PATH}, the folder that the agent shares with its node"
            yield Fault(stored.model, ("spec", "storage", "path"), message)
