"""What is wrong with the structure of objects, each looked at by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from omec.api.kinds import KINDS, claims_ome
from omec.api.structure import structural_findings
from omec.api.uncompiled import uncompiled_findings
from omec.finding import Finding, ObjectRef
from omec.repo.document import Document


def structure_findings(
    documents: Iterable[Document], ref_of: Callable[[Document], ObjectRef | None], ome_version: str
) -> list[Finding]:
    """What the API server would say about each of ``documents``; ``ref_of`` gives the identity of its object."""
    findings: list[Finding] = []
    for document in documents:
        if claims_ome(document.value):
            kind, ref = str(document.value.get("kind") or ""), ref_of(document)
            findings += structural_findings(kind, document, ome_version=ome_version, ref=ref)
            findings += uncompiled_findings(kind, document, ref=ref)
    return findings


def identified(finding: Finding, default_namespace: str | None) -> Finding:
    """``finding`` about the object that the catalog knows, where only ``default_namespace`` gives its namespace."""
    ref = finding.object
    if ref is None or ref.namespace is not None or ref.kind not in KINDS or not KINDS[ref.kind].namespaced:
        return finding
    return replace(finding, object=replace(ref, namespace=default_namespace))
