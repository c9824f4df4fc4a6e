"""What is wrong with models, runtimes and accelerator classes by themselves, as far as rendering is concerned."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from omec.catalog import Catalog
from omec.compile.weights_findings import weights_findings
from omec.finding import Finding, ObjectRef
from omec.resolve.inherit import ChainResolver
from omec.resolve.preset import preset_findings


def manifest_findings(
    catalog: Catalog, chains: ChainResolver, reported: Collection[ObjectRef | None]
) -> Iterator[Finding]:
    """The findings about manifests of the repository itself; the ``reported`` ones have an error already."""
    broken = {ref for ref in reported if ref is not None}
    yield from weights_findings(catalog, broken)
    yield from preset_findings(catalog)
    if _mentions_classes(catalog):
        from omec.compile.accel.findings import accelerator_findings  # noqa: PLC0415 - few repositories have classes

        yield from accelerator_findings(catalog, chains, broken)


def _mentions_classes(catalog: Catalog) -> bool:
    if catalog.of_kind("AcceleratorClass"):
        return True
    runtimes = (*catalog.of_kind("ServingRuntime"), *catalog.of_kind("ClusterServingRuntime"))
    own = (runtime for runtime in runtimes if not runtime.context)
    # As written: filling in the defaults of every runtime would cost more than all else here.
    return any("accelerator" in key.lower() for runtime in own for key in _keys(runtime.body.get("spec")))


def _keys(spec: object) -> Iterator[str]:
    """The keys in which a runtime may speak of classes."""
    if not isinstance(spec, dict):
        return
    yield from spec
    for field in ("engineConfig", "decoderConfig"):
        part = spec.get(field)
        yield from part if isinstance(part, dict) else ()
    formats = spec.get("supportedModelFormats")
    for entry in formats if isinstance(formats, list) else ():
        yield from entry if isinstance(entry, dict) else ()
