"""How to mend a violation of the quota tree, and the other places that belong to it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from omec.finding import FieldPath, Related
from omec.resolve.quota.amount import total
from omec.resolve.quota.membership import PARENT
from omec.resolve.quota.node import ROOT, Budget, QuotaNode, Role
from omec.resolve.quota.repository import RepositoryQuotas
from omec.resolve.quota.violation import Reason, Violation

_SHOWN = 5
"""More names than this make no sentence better."""


class Advice(msgspec.Struct, frozen=True):
    """What to do about a violation, and where else to look."""

    help: str
    related: tuple[Related, ...] = ()


def advice_on(quotas: RepositoryQuotas, violation: Violation) -> Advice:
    match violation.reason:
        case Reason.PARENT_MISSING:
            return Advice(_parent_help(quotas, violation))
        case Reason.PARENT_CYCLE:
            return _cycle_advice(quotas, violation)
        case Reason.UNREACHABLE:
            help_text = f"correct the parent of {violation.subject}"
            return Advice(help_text, _places(quotas, [violation.subject], PARENT, "this one has no place in the tree"))
        case Reason.DEPTH_EXCEEDED:
            return Advice("move it up, or raise max-depth in omec.toml if the quota manager allows more")
        case Reason.CONTAINMENT_VIOLATED:
            return _containment_advice(quotas, violation)
        case Reason.NODE_KIND_INVALID:
            return _role_advice(quotas, violation)
        case _:
            return Advice("lower the budget, or correct the inventory of nodes")


def _parent_help(quotas: RepositoryQuotas, violation: Violation) -> str:
    node = quotas.node(violation.node)
    if node.parent is None:
        return f"add spec.parentRef with the name of a Cohort; {ROOT} is the top of the tree"
    close = _closest(node.parent, (name for name in quotas.judgement.tree.nodes if name != node.name))
    if close is not None:
        return f"did you mean {close}?"
    return f"add the AcceleratorQuota {node.parent}, or list it under known-quotas in omec.toml if the cluster has it"


def _cycle_advice(quotas: RepositoryQuotas, violation: Violation) -> Advice:
    members = quotas.judgement.tree.cycle(violation.node) or [violation.node]
    help_text = f"let {_names(members)} name a parent outside the circle"
    if len(members) > 1:
        help_text = f"let one of {_names(members)} name a parent outside the circle"
    others = [name for name in members if name != violation.node]
    return Advice(help_text, _places(quotas, others, PARENT, "belongs to the circle"))


def _role_advice(quotas: RepositoryQuotas, violation: Violation) -> Advice:
    if violation.field == PARENT:
        cohorts = [node.name for node in quotas.judgement.tree.nodes.values() if node.role == Role.COHORT]
        help_text = f"name a Cohort: {_names(cohorts)}" if cohorts else "name a Cohort"
        return Advice(help_text, _places(quotas, [violation.subject], ("spec", "role"), "a leaf takes no children"))
    match violation.field[1]:
        case "budgets" if len(violation.field) > 2:
            return Advice("keep resourceName, resourceFlavor and nominal; limits and shares belong to the leaves")
        case "budgets":
            return Advice("add a budget with resourceName, resourceFlavor and nominal")
        case "role":
            return Advice(f"write {Role.COHORT} or {Role.CLUSTER_QUEUE}")
        case _:
            return Advice(f"delete {violation.subject.replace(',', ' and ')}, or move it to the leaves")


def _containment_advice(quotas: RepositoryQuotas, violation: Violation) -> Advice:
    children = quotas.judgement.tree.children(violation.node)
    given = [(child, budget) for child in children for budget in child.budgets if str(budget.pair) == violation.subject]
    needed = total(budget.nominal for _, budget in given)
    shares = ", ".join(f"{child.name} {budget.nominal}" for child, budget in given)
    help_text = f"raise it to {needed}, or lower what its children have: {shares}"
    return Advice(help_text, tuple(related for child, budget in given for related in _budget(quotas, child, budget)))


def _budget(quotas: RepositoryQuotas, child: QuotaNode, budget: Budget) -> tuple[Related, ...]:
    field: FieldPath = ("spec", "budgets", budget.index, "nominal")
    return _places(quotas, [child.name], field, f"{child.name} has {budget.nominal}")


def _places(quotas: RepositoryQuotas, names: Iterable[str], field: FieldPath, phrase: str) -> tuple[Related, ...]:
    """The field in the manifests of ``names``; assumed nodes have none."""
    found = (quotas.resources[name] for name in names if name in quotas.resources)
    return tuple(Related(resource.locate(field), phrase) for resource in found)


def _names(names: list[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    hidden = len(names) - _SHOWN
    return f"{shown} and {hidden} more" if hidden > 0 else shown


def _closest(name: str, known: Iterable[str]) -> str | None:
    import difflib  # noqa: PLC0415 - only for a wrong name

    return next(iter(difflib.get_close_matches(name, sorted(known), n=1)), None)
