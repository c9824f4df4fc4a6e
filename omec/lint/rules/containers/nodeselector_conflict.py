"""``nodeselector-conflict``: nodes that have to have one label with two values.

OME lays the selectors of a component, its runtime, its accelerator class and its service over each other, so those
never contradict; the last one wins. What is left are the nodes that download the model, and the required affinity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from omec.catalog import Resource
from omec.compile.problems import Steps, follow
from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod, Use

RULE = Rule(
    "OME428",
    "nodeselector-conflict",
    Severity.ERROR,
    "No node can have the labels that a service's pods ask for",
    why=(
        "Pods run only on nodes that have downloaded the model, and a model is downloaded only to the nodes of its own "
        "selector. Where the pods ask for another value of the same label, or their affinity does, they stay Pending."
    ),
    fix="Give model, runtime and service the same value, or remove it from all but one.",
    source="OME docs: concepts/models/base-models; reference 04 §10.2",
    bad="""\
nodeSelector: {node.kubernetes.io/instance-type: p5.48xlarge}
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
      - matchExpressions: [{key: node.kubernetes.io/instance-type, operator: In, values: [g6.xlarge]}]
""",
    good="""\
nodeSelector: {node.kubernetes.io/instance-type: p5.48xlarge}
""",
)


_REQUIRED = ("nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")


def check(context: Context) -> Iterator[Fault]:
    yield from judged(context.concrete_pods, _judge_affinity)
    for use in context.uses:
        storage = (use.model.spec.get("storage") or {}) if use.model is not None else {}
        if use.model is not None and ("nodeSelector" in storage or "nodeAffinity" in storage):
            for pod in context.pods_of(use):
                if pod.is_engine:
                    yield from _judge_model(use, use.model, pod, storage)


def _judge_affinity(pod: Pod) -> Iterator[Fault]:
    terms = _terms(pod.part.get("affinity"))
    refusal = _refusal(terms, _selector(pod.part)) if terms else None
    if refusal is not None:
        message = f"the {pod.name} asks for nodes with {refusal.label}, and its affinity for {refusal.wanted}"
        causes = [pod.written("affinity", *_REQUIRED)]
        yield pod.fault(pod.written("nodeSelector", refusal.key), message, causes=causes)


def _judge_model(use: Use, model: Resource, pod: Pod, storage: Mapping[str, Any]) -> Iterator[Fault]:
    wanted = _selector(storage)
    # In the order in which OME lays them over each other (reference 04 §10.2).
    top, own = _selector(pod.origin.spec), _selector(use.service.spec.get(pod.name) or {})
    found = {**_selector(pod.part), **top, **pod.origin.accelerator.node_selector, **own}
    for key, value in wanted.items():
        if found.get(key, value) != value:
            message = (
                f"the {pod.name} asks for nodes with {key}={found[key]}, and model {model.name} is only on nodes "
                f"with {key}={value}"
            )
            there = Related(model.locate(("spec", "storage", "nodeSelector", key)), "the model's nodes")
            yield _at_pods(use, pod, ("nodeSelector", key), message, there)
    refusal = _refusal(_terms(pod.part.get("affinity")), wanted)
    if refusal is not None:
        message = (
            f"the affinity of the {pod.name} asks for {refusal.wanted}, and model {model.name} is only on nodes "
            f"with {refusal.label}"
        )
        there = Related(model.locate(("spec", "storage", "nodeSelector", refusal.key)), "the model's nodes")
        yield _at_pods(use, pod, ("affinity", *_REQUIRED), message, there)
    refusal = _refusal(_terms(storage), found)
    if refusal is not None:
        message = (
            f"the {pod.name} asks for nodes with {refusal.label}, and model {model.name} is only on nodes with "
            f"{refusal.wanted}"
        )
        there = Related(model.locate(("spec", "storage", *_REQUIRED)), "the model's nodes")
        yield _at_pods(use, pod, ("nodeSelector", refusal.key), message, there)


def _at_pods(use: Use, pod: Pod, steps: Steps, message: str, there: Related) -> Fault:
    written = pod.written(*steps)
    if follow(pod.part, steps) is None or written.resource.context:
        return Fault(use.service, ("metadata", "name"), message, related=(there,))
    user = Related(use.service.locate(("metadata", "name")), f"used by {use.service.ref}")
    related = (there,) if written.resource is use.service else (there, user)
    return Fault(written.resource, written.path, message, related=related)


def _selector(part: Mapping[str, Any]) -> dict[str, str]:
    return dict(part.get("nodeSelector") or {})


def _terms(part: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
    """The terms of the required node affinity in ``part``, of which one has to hold."""
    affinity = (part or {}).get("nodeAffinity") or {}
    return (affinity.get(_REQUIRED[-1]) or {}).get("nodeSelectorTerms") or ()


class _Refusal(NamedTuple):
    """A label that nodes must have, and what a term asks of the same key instead."""

    key: str
    value: str
    wanted: str

    @property
    def label(self) -> str:
        return f"{self.key}={self.value}"


def _refusal(terms: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> _Refusal | None:
    """What the first of ``terms`` refuses where none can hold on a node with ``labels``, ``None`` where one can."""
    first: _Refusal | None = None
    for term in terms:
        wanted = ((key, value, _refuses(term, key, value)) for key, value in labels.items())
        refused = next((_Refusal(*each) for each in wanted if each[-1]), None)
        if refused is None:
            return None
        first = first or refused
    return first


def _refuses(term: Mapping[str, Any], key: str, value: str) -> str:
    """What of the term cannot hold on a node with ``key`` of this ``value``, ``""`` where all can."""
    for expression in term.get("matchExpressions") or ():
        if expression.get("key") != key:
            continue
        operator, values = expression.get("operator"), expression.get("values") or []
        if operator == "In" and value not in values:
            return f"{key} in {', '.join(map(str, values))}"
        if operator == "NotIn" and value in values:
            return f"{key} not {value}"
        if operator == "DoesNotExist":
            return f"none with {key}"
    return ""
