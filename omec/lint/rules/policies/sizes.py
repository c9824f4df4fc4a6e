"""How large the services of a namespace can become."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from omec.catalog import Resource
from omec.compile.replicas import fill_operator_defaults
from omec.finding import FieldPath, Related
from omec.lint.context import Context, Fault
from omec.lint.pods.amounts import gpus_of
from omec.lint.pods.view import Pod, Use
from omec.lint.rules.policies.stated import any_fits
from omec.repo.settings_policy import Limit


class Size(NamedTuple):
    """A component of a service at its largest: so many replicas, of so many accelerators each."""

    service: Resource
    component: str
    replicas: int
    gpus: int


class Measure(NamedTuple):
    """What of a component counts: how much it is, and how a sum writes it."""

    what: str
    amount: Callable[[Size], int]
    term: Callable[[Size], str]


def sizes(context: Context, limit: Limit) -> dict[str, list[Size]]:
    """The components of the services that ``limit`` is about, by namespace; only of those with a certain runtime."""
    found: dict[str, list[Size]] = {}
    for use in context.uses:
        namespace = use.service.namespace or ""
        if not limit.namespaces or any_fits(limit.namespaces, namespace):
            found.setdefault(namespace, []).extend(_components(context, use))
    return found


def above(context: Context, limit: Limit, most: int, measure: Measure) -> Iterator[Fault]:
    """A fault for every namespace whose services have more than ``most`` together, at the largest of them."""
    for namespace, found in sizes(context, limit).items():
        counted = [size for size in found if measure.amount(size)]
        total = sum(map(measure.amount, counted))
        if total <= most:
            continue
        largest = max(counted, key=measure.amount)
        parts = " + ".join(f"{size.service.name} {measure.term(size)}" for size in counted)
        message = f"namespace {namespace} can have {total} {measure.what}, and the policy allows {most}: {parts}"
        others = {size.service.ref: size.service for size in counted if size.service is not largest.service}
        related = [
            Related(service.locate(("metadata", "name")), f"{service.ref} counts, too") for service in others.values()
        ]
        field: FieldPath = ("spec", largest.component)
        yield Fault(largest.service, field, message, related=tuple(related), key=True)


def _components(context: Context, use: Use) -> Iterator[Size]:
    by_component: dict[str, list[Pod]] = {}
    for pod in context.pods_of(use):
        by_component.setdefault(pod.name, []).append(pod)
    for name, pods in by_component.items():
        yield Size(use.service, name, _replicas(context, use, pods[0]), sum(map(_gpus, pods)))


def _replicas(context: Context, use: Use, pod: Pod) -> int:
    """The most replicas: the service's, else the runtime's, else the operator's (reference 04 §12.4)."""
    own = use.service.spec.get(pod.name) or {}
    spec: dict[str, Any] = {}
    for key in ("minReplicas", "maxReplicas"):
        spec[key] = pod.whole.get(key) if own.get(key) is None else own[key]
    fill_operator_defaults(spec, pod.name, context.cluster.operator)
    return max(spec.get("maxReplicas") or 0, spec.get("minReplicas") or 0, 1)


def _gpus(pod: Pod) -> int:
    """The accelerators of all pods of one replica that are like ``pod``."""
    size = (pod.whole.get("worker") or {}).get("size") if pod.role == "worker" else 1
    return (1 if size is None else int(size)) * sum(
        gpus.number for container in pod.containers if (gpus := gpus_of(container)) is not None
    )
