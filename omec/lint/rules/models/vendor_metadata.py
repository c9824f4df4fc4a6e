"""``vendor-metadata``: a model whose files OME never reads, and that does not say what it is."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, spec_of

RULE = Rule(
    "OME361",
    "vendor-metadata",
    Severity.WARNING,
    "A vendor:// model has no modelFormat or no modelFramework",
    why="OME reads no files of such a model, so nobody fills the fields in: no runtime can match it.",
    fix="Set `modelFormat`, `modelFramework` and `modelArchitecture`.",
    source="reference 07 §17, vendor-metadata",
    bad='storage: {storageUri: "vendor://acme/models/x", path: /mnt/data/models/x}\n',
    good="""\
modelFormat: {name: safetensors}
modelFramework: {name: transformers}
storage: {storageUri: "vendor://acme/models/x", path: /mnt/data/models/x}
""",
)


def check(context: Context) -> Iterator[Fault]:
    """A model that a service uses is told of where the service names it."""
    used = {decision.model.ref for decision in context.decider.services() if decision.model is not None}
    for stored in context.stored_models:
        if stored.scheme != "vendor" or stored.model.ref in used:
            continue
        missing = [field for field in ("modelFormat", "modelFramework") if not spec_of(stored.model).get(field)]
        if missing:
            message = f"OME reads no files of {stored.model.name}, so its {' and '.join(missing)} stay unset"
            yield Fault(stored.model, ("spec", "storage", "storageUri"), message)
