"""``nodeselector-conflict``: nodes that have to have one label with two values.

OME lays the selectors of a component, its runtime, its accelerator class and its service over each other, so those
never contradict; the last one wins. What is left are the nodes that download the model, and the required affinity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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


def check(context: Context) -> Iterator[Fault]:
    yield from judged(context.concrete_pods, _judge_affinity)
    for use in context.uses:
        wanted = _selector((use.model.spec.get("storage") or {}) if use.model is not None else {})
        for pod in context.pods_of(use) if wanted else ():
            yield from _judge_model(use, pod, wanted)


def _judge_affinity(pod: Pod) -> Iterator[Fault]:
    affinity = pod.part.get("affinity")
    required = ((affinity or {}).get("nodeAffinity") or {}).get("requiredDuringSchedulingIgnoredDuringExecution")
    terms = (required or {}).get("nodeSelectorTerms") or ()
    if not terms:
        return
    for key, value in _selector(pod.part).items():
        refused = [_refuses(term, key, value) for term in terms]
        if all(refused):
            message = f"the {pod.name} asks for nodes with {key}={value}, and its affinity for {refused[0]}"
            steps = ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
            yield pod.fault(pod.written("nodeSelector", key), message, causes=[pod.written(*steps)])


def _judge_model(use: Use, pod: Pod, wanted: Mapping[str, str]) -> Iterator[Fault]:
    if use.model is None or not pod.is_engine:
        return
    # In the order in which OME lays them over each other (reference 04 §10.2).
    top, own = _selector(pod.origin.spec), _selector(use.service.spec.get(pod.name) or {})
    found = {**_selector(pod.part), **top, **pod.origin.accelerator.node_selector, **own}
    for key, value in wanted.items():
        if found.get(key, value) != value:
            message = (
                f"the {pod.name} asks for nodes with {key}={found[key]}, and model {use.model.name} is only on nodes "
                f"with {key}={value}"
            )
            there = Related(use.model.locate(("spec", "storage", "nodeSelector", key)), "the model's nodes")
            yield _at_pods(use, pod, key, message, there)


def _at_pods(use: Use, pod: Pod, key: str, message: str, there: Related) -> Fault:
    written = pod.written("nodeSelector", key)
    if key not in (pod.part.get("nodeSelector") or {}) or written.resource.context:
        return Fault(use.service, ("metadata", "name"), message, related=(there,))
    user = Related(use.service.locate(("metadata", "name")), f"used by {use.service.ref}")
    related = (there,) if written.resource is use.service else (there, user)
    return Fault(written.resource, written.path, message, related=related)


def _selector(part: Mapping[str, Any]) -> dict[str, str]:
    return dict(part.get("nodeSelector") or {})


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
