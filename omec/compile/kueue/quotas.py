"""The quota tree of a repository as the Kueue objects of its output (reference 15 §3 and §10).

OME's quota manager writes these objects where it runs, so omec renders them on platform ``kubernetes`` only, under a
managed-by value of its own: beside OME's they would be conflicts, or be swept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from omec.catalog import Resource
from omec.compile.kueue import rules
from omec.compile.kueue.objects import QueueObject, queue_objects
from omec.compile.kueue.refusals import queue_refusals, schema_refusal
from omec.compile.kueue.written import (
    WrittenObject,
    conflict_text,
    conflicts,
    flavor_names,
    swept,
)
from omec.compile.layout import OutputObject
from omec.compile.marks import MANAGED_BY, mark
from omec.finding import FieldPath, Finding, ObjectRef, Related, Rule, Severity, field_text
from omec.resolve.quota.repository import RepositoryQuotas
from omec.resolve.quota.settings import OME_MANAGER

_NAME: FieldPath = ("metadata", "name")


class CompiledQuotas(msgspec.Struct, frozen=True):
    """What the tree gives rise to. ``kept`` are the nodes whose earlier output must stay: the tree has an error.

    A partial set would let Argo CD prune a team's queue, where the quota manager would freeze it.
    """

    outputs: tuple[OutputObject, ...] = ()
    findings: tuple[Finding, ...] = ()
    kept: tuple[Resource, ...] = ()


def compile_quotas(
    quotas: RepositoryQuotas,
    written: Sequence[WrittenObject],
    *,
    platform: str,
    kueue: bool,
    broken: bool,
    metadata: bool = True,
) -> CompiledQuotas:
    """The Kueue objects for ``quotas`` on platform ``kubernetes`` with Kueue, and what stands against them.

    ``written`` are the Kueue objects of the repository itself. ``broken`` says that a node has an error, of whatever
    kind. With ``metadata`` the objects carry omec's own mark.
    """
    if not quotas.own:
        return CompiledQuotas()
    if platform != "kubernetes":
        return CompiledQuotas(findings=tuple(_beside_ome(quotas, written)))
    if not kueue:
        return CompiledQuotas()
    if broken:
        return CompiledQuotas(kept=tuple(quotas.own.values()))
    settings = quotas.settings.materialisation(MANAGED_BY)
    if not settings.enabled:
        return CompiledQuotas(findings=(_not_rendered(quotas),))
    flavors = flavor_names(written)
    objects = [item for item in queue_objects(quotas.judgement, settings, flavors) if _is_output(quotas, item)]
    findings = [*_conflicts(quotas, objects, written, MANAGED_BY), *_refusals(quotas, objects)]
    if not flavors:
        findings.append(_flavors_unknown(quotas))
    if any(finding.severity is Severity.ERROR for finding in findings):
        return CompiledQuotas(findings=tuple(findings), kept=tuple(quotas.own.values()))
    return CompiledQuotas(tuple(_output(quotas, item, metadata=metadata) for item in objects), tuple(findings))


def _is_output(quotas: RepositoryQuotas, item: QueueObject) -> bool:
    """Objects of the repository's own nodes and of ``root``; nodes of other catalogs are written elsewhere."""
    return item.node in quotas.own or item.node not in quotas.resources


def _output(quotas: RepositoryQuotas, item: QueueObject, *, metadata: bool) -> OutputObject:
    if metadata:
        mark(item.body)
    return OutputObject(item.body, _owner(quotas, item.node))


def _owner(quotas: RepositoryQuotas, node: str) -> Resource:
    """The manifest of the node; an assumed one goes with the first node of the repository."""
    return quotas.own.get(node) or next(iter(quotas.own.values()))


def _beside_ome(quotas: RepositoryQuotas, written: Sequence[WrittenObject]) -> Iterator[Finding]:
    """What OME's quota manager would say about Kueue objects of the repository."""
    settings = quotas.settings.materialisation(OME_MANAGER)
    objects = queue_objects(quotas.judgement, settings, flavor_names(written))
    for finding in _conflicts(quotas, objects, written, OME_MANAGER):
        yield replace(finding, severity_override=Severity.WARNING)
    for item in swept(written, quotas.judgement.tree.nodes, OME_MANAGER):
        assert item.document is not None
        yield Finding(
            rules.QUEUE_SWEPT,
            f"{item} says that {OME_MANAGER} manages it, but no AcceleratorQuota stands for it",
            item.document.locate(("metadata", "labels")),
            object=ObjectRef(item.kind, item.namespace, item.name),
            field="metadata.labels",
            help=rules.QUEUE_SWEPT.remedy,
        )


def _conflicts(
    quotas: RepositoryQuotas, objects: Sequence[QueueObject], written: Sequence[WrittenObject], manager: str
) -> Iterator[Finding]:
    for wanted, item in conflicts(objects, written, manager):
        assert item.document is not None
        message = f"{wanted.node}: {conflict_text(item, manager)} (ObjectConflict)"
        related = (Related(item.document.locate(_NAME), "written here"),)
        yield _about(quotas, wanted.node, rules.QUEUE_CONFLICT, message, _NAME, related)


def _refusals(quotas: RepositoryQuotas, objects: Sequence[QueueObject]) -> Iterator[Finding]:
    for item in objects:
        if item.body["kind"] != "ClusterQueue":
            continue
        texts = [refusal.message for refusal in queue_refusals(item.body)]
        if text := schema_refusal(item.body):
            texts.append(text)
        for text in texts:
            message = f"{item.node}: cannot apply ClusterQueue {item.node}: {text} (MaterializationFailed)"
            yield _about(quotas, item.node, rules.QUEUE_REFUSED, message, ("spec", "budgets"))


def _not_rendered(quotas: RepositoryQuotas) -> Finding:
    first = next(iter(quotas.own))
    message = f"no namespace is enrolled, so {first} and the rest of the quota tree become no Kueue objects"
    return _about(quotas, first, rules.QUOTA_NOT_RENDERED, message, _NAME)


def _flavors_unknown(quotas: RepositoryQuotas) -> Finding:
    first = next(
        (leaf.name for leaf in quotas.judgement.tree.leaves if leaf.name in quotas.own), next(iter(quotas.own))
    )
    message = f"{first}: the repository has no ResourceFlavor, so the flavors of the quota tree are not checked"
    return _about(quotas, first, rules.FLAVORS_UNKNOWN, message, ("spec", "budgets"))


def _about(
    quotas: RepositoryQuotas,
    node: str,
    rule: Rule,
    message: str,
    field: FieldPath,
    related: tuple[Related, ...] = (),
) -> Finding:
    owner = _owner(quotas, node)
    return Finding(
        rule,
        message,
        owner.locate(field),
        object=owner.ref,
        field=field_text(field),
        help=rule.remedy,
        related=related,
    )
