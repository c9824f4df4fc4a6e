"""What is wrong with a repository's quota tree, at the field that says it.

OME's webhook judges one request against the live tree; here the tree is judged as it would be with all of the
repository applied.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from omec.finding import FieldPath, Finding, ObjectRef, Related, Rule, field_text
from omec.resolve.quota import rules
from omec.resolve.quota.advice import advice_on
from omec.resolve.quota.budgets import budget_problems
from omec.resolve.quota.node import ROOT, QuotaNode, Role
from omec.resolve.quota.repository import RepositoryQuotas
from omec.resolve.quota.shares import EXPLICIT, ShareError, explicit_shares, policy_of
from omec.resolve.quota.violation import Reason, Violation

RULES: dict[Reason, Rule] = {
    Reason.PARENT_MISSING: rules.PARENT_MISSING,
    Reason.PARENT_CYCLE: rules.CYCLE,
    Reason.UNREACHABLE: rules.UNREACHABLE,
    Reason.NODE_KIND_INVALID: rules.NODE_KIND,
    Reason.DEPTH_EXCEEDED: rules.TOO_DEEP,
    Reason.CONTAINMENT_VIOLATED: rules.CONTAINMENT,
    Reason.SHARE_UNRESOLVED: rules.SHARE_UNRESOLVED,
    Reason.CAPACITY_EXCEEDED: rules.CAPACITY,
}
"""The rule for each reason; two definitions of one name are a finding of the catalog."""


def quota_findings(
    quotas: RepositoryQuotas, *, flavors: Collection[str] = (), reported: Collection[ObjectRef] = ()
) -> list[Finding]:
    """The conditions that the quota manager would report, and what Kueue would refuse, each as a finding.

    ``flavors`` are the ResourceFlavors of the repository; where there are none, nothing is said about flavors.
    ``reported`` are objects in which the API structure has an error: what their own manifest gets wrong is said there.
    """
    findings = [
        _violation_finding(quotas, violation, RULES[violation.reason])
        for violation in (*quotas.judgement.violations, *quotas.over_capacity)
        if violation.reason in RULES and not _said_before(quotas, violation, reported)
    ]
    for name, resource in quotas.own.items():
        findings += _node_findings(quotas, quotas.node(name), flavors)
        if resource.name == ROOT and quotas.node(name).role == Role.CLUSTER_QUEUE:
            findings.append(_root_finding(quotas))
    return findings


def _said_before(quotas: RepositoryQuotas, violation: Violation, reported: Collection[ObjectRef]) -> bool:
    """Whether the CRD refuses the node for the same: for all about its role but what its parent's role forbids."""
    own = violation.reason is Reason.NODE_KIND_INVALID and violation.field[:2] != ("spec", "parentRef")
    return own and quotas.resources[violation.node].ref in reported


def _violation_finding(quotas: RepositoryQuotas, violation: Violation, rule: Rule) -> Finding:
    advice = advice_on(quotas, violation)
    return _finding(
        quotas,
        rule,
        violation.node,
        violation.field,
        f"{violation} ({violation.reason})",
        advice.help,
        advice.related,
    )


def _node_findings(quotas: RepositoryQuotas, node: QuotaNode, flavors: Collection[str]) -> Iterator[Finding]:
    for problem in budget_problems(node):
        message = f"{node.name}: {problem.message} (BudgetInvalid)"
        yield _finding(quotas, rules.BUDGET_INVALID, node.name, problem.field, message, rules.BUDGET_INVALID.remedy)
    if node.is_leaf:
        yield from _share_findings(quotas, node)
        yield from _flavor_findings(quotas, node, flavors)
        yield from _cover_findings(quotas, node)


def _share_findings(quotas: RepositoryQuotas, leaf: QuotaNode) -> Iterator[Finding]:
    for budget in leaf.budgets:
        if policy_of(leaf, budget, quotas.settings.default_policy) != EXPLICIT:
            continue
        try:
            explicit_shares(budget)
        except ShareError as error:
            field: FieldPath = ("spec", "budgets", budget.index, "perCluster")
            message = f"{leaf.name}: {error} ({Reason.SHARE_UNRESOLVED})"
            yield _finding(quotas, rules.SHARE_UNRESOLVED, leaf.name, field, message, rules.SHARE_UNRESOLVED.remedy)


def _flavor_findings(quotas: RepositoryQuotas, leaf: QuotaNode, flavors: Collection[str]) -> Iterator[Finding]:
    missing = leaf.without_flavor(flavors)
    if not missing:
        return
    names = " ".join(budget.pair.flavor for budget in missing)
    message = f"no ResourceFlavor named [{names}] on this cluster; those budgets are not materialized"
    first: FieldPath = ("spec", "budgets", missing[0].index, "resourceFlavor")
    resource = quotas.resources[leaf.name]
    others = tuple(
        Related(resource.locate(("spec", "budgets", budget.index, "resourceFlavor")), "nor this one")
        for budget in missing[1:]
    )
    advice = f"the repository has {', '.join(sorted(flavors))}; correct the name, or add the ResourceFlavor"
    text = f"{leaf.name}: {message} (FlavorMissing)"
    yield _finding(quotas, rules.FLAVOR_MISSING, leaf.name, first, text, advice, others)


def _cover_findings(quotas: RepositoryQuotas, leaf: QuotaNode) -> Iterator[Finding]:
    for budget in leaf.budgets:
        if budget.pair.resource in quotas.settings.cover_resources:
            amount = quotas.settings.cover_resources[budget.pair.resource]
            message = (
                f"{leaf.name}: every queue covers {budget.pair.resource} with {amount}, so its budget has no effect"
            )
            field: FieldPath = ("spec", "budgets", budget.index, "resourceName")
            yield _finding(quotas, rules.BUDGET_COVERED, leaf.name, field, message, rules.BUDGET_COVERED.remedy)


def _root_finding(quotas: RepositoryQuotas) -> Finding:
    message = f"{ROOT}: the root of the quota tree is a ClusterQueue (RootRoleInvalid)"
    return _finding(quotas, rules.ROOT_ROLE, ROOT, ("spec", "role"), message, rules.ROOT_ROLE.remedy)


def _finding(
    quotas: RepositoryQuotas,
    rule: Rule,
    name: str,
    field: FieldPath,
    message: str,
    help_text: str,
    related: tuple[Related, ...] = (),
) -> Finding:
    resource = quotas.resources[name]
    return Finding(
        rule,
        message,
        resource.locate(field),
        object=resource.ref,
        field=field_text(field),
        help=help_text,
        related=related,
    )
