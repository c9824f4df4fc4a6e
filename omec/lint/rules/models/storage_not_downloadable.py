"""``storage-not-downloadable``: a scheme that OME knows and downloads nothing from.

On platform kubernetes something else than OME's agent may fetch the files. ``modelpack://`` is fetched by releases
after 1.3, and told of elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME365",
    "storage-not-downloadable",
    Severity.ERROR,
    "A model is stored where OME's model agent downloads nothing from",
    why="OME parses s3://, az://, gs:// and github:// and has no downloader for them: the model stays In_Transit.",
    fix="Use `hf://`, `oci://`, `pvc://` or `local://`, or bring the files to the nodes and say `vendor://`.",
    source="reference 07 §17, uri-no-downloader",
    bad='storage: {storageUri: "s3://models/qwen3-8b", path: /mnt/data/models/qwen3-8b}\n',
    good='storage: {storageUri: "hf://Qwen/Qwen3-8B", path: /mnt/data/models/qwen3-8b}\n',
)


def check(context: Context) -> Iterator[Fault]:
    if context.config.platform != "ome":
        return
    for stored in context.stored_models:
        if stored.scheme in ("s3", "az", "gs", "github"):
            message = f"OME downloads nothing from {stored.scheme}://, so {stored.model.name} never becomes Ready"
            yield Fault(stored.model, ("spec", "storage", "storageUri"), message)
